import { DOCUMENT, inject, InjectionToken, Service, signal } from '@angular/core';
import { rawMessage, rawText } from '../format/raw-text';
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

export interface BrowserNotification {
  /** Names the event. All tabs give the same name, and one of them shows the notification. */
  id: string;
  /** A notification replaces an earlier one with the same tag. */
  tag: string;
  title: string;
  body: string;
  /** Not shown while a visible tab attends to one of these; see `TabLeader.attend`. */
  subjects: readonly string[];
  /** Runs after a click, once the tab has the focus. */
  open: () => void;
}

/** Notifications of the browser, shown once for all tabs, after the user has allowed them. */
@Service()
export class BrowserNotifications {
  private readonly document = inject(DOCUMENT);
  private readonly tabs = inject(TabLeader);
  private readonly system = inject(NOTIFICATION);
  private readonly allowed = signal<NotificationPermission | 'missing'>(this.system?.permission ?? 'missing');

  readonly permission = this.allowed.asReadonly();

  /** Requests permission; browsers require a click. */
  async allow(): Promise<void> {
    if (this.system) this.allowed.set(await this.system.requestPermission());
  }

  async show({ id, tag, title, body, subjects, open }: BrowserNotification): Promise<void> {
    const { system } = this;
    // Permission may have been granted in another tab.
    if (system?.permission !== 'granted' || !(await this.tabs.claimsNotification(id, subjects))) return;
    const notification = new system(rawText(title), { body: rawMessage(body), tag });
    notification.onclick = () => {
      this.document.defaultView?.focus();
      notification.close();
      open();
    };
  }
}
