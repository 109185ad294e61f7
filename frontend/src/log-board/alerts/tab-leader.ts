import { DOCUMENT, effect, inject, InjectionToken, Service } from '@angular/core';
import { readStored, store } from '../../shared/browser-storage';
import { PageVisibility } from '../../shared/live/page-visibility';

/** The browser's locks, which all tabs of an origin share; a token, so that tests can replace them. */
export const LOCKS = new InjectionToken<LockManager | null>('LOCKS', {
  providedIn: 'root',
  // As with notifications, only secure contexts have them.
  factory: () => inject(DOCUMENT).defaultView?.navigator.locks ?? null,
});

/** Held by each visible tab. */
const VISIBLE = 'slipway.board-seen';
/** Guards the list of sent notifications. */
const NOTIFYING = 'slipway.alerts-sent';
const SENT_KEY = 'slipway.alerts-sent';
const MAX_KEPT = 100;

/** Agrees among the open tabs which one shows a notification. */
@Service()
export class TabLeader {
  private readonly visible = inject(PageVisibility).visible;
  private readonly locks = inject(LOCKS);

  constructor() {
    effect((onCleanup) => {
      if (!this.locks || !this.visible()) return;
      const hidden = Promise.withResolvers<undefined>();
      onCleanup(() => hidden.resolve(undefined));
      void this.locks.request(VISIBLE, { mode: 'shared' }, () => hidden.promise);
    });
  }

  /**
   * Whether this tab should show a notification: no tab is visible, and none has shown it. Marks it as shown, so
   * that a tab which was frozen by the browser does not show it later.
   */
  async claimsNotification(notification: string): Promise<boolean> {
    const { locks } = this;
    if (!locks) return true;
    return await locks.request(NOTIFYING, async () => {
      // If storage is blocked: notifications of one firing have the same tag and replace each other.
      const stored = readStored(SENT_KEY);
      const sent: unknown[] = Array.isArray(stored) ? stored : [];
      if (sent.includes(notification)) return false;
      store(SENT_KEY, [...sent, notification].slice(-MAX_KEPT));
      const { held = [] } = await locks.query();
      return !held.some(({ name }) => name === VISIBLE);
    });
  }
}
