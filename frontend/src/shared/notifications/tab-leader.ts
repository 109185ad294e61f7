import { DOCUMENT, effect, inject, InjectionToken, Service } from '@angular/core';
import { readStored, store } from '../browser/browser-storage';
import { PageVisibility } from '../browser/page-visibility';

/** The browser's locks, which all tabs of an origin share; a token, so that tests can replace them. */
export const LOCKS = new InjectionToken<LockManager | null>('LOCKS', {
  providedIn: 'root',
  // As with notifications, only secure contexts have them.
  factory: () => inject(DOCUMENT).defaultView?.navigator.locks ?? null,
});

/** Begin of the names of locks that tabs hold while they show what a notification would say. */
const SEEN = 'slipway.seen:';
/** Guards the list of sent notifications. */
const NOTIFYING = 'slipway.notified';
const SENT_KEY = 'slipway.notified';
const MAX_KEPT = 100;

/** Agrees among the open tabs which one shows a notification. */
@Service()
export class TabLeader {
  private readonly visible = inject(PageVisibility).visible;
  private readonly locks = inject(LOCKS);

  /**
   * Tells other tabs what this one shows while it is visible, for its lifetime. Requires an injection context.
   * @param subject a signal read; null while the page shows nothing that a notification would say
   */
  attend(subject: () => string | null): void {
    effect((onCleanup) => {
      const name = this.visible() ? subject() : null;
      if (!this.locks || name === null) return;
      const left = Promise.withResolvers<undefined>();
      onCleanup(() => left.resolve(undefined));
      void this.locks.request(SEEN + name, { mode: 'shared' }, () => left.promise);
    });
  }

  /**
   * Whether this tab should show a notification: no visible tab shows one of the subjects, and no tab has shown the
   * notification. Marks it as shown, so that a tab which was frozen by the browser does not show it later.
   */
  async claimsNotification(notification: string, subjects: readonly string[]): Promise<boolean> {
    const { locks } = this;
    if (!locks) return true;
    return await locks.request(NOTIFYING, async () => {
      // If storage is blocked: notifications with the same tag replace each other.
      const stored = readStored(SENT_KEY);
      const sent: unknown[] = Array.isArray(stored) ? stored : [];
      if (sent.includes(notification)) return false;
      store(SENT_KEY, [...sent, notification].slice(-MAX_KEPT));
      const { held = [] } = await locks.query();
      return !held.some(({ name = '' }) => subjects.some((subject) => name === SEEN + subject));
    });
  }
}
