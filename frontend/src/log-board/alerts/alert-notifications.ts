import { computed, DestroyRef, inject, Service, signal } from '@angular/core';
import { Router } from '@angular/router';
import { Subject } from 'rxjs';
import type { AlertFiringDto } from '../../shared/api/api-types';
import { BrowserNotifications } from '../../shared/notifications/browser-notifications';
import { TabLeader } from '../../shared/notifications/tab-leader';
import { Toaster } from '../../shared/ui/toaster';
import { BoardConnection } from '../api/board-connection';
import { firingMessage } from './alert-messages';

/** Shows a toast for each firing in each visible page of the log board. */
const SUBJECT = 'alerts';

/** Notifies of alerts that fire while a log board page is open. */
@Service()
export class AlertNotifications {
  private readonly connection = inject(BoardConnection);
  private readonly toaster = inject(Toaster);
  private readonly router = inject(Router);
  private readonly tabs = inject(TabLeader);
  private readonly browser = inject(BrowserNotifications);
  private readonly received = new Subject<AlertFiringDto>();
  private readonly firingCount = signal(0);

  /** Firings that the server pushes to open pages. */
  readonly firings = this.received.asObservable();
  /** The number of firing alerts; 0 while disconnected. */
  readonly firingNow = computed(() => (this.connection.state() === 'open' ? this.firingCount() : 0));
  readonly permission = this.browser.permission;

  /** Listens for the lifetime of the caller. Requires an injection context. */
  watch(): void {
    const end = this.connection.listen({
      // The server sends the count unless it is zero.
      onOpen: () => this.firingCount.set(0),
      onMessage: (message) => {
        if (message.type === 'alert') this.show(message.alert);
        if (message.type === 'alerts_firing') this.firingCount.set(message.count);
      },
    });
    inject(DestroyRef).onDestroy(end);
    this.connection.watch('quiet');
    this.tabs.attend(() => SUBJECT);
  }

  /** Requests permission for notifications; browsers require a click. */
  allow(): Promise<void> {
    return this.browser.allow();
  }

  private show(firing: AlertFiringDto): void {
    this.received.next(firing);
    const title = firing.test
      ? $localize`Test of alert ${firing.name}:name:.`
      : $localize`Alert ${firing.name}:name:.`;
    const open = (): void =>
      void this.router.navigate(['/alerts'], { queryParams: { alert: firing.alert_id } });
    this.toaster.failed(title, firingMessage(firing), { text: $localize`Show alert history`, run: open });
    void this.browser.show({
      id: `${firing.id}@${firing.time}`,
      tag: `slipway-alert-${firing.id}`,
      title,
      body: firingMessage(firing),
      subjects: [SUBJECT],
      open,
    });
  }
}
