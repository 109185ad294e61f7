import { Component, computed, inject } from '@angular/core';
import { HeaderLink } from '../../shared/shell/header-link';
import type { MenuPage } from '../../shared/shell/header-menu';
import { PageFrame, type Pill } from '../../shared/shell/page-frame';
import { AlertNotifications } from '../alerts/alert-notifications';
import { StoreBanner } from '../storage/store-banner';

@Component({
  selector: 'sw-frame',
  imports: [HeaderLink, PageFrame, StoreBanner],
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
  `,
})
export class Frame {
  private readonly notifications = inject(AlertNotifications);
  protected readonly pills = computed<readonly Pill[]>(() => [
    { text: 'Logs', path: '/logs', parts: ['logs'] },
    { text: 'Saved searches', path: '/saved-searches', parts: ['saved-searches'] },
    {
      text: 'Alerts',
      path: '/alerts',
      parts: ['alerts'],
      count: { value: this.notifications.firingNow(), label: 'firing', firing: true },
    },
    { text: 'Sessions', path: '/sessions', parts: ['sessions'] },
  ]);
  protected readonly pages: readonly MenuPage[] = [{ path: '/storage', text: 'Storage', icon: 'database' }];

  constructor() {
    this.notifications.watch();
  }
}
