import { Component, computed, inject, input } from '@angular/core';
import { ServerPresence } from '../browser/server-presence';
import type { Loadable } from './load-error';
import { Notice, type NoticeTone } from './notice';
import { PlainButton } from './plain-button';

/**
 * Says that data could not be loaded, with a button to retry. By default, its last state is still shown. Hidden while
 * the page itself says that the server does not respond.
 */
@Component({
  selector: 'sw-load-notice',
  imports: [Notice, PlainButton],
  template: `
    @if (problem(); as problem) {
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
  host: { '[hidden]': '!problem()' },
})
export class LoadNotice {
  private readonly server = inject(ServerPresence);
  readonly of = input.required<Loadable>();
  protected readonly problem = computed(() => {
    const problem = this.of().problem();
    return problem?.code === 'offline' && this.server.gone() ? null : problem;
  });
  readonly tone = input<NoticeTone>('warning');
}
