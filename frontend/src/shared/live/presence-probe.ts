import { effect, inject, Service, untracked } from '@angular/core';
import { Clock } from '../browser/clock';
import { ServerPresence } from '../browser/server-presence';
import { LiveConnection } from './live-connection';

const EVERY_MS = 1000;
const RESPONSE_WITHIN_MS = 1000;

/**
 * Checks whether the server responds while the connection is lost: a lost socket alone may also be the end of a
 * session, or a proxy without sockets.
 */
@Service()
export class PresenceProbe {
  private readonly clock = inject(Clock);
  private readonly live = inject(LiveConnection);
  private readonly server = inject(ServerPresence);

  constructor() {
    effect((onCleanup) => {
      const state = this.live.state();
      if (state === 'live') this.server.lastSeen.set(null);
      if (state !== 'polling') return;
      const lostAt = untracked(this.server.lastSeen) ?? this.clock.read();
      const probe = (): void => void this.probe(lostAt, () => isLeft);
      let isLeft = false;
      const timer = setInterval(probe, EVERY_MS);
      probe();
      onCleanup(() => {
        isLeft = true;
        clearInterval(timer);
      });
    });
  }

  /** Asks now. */
  async probe(lostAt = this.server.lastSeen(), isLeft = (): boolean => false): Promise<void> {
    const isHere = await responds();
    if (isLeft()) return;
    if (!isHere) this.server.lastSeen.set(lostAt);
    else if (this.server.gone()) {
      this.server.lastSeen.set(null);
      this.live.reconnect();
    }
  }
}

/** Whether it is ready: while it starts or stops, changes fail. */
async function responds(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS);
    return (await fetch('/api/v1/health', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}
