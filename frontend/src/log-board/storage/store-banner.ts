import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Notice } from '../../shared/ui/notice';
import { LogStoreState } from './log-store-state';
import { PlainButton } from '../../shared/ui/plain-button';

@Component({
  selector: 'sw-store-banner',
  imports: [Notice, RouterLink, PlainButton],
  template: `
    @if (trouble(); as trouble) {
      <sw-notice [tone]="trouble.tone">
        <b>{{ trouble.heading }}</b> {{ store.health()?.reason }} {{ trouble.consequence }}
        <a action class="link" routerLink="/storage" i18n>Storage</a>
      </sw-notice>
    }
    @if (store.notice(); as notice) {
      <sw-notice>
        {{ notice }}
        <button action class="btn small" (click)="store.closeNotice()" i18n>
          Close<span class="sr-only">&ngsp;the notice about the log history</span>
        </button>
      </sw-notice>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 8px;
      padding: 8px max(var(--gutter), calc((100% - var(--page-max)) / 2 + var(--gutter)));
    }
    :host:not(:has(sw-notice)) {
      padding-block: 0;
    }
  `,
  host: { role: 'status' },
})
export class StoreBanner {
  protected readonly store = inject(LogStoreState);
  protected readonly trouble = computed(() => {
    const { state = 'ok', open = false } = this.store.health() ?? {};
    if (state === 'ok') return null;
    const consequence = open
      ? $localize`Live lines continue.`
      : $localize`Slipway retries. It reads no logs until the log store is open.`;
    return state === 'degraded'
      ? ({ tone: 'warning', heading: $localize`New lines are not stored yet.`, consequence } as const)
      : ({ tone: 'failed', heading: $localize`The log history is unavailable.`, consequence } as const);
  });
}
