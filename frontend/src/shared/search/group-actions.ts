import { Component, input, output } from '@angular/core';
import { IconButton } from '../ui/icon-button';

/** Buttons that show only the lines of a group, or hide them. Further buttons go inside, before them. */
@Component({
  selector: 'sw-group-actions',
  imports: [IconButton],
  template: `
    <ng-content />
    <button
      swIconButton="filter"
      [size]="14"
      [label]="onlyLabel()"
      title="Show only"
      i18n-title
      [disabled]="!canFilter()"
      (click)="only.emit()"
    ></button>
    <button
      swIconButton="not"
      [size]="14"
      [label]="withoutLabel()"
      title="Hide"
      i18n-title
      [disabled]="!canHide()"
      (click)="without.emit()"
    ></button>
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
