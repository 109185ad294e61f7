import { Component, computed, input, output } from '@angular/core';
import type { Sort, SortKey } from './list-address';
import { PlainButton } from '../../shared/ui/plain-button';

interface Column {
  class: string;
  title: string;
  sorts: readonly { key: SortKey; text: string }[];
}

const COLUMNS: readonly Column[] = [
  {
    class: 'first',
    title: '',
    sorts: [
      { key: 'name', text: $localize`Name` },
      { key: 'state', text: $localize`State` },
      { key: 'age', text: $localize`Age` },
    ],
  },
  { class: '', title: '', sorts: [{ key: 'engine', text: $localize`Engine` }] },
  { class: '', title: $localize`Nodes and Pods`, sorts: [] },
  {
    class: '',
    title: $localize`Used cores, and their course over the last hour`,
    sorts: [{ key: 'cpu', text: $localize`CPU` }],
  },
  {
    class: 'memory',
    title: $localize`Used memory, and its share of the host`,
    sorts: [{ key: 'memory', text: $localize`Memory` }],
  },
  { class: '', title: $localize`Ports`, sorts: [] },
];

export const SORTS = COLUMNS.flatMap(({ sorts }) => sorts);

@Component({
  selector: 'sw-list-head',
  imports: [PlainButton],
  template: `
    <div role="columnheader" class="pick">
      <label>
        <input
          type="checkbox"
          aria-label="Select all shown clusters"
          i18n-aria-label
          [checked]="all()"
          [indeterminate]="selected() > 0 && !all()"
          [disabled]="total() === 0"
          (change)="toggledAll.emit()"
        /><span aria-hidden="true" i18n>Select all</span>
      </label>
    </div>
    @for (column of columns; track $index) {
      <div role="columnheader" [class]="column.class" [title]="column.sorts.length > 0 ? column.title : ''">
        @for (entry of column.sorts; track entry.key) {
          <button
            class="bare"
            [attr.aria-pressed]="sort().key === entry.key"
            [class.reversed]="sort().reversed"
            (click)="sorted.emit(entry.key)"
          >
            <span class="sr-only" i18n>Sort by</span> {{ entry.text }}
            @if (sort().key === entry.key && sort().reversed) {
              <span class="sr-only" i18n>, reversed</span>
            }
          </button>
        } @empty {
          {{ column.title }}
        }
      </div>
    }
    <div role="columnheader"><span class="sr-only" i18n>Actions</span></div>
  `,
  styleUrl: './list-head.scss',
  host: { role: 'row' },
})
export class ListHead {
  readonly sort = input.required<Sort>();
  readonly total = input.required<number>();
  readonly selected = input.required<number>();
  readonly sorted = output<SortKey>();
  readonly toggledAll = output();
  protected readonly columns = COLUMNS;
  protected readonly all = computed(() => this.total() > 0 && this.selected() === this.total());
}
