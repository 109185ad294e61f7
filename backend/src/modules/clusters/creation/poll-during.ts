import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 500;

/**
 * Looks again and again while something runs, and once more when it has ended, until `look` returns true. A look that
 * fails is repeated: an engine may be too busy for it.
 */
export async function pollDuring(look: () => Promise<boolean>, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const watching = (async () => {
    for (;;) {
      const last = ended.signal.aborted;
      if ((await look().catch(() => false)) || last) return;
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
