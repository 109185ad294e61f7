import { Component, input, output } from '@angular/core';
import type { ApiProblem } from '../api/api-problem';
import { Icon } from './icon';
import { Placeholder } from './placeholder';
import { PlainButton } from './plain-button';

/** Data of the API whose loading may fail. */
export interface Loadable {
  problem: () => ApiProblem | null;
  reload: () => unknown;
}

/** Shown instead of data that could not be loaded: what failed, why, and a button to retry. Further actions go inside. */
@Component({
  selector: 'sw-load-error',
  imports: [Icon, Placeholder, PlainButton],
  template: `
    <sw-placeholder [heading]="heading()">
      {{ message() ?? of()?.problem()?.message }}
      <button i18n action class="btn" (click)="of()?.reload(); retry.emit()">
        <sw-icon name="refresh" />Try again
      </button>
      <ng-content select="[action]" ngProjectAs="[action]" />
    </sw-placeholder>
  `,
})
export class LoadError {
  readonly heading = input.required<string>();
  /** The data; otherwise, there is a `message`. */
  readonly of = input<Loadable>();
  readonly message = input<string>();
  readonly retry = output();
}
