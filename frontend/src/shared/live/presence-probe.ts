import { effect, inject, Service, untracked } from '@angular/core';
import { served } from '../api/base-path';
import { Clock } from '../browser/clock';
import { ServerPresence } from '../browser/server-presence';
import { QUIET_MS } from './heartbeat';
import { HEALTH_URL, SERVER_CONNECTION } from './server-connection';

const EVERY_MS = 1000;
/**
 * With `QUIET_MS`, a server that is only busy may be silent for 3 s. A throttled tab that sees its timers before its
 * messages asks, too, before it says anything. A frozen server is noticed within 5 s: 2 s may pass until the next ping.
 */
const RESPONSE_WITHIN_MS = 1500;

/**
 * Checks whether the server responds while the connection is quiet or lost: a lost socket alone may also be the end of
 * a session, or a proxy without sockets.
 */
@Service()
export class PresenceProbe {
  private readonly clock = inject(Clock);
  private readonly live = inject(SERVER_CONNECTION);
  private readonly server = inject(ServerPresence);
  private readonly health = inject(HEALTH_URL);

  constructor() {
    effect((onCleanup) => {
      const presence = this.live.presence();
      if (presence === 'open') this.server.lastSeen.set(null);
      if (presence !== 'quiet' && presence !== 'lost') return;
      const silentMs = presence === 'quiet' ? QUIET_MS : 0;
      const lostAt = untracked(this.server.lastSeen) ?? this.clock.read() - silentMs;
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
    const isHere = await responds(this.health);
    if (isLeft()) return;
    if (!isHere) this.server.lastSeen.set(lostAt);
    else if (this.server.gone()) {
      this.server.lastSeen.set(null);
      this.live.reconnect();
    }
  }
}

/** Whether it is ready: while it starts or stops, changes fail. */
async function responds(health: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS);
    return (await fetch(served(health), { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}
