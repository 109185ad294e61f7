import { Component, computed, input, output } from '@angular/core';
import { Popover } from '../../shared/ui/popover';
import type { TableColumn } from './table-columns';
import { PlainButton } from '../../shared/ui/plain-button';

@Component({
  selector: 'sw-column-choice',
  imports: [Popover, PlainButton],
  template: `
    <sw-popover icon="columns" label="Columns" i18n-label>
      <ng-template>
        @for (group of groups(); track group.title) {
          <fieldset class="fl">
            <legend class="muted xs">{{ group.title }}</legend>
            @for (column of group.columns; track column.title) {
              <label class="check" [title]="column.description">
                <input type="checkbox" [checked]="isShown(column)" (change)="toggle(column)" />
                <span class="cut">{{ column.label || column.title }}</span>
              </label>
            }
          </fieldset>
        }
        <hr />
        <button i18n (click)="chosen.emit(undefined)">Reset to default</button>
      </ng-template>
    </sw-popover>
  `,
  styles: `
    fieldset {
      display: grid;
      padding: 0 8px 6px;
    }
    .check {
      min-height: 28px;
      min-width: 0;
    }
  `,
})
export class ColumnChoice {
  readonly columns = input.required<readonly TableColumn[]>();
  readonly shown = input.required<readonly TableColumn[]>();
  /** Titles of the columns; undefined for the default. */
  readonly chosen = output<readonly string[] | undefined>();
  protected readonly groups = computed(() => {
    const columns = this.columns().filter(({ kind }) => kind !== 'name');
    const labels = columns.filter(({ kind }) => kind === 'label');
    return [
      { title: $localize`Columns`, columns: columns.filter(({ kind }) => kind !== 'label') },
      ...(labels.length > 0 ? [{ title: $localize`Labels`, columns: labels }] : []),
    ];
  });

  protected isShown({ title }: TableColumn): boolean {
    return this.shown().some((column) => column.title === title);
  }

  protected toggle(column: TableColumn): void {
    const titles = this.shown().map(({ title }) => title);
    this.chosen.emit(
      this.isShown(column) ? titles.filter((title) => title !== column.title) : [...titles, column.title],
    );
  }
}
