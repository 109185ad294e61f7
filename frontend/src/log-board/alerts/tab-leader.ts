import { DOCUMENT, effect, inject, InjectionToken, Service } from '@angular/core';
import { PageVisibility } from '../../shared/live/page-visibility';

/** The browser's locks, which all tabs of an origin share; a token, so that tests bring their own. */
export const LOCKS = new InjectionToken<LockManager | null>('LOCKS', {
  providedIn: 'root',
  // Only pages of a safe origin have them, as they have notifications.
  factory: () => inject(DOCUMENT).defaultView?.navigator.locks ?? null,
});

/** Held by each tab that is looked at. */
const SEEN = 'slipway.board-seen';
/** Held by who reads and writes what was told. */
const TELLING = 'slipway.alerts-told';
const TOLD_KEY = 'slipway.alerts-told';
const MOST_KEPT = 100;

/** What the open tabs of the board agree on: which of them tells of what happened. */
@Service()
export class TabLeader {
  private readonly visible = inject(PageVisibility).visible;
  private readonly locks = inject(LOCKS);

  constructor() {
    effect((onCleanup) => {
      if (!this.locks || !this.visible()) return;
      const seen = Promise.withResolvers<undefined>();
      onCleanup(() => seen.resolve(undefined));
      void this.locks.request(SEEN, { mode: 'shared' }, () => seen.promise);
    });
  }

  /**
   * Whether this tab is to tell of something: nobody looks at any of them, and none told of it before. It counts as
   * told by this. A tab that was frozen and hears late is answered as well.
   */
  async claimsNotification(what: string): Promise<boolean> {
    const { locks } = this;
    if (!locks) return true;
    return await locks.request(TELLING, async () => {
      const told = readTold();
      if (told.includes(what)) return false;
      keepTold([...told, what].slice(-MOST_KEPT));
      const { held = [] } = await locks.query();
      return !held.some(({ name }) => name === SEEN);
    });
  }
}

function readTold(): string[] {
  try {
    return (localStorage.getItem(TOLD_KEY) ?? '').split(' ');
  } catch {
    // Storage may be closed to us. Notifications of one firing have one tag, and replace each other.
    return [];
  }
}

function keepTold(told: readonly string[]): void {
  try {
    localStorage.setItem(TOLD_KEY, told.join(' '));
  } catch {
    // As above.
  }
}
