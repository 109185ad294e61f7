import { Component, inject } from '@angular/core';
import { LiveConnection } from '../../shared/live/live-connection';

/** Shown while the live connection is down and the page polls. */
@Component({
  selector: 'sw-connection-note',
  template: `
    @if (connection.state() === 'polling') {
      <span
        i18n
        class="flow tight warning-text xs nowrap"
        title="The live connection is down. The page refreshes every few seconds until it reconnects."
        i18n-title
      >
        Reconnecting
      </span>
    }
  `,
  styles: `
    span::before {
      content: '';
      width: 7px;
      height: 7px;
      border-radius: 50%;
      box-shadow: inset 0 0 0 1.5px var(--degraded-glyph);
    }
  `,
  host: { role: 'status' },
})
export class ConnectionNote {
  protected readonly connection = inject(LiveConnection);
}
