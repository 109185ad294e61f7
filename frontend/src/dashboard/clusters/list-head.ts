import { Component, computed, input, output } from '@angular/core';
import type { Sort, SortKey } from './list-address';

/** All that the list can be sorted by, as a choice in one field. */
export const SORTS: readonly { key: SortKey; text: string }[] = [
  { key: 'state', text: 'State' },
  { key: 'name', text: 'Name' },
  { key: 'engine', text: 'Engine' },
  { key: 'age', text: 'Age' },
  { key: 'cpu', text: 'CPU' },
  { key: 'memory', text: 'Memory' },
];

const COLUMNS: readonly { title: string; sorts: readonly { key: SortKey; text: string }[]; place: string }[] =
  [
    {
      title: '',
      place: 'first',
      sorts: [
        { key: 'name', text: 'Cluster' },
        { key: 'state', text: 'State' },
        { key: 'age', text: 'Age' },
      ],
    },
    { title: '', place: 'engine', sorts: [{ key: 'engine', text: 'Engine' }] },
    { title: 'Kubernetes', place: 'version', sorts: [] },
    { title: 'Nodes', place: 'nodes', sorts: [] },
    {
      title: 'Cores in use; the bar is the share of the machine',
      place: 'cpu',
      sorts: [{ key: 'cpu', text: 'CPU, cores' }],
    },
    { title: 'Share of the machine', place: 'memory', sorts: [{ key: 'memory', text: 'Memory' }] },
  ];

/** Titles of the columns, by which the rows are sorted, and the box that selects all rows. */
@Component({
  selector: 'sw-list-head',
  template: `
    <div role="columnheader" class="pick">
      <label>
        <input
          type="checkbox"
          aria-label="Select all that are shown"
          [checked]="all()"
          [indeterminate]="some()"
          [disabled]="total() === 0"
          (change)="toggledAll.emit()"
        /><span aria-hidden="true">Select all</span>
      </label>
    </div>
    @for (column of columns; track column.place) {
      <div role="columnheader" [class]="column.place" [title]="column.sorts.length > 0 ? column.title : ''">
        @for (entry of column.sorts; track entry.key) {
          <button
            type="button"
            [attr.aria-pressed]="sort().key === entry.key"
            [class.up]="sort().reversed"
            (click)="sorted.emit(entry.key)"
          >
            <span class="sr-only">Sort by</span> {{ entry.text }}
            @if (sort().key === entry.key) {
              <span class="sr-only">, {{ sort().reversed ? 'reversed' : 'sorted' }}</span>
            }
          </button>
        } @empty {
          {{ column.title }}
        }
      </div>
    }
    <div role="columnheader"><span class="sr-only">Actions</span></div>
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
  protected readonly some = computed(() => this.selected() > 0 && !this.all());
}
