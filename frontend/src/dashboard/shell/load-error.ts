import { Component, input, output } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { Placeholder } from '../../shared/ui/placeholder';

/** Shown instead of data that failed to load. Further actions go inside, with the attribute `action`. */
@Component({
  selector: 'sw-load-error',
  imports: [Icon, Placeholder],
  template: `
    <sw-placeholder [heading]="heading()">
      {{ reason() }}
      <button i18n action type="button" class="btn" (click)="retry.emit()">
        <sw-icon name="refresh" />Try again
      </button>
      <ng-content select="[action]" ngProjectAs="[action]" />
    </sw-placeholder>
  `,
})
export class LoadError {
  readonly heading = input.required<string>();
  readonly reason = input<string>();
  readonly retry = output();
}
