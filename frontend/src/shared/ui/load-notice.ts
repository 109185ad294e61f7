import { Component, input } from '@angular/core';
import type { Loadable } from './load-error';
import { Notice, type NoticeTone } from './notice';
import { PlainButton } from './plain-button';

/** Says that data could not be loaded, with a button to retry. By default, its last state is still shown. */
@Component({
  selector: 'sw-load-notice',
  imports: [Notice, PlainButton],
  template: `
    @if (of().problem(); as problem) {
      <sw-notice [tone]="tone()">
        <b
          ><ng-content><ng-container i18n>This data may be outdated.</ng-container></ng-content></b
        >
        {{ problem.message }}
        <button i18n action class="link" (click)="of().reload()">Try again</button>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: block;
      margin-block: var(--s-3);
    }
  `,
  host: { '[hidden]': '!of().problem()' },
})
export class LoadNotice {
  readonly of = input.required<Loadable>();
  readonly tone = input<NoticeTone>('warning');
}
