import { computed, DestroyRef, DOCUMENT, inject, InjectionToken, Service, signal } from '@angular/core';
import { Router } from '@angular/router';
import { Subject } from 'rxjs';
import type { AlertFiringDto } from '../../shared/api/api-types';
import { Toaster } from '../../shared/ui/toaster';
import { BoardConnection } from '../logs/board-connection';
import { firingMessage } from './alert-messages';
import { TabLeader } from './tab-leader';

/** The browser's notifications, null if it has none; a token, so that tests can replace them. */
export const NOTIFICATION = new InjectionToken<typeof Notification | null>('NOTIFICATION', {
  providedIn: 'root',
  factory: () => {
    const { defaultView } = inject(DOCUMENT);
    // Browsers offer them in secure contexts only: localhost or HTTPS.
    return defaultView?.isSecureContext && 'Notification' in defaultView ? defaultView.Notification : null;
  },
});

/** Notifies of alerts that fire while a log board page is open. */
@Service()
export class AlertNotifications {
  private readonly connection = inject(BoardConnection);
  private readonly toaster = inject(Toaster);
  private readonly router = inject(Router);
  private readonly document = inject(DOCUMENT);
  private readonly tabs = inject(TabLeader);
  private readonly system = inject(NOTIFICATION);
  private readonly received = new Subject<AlertFiringDto>();
  private readonly firingCount = signal(0);
  private readonly allowed = signal<NotificationPermission | 'missing'>(this.system?.permission ?? 'missing');

  /** Firings that the server pushes to open pages. */
  readonly firings = this.received.asObservable();
  /** The number of firing alerts; 0 while disconnected. */
  readonly firingNow = computed(() => (this.connection.state() === 'open' ? this.firingCount() : 0));
  readonly permission = this.allowed.asReadonly();

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
  }

  /** Requests permission for notifications; browsers require a click. */
  async allow(): Promise<void> {
    if (this.system) this.allowed.set(await this.system.requestPermission());
  }

  private show(firing: AlertFiringDto): void {
    this.received.next(firing);
    const title = firing.test
      ? $localize`Test of alert ${firing.name}:name:.`
      : $localize`Alert ${firing.name}:name:.`;
    const open = (): void =>
      void this.router.navigate(['/alerts'], { queryParams: { alert: firing.alert_id } });
    this.toaster.failed(title, firingMessage(firing), { text: $localize`Show firings`, run: open });
    void this.notify(firing, title, open);
  }

  /** Shows a browser notification, once for all tabs, unless one of them is visible. */
  private async notify(firing: AlertFiringDto, title: string, open: () => void): Promise<void> {
    const { system } = this;
    // Permission may have been granted in another tab.
    if (
      system?.permission !== 'granted' ||
      !(await this.tabs.claimsNotification(`${firing.id}@${firing.time}`))
    ) {
      return;
    }
    const notification = new system(title, {
      body: firingMessage(firing),
      tag: `slipway-alert-${firing.id}`,
    });
    notification.onclick = () => {
      this.document.defaultView?.focus();
      notification.close();
      open();
    };
  }
}
