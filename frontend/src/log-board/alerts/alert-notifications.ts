import { computed, DestroyRef, DOCUMENT, inject, InjectionToken, Service, signal } from '@angular/core';
import { Router } from '@angular/router';
import { Subject } from 'rxjs';
import type { AlertFiringDto } from '../../shared/api/api-types';
import { Toaster } from '../../shared/ui/toaster';
import { BoardConnection } from '../logs/board-connection';
import { firingMessage } from './alert-messages';
import { TabLeader } from './tab-leader';

/** The browser's own notifications; a token, so that tests bring their own. Null where there are none. */
export const NOTIFICATION = new InjectionToken<typeof Notification | null>('NOTIFICATION', {
  providedIn: 'root',
  factory: () => {
    const { defaultView } = inject(DOCUMENT);
    // Only pages of a safe origin have them: of this machine, or by TLS.
    return defaultView?.isSecureContext && 'Notification' in defaultView ? defaultView.Notification : null;
  },
});

/** Tells of alerts that fire while a page of the board is open. */
@Service()
export class AlertNotifications {
  private readonly connection = inject(BoardConnection);
  private readonly toaster = inject(Toaster);
  private readonly router = inject(Router);
  private readonly document = inject(DOCUMENT);
  private readonly tabs = inject(TabLeader);
  private readonly system = inject(NOTIFICATION);
  private readonly heard = new Subject<AlertFiringDto>();
  private readonly told = signal(0);
  private readonly allowed = signal<NotificationPermission | 'missing'>(this.system?.permission ?? 'missing');

  /** Each firing that open pages are told of. */
  readonly firings = this.heard.asObservable();
  /** How many alerts fire now; 0 while nobody can say. */
  readonly firingNow = computed(() => (this.connection.state() === 'open' ? this.told() : 0));
  /** Whether the system's own notifications may be shown too. */
  readonly permission = this.allowed.asReadonly();

  /** Listens as long as the caller lives, whatever page is open. Call it where things can be injected. */
  watch(): void {
    const end = this.connection.listen({
      // The number is told anew, unless it is none.
      onOpen: () => this.told.set(0),
      onMessage: (message) => {
        if (message.type === 'alert') this.tell(message.alert);
        if (message.type === 'alerts_firing') this.told.set(message.count);
      },
    });
    inject(DestroyRef).onDestroy(end);
    this.connection.watchQuietly();
  }

  /** Asks the person whether the system may notify. Only ever upon a click. */
  async allow(): Promise<void> {
    if (this.system) this.allowed.set(await this.system.requestPermission());
  }

  private tell(firing: AlertFiringDto): void {
    this.heard.next(firing);
    const title = firing.test ? `Test of alert ${firing.name}.` : `Alert ${firing.name}.`;
    const show = (): void =>
      void this.router.navigate(['/alerts'], { queryParams: { alert: firing.alert_id } });
    this.toaster.failed(title, firingMessage(firing), { text: 'Show its firings', run: show });
    void this.notify(firing, title, show);
  }

  /** Tells outside of the page, once for all tabs. Who looks at one of them has seen it there. */
  private async notify(firing: AlertFiringDto, title: string, show: () => void): Promise<void> {
    const { system } = this;
    // It may have been allowed in another tab.
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
      show();
    };
  }
}
