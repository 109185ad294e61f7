import { LiveAnnouncer } from '@angular/cdk/a11y';
import { Component, computed, DOCUMENT, effect, inject } from '@angular/core';
import { ServerPresence } from '../browser/server-presence';
import { formatClock } from '../format/format';
import { PresenceProbe } from '../live/presence-probe';
import { UI } from '../ui/ui';
import { disableControls } from './disabled-controls';

/** Says that the server does not respond, and disables what needs it until it does. */
@Component({
  selector: 'sw-outage',
  imports: [UI],
  template: `
    @if (lastSeen(); as time) {
      <sw-notice tone="warning" i18n>
        <b>Slipway does not respond.</b> Last seen <time class="nowrap">{{ time }}</time>. Controls are
        disabled until it is back; what you typed stays.
        <button action class="link" (click)="probe.probe()">Try now</button>
      </sw-notice>
      <div class="drain"></div>
    }
  `,
  styles: `
    /* Over the page instead of in it: nothing moves. Above dialogs, below messages. */
    sw-notice {
      position: fixed;
      z-index: 1050;
      inset: auto 0 var(--dock, 0);
      border-radius: 0;
      border-top: 1px solid var(--edge);
      padding-inline: max(var(--gutter), calc((100% - var(--page-max)) / 2 + var(--gutter)));
    }
    /* Without a filter on the page itself, which would move what is fixed in it. */
    .drain {
      position: fixed;
      z-index: 1040;
      inset: 0;
      pointer-events: none;
      animation: drain 0.5s 1.5s forwards;
    }
    @keyframes drain {
      to {
        backdrop-filter: grayscale(1);
      }
    }
  `,
})
export class Outage {
  protected readonly probe = inject(PresenceProbe);
  private readonly server = inject(ServerPresence);
  protected readonly lastSeen = computed(() => {
    const time = this.server.lastSeen();
    return time === null ? null : formatClock(time);
  });

  constructor() {
    const document = inject(DOCUMENT);
    // Dialogs hide the rest of the page from screen readers, except this.
    const announcer = inject(LiveAnnouncer);
    effect((onCleanup) => {
      if (!this.server.gone()) return;
      const why = $localize`Slipway does not respond.`;
      void announcer.announce($localize`${why}:why: Controls are disabled.`);
      const enable = disableControls(document, why);
      onCleanup(() => {
        enable();
        void announcer.announce($localize`Slipway responds again.`);
      });
    });
  }
}
