import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 500;

/**
 * Polls while `work` runs, and once afterwards, until `poll` returns true. Ignores failures of `poll`, because the engine
 * may be too busy.
 */
export async function pollDuring(poll: () => Promise<boolean>, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const watching = (async () => {
    for (;;) {
      const last = ended.signal.aborted;
      if ((await poll().catch(() => false)) || last) return;
      await delay(INTERVAL_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  try {
    await work();
  } finally {
    ended.abort();
    await watching;
  }
}
