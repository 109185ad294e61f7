import { Component, computed, input, output } from '@angular/core';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { BULK_BUTTONS, type BulkAction, bulkActionsOf, MAX_OBJECTS } from './bulk-labels';

/** The actions on the selected objects of a table. */
@Component({
  selector: 'sw-selected-objects',
  imports: [UI],
  template: `
    <b i18n>{{ count() }} selected</b>
    <button i18n class="link" (click)="cleared.emit()">Clear selection</button>
    @if (count() > max) {
      <span i18n class="warning-text">At most {{ max }} can be changed at once.</span>
    } @else {
      @for (button of buttons(); track button.action) {
        <button
          class="btn small"
          data-changes
          [attr.data-denied]="denied()(button.action)"
          [class.danger]="button.action === 'delete'"
          (click)="chosen.emit(button.action)"
        >
          <sw-icon [name]="button.icon" />{{ button.text }}
        </button>
      }
    }
  `,
  host: { class: 'flow end sm' },
})
export class SelectedObjects {
  readonly count = input.required<number>();
  readonly type = input.required<ResourceTypeDto>();
  /** Why the user may not use an action on them. */
  readonly denied = input.required<(action: BulkAction) => string | null>();
  readonly chosen = output<BulkAction>();
  readonly cleared = output();
  protected readonly max = MAX_OBJECTS;
  protected readonly buttons = computed(() => {
    const allowed = bulkActionsOf(this.type());
    return BULK_BUTTONS.filter(({ action }) => allowed.includes(action));
  });
}
