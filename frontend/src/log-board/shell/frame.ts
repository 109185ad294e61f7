import { Component, computed, inject } from '@angular/core';
import { HeaderLink } from '../../shared/shell/header-link';
import type { MenuPage } from '../../shared/shell/header-menu';
import { Outage } from '../../shared/shell/outage';
import { PageFrame, type Pill } from '../../shared/shell/page-frame';
import { SessionRights } from '../../shared/session/may-change';
import { AlertNotifications } from '../alerts/alert-notifications';
import { StoreBanner } from '../storage/store-banner';

@Component({
  selector: 'sw-frame',
  imports: [HeaderLink, Outage, PageFrame, StoreBanner],
  template: `
    <sw-page-frame
      application="Log board"
      i18n-application
      home="/logs"
      [pills]="pills()"
      [pages]="pages"
      health="/api/health"
    >
      <sw-header-link end href="/dashboard" icon="layers" text="Clusters" i18n-text />
      <sw-store-banner />
    </sw-page-frame>
    <!-- Not on idle: without a server, its script could not be loaded any more. -->
    @defer (on immediate) {
      <sw-outage />
    }
  `,
})
export class Frame {
  private readonly rights = inject(SessionRights);
  private readonly notifications = inject(AlertNotifications);
  protected readonly pills = computed<readonly Pill[]>(() => [
    { text: $localize`Logs`, path: '/logs', parts: ['logs'] },
    { text: $localize`Saved searches`, path: '/saved-searches', parts: ['saved-searches'] },
    {
      text: $localize`Alerts`,
      path: '/alerts',
      parts: ['alerts'],
      count: { value: this.notifications.firingNow(), label: $localize`firing`, firing: true },
    },
    // Sessions belong to the password.
    ...(this.rights.mayChange()
      ? [{ text: $localize`Sessions`, path: '/sessions', parts: ['sessions'] }]
      : []),
  ]);
  protected readonly pages: readonly MenuPage[] = [
    { path: '/storage', text: $localize`Storage`, icon: 'database' },
  ];

  constructor() {
    this.notifications.watch();
  }
}
