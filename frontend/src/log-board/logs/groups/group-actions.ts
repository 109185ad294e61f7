import { Component, input, output } from '@angular/core';
import { Icon } from '../../../shared/ui/icon';

/** Buttons that show only the lines of a group, or hide them. */
@Component({
  selector: 'sw-group-actions',
  imports: [Icon],
  template: `
    <button
      type="button"
      class="btn icon quiet small"
      title="Show only"
      i18n-title
      [attr.aria-label]="onlyLabel()"
      [disabled]="!canFilter()"
      (click)="only.emit()"
    >
      <sw-icon name="filter" [size]="14" />
    </button>
    <button
      type="button"
      class="btn icon quiet small"
      title="Hide"
      i18n-title
      [attr.aria-label]="withoutLabel()"
      [disabled]="!canHide()"
      (click)="without.emit()"
    >
      <sw-icon name="not" [size]="14" />
    </button>
  `,
  host: { class: 'nowrap end' },
})
export class GroupActions {
  readonly onlyLabel = input.required<string>();
  readonly withoutLabel = input.required<string>();
  readonly canFilter = input(true);
  readonly canHide = input(true);
  readonly only = output();
  readonly without = output();
}
