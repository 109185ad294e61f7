import { Component, input, output } from '@angular/core';
import { Icon } from './icon';
import { Placeholder } from './placeholder';

/** Shown instead of data that could not be loaded: what failed, why, and a button to retry. Further actions go inside. */
@Component({
  selector: 'sw-load-error',
  imports: [Icon, Placeholder],
  template: `
    <sw-placeholder [heading]="heading()">
      {{ message() }}
      <button i18n action type="button" class="btn" (click)="retry.emit()">
        <sw-icon name="refresh" />Try again
      </button>
      <ng-content select="[action]" ngProjectAs="[action]" />
    </sw-placeholder>
  `,
})
export class LoadError {
  readonly heading = input.required<string>();
  readonly message = input<string>();
  readonly retry = output();
}
