import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../app/api-client.js';

/** Other programs of a busy machine delay responses, too, but not each time. */
const ATTEMPTS = 4;
const PAUSE_MS = 15;

/**
 * Requests `GET /health` while something runs.
 * @returns the longest response in ms, of the attempt in which it was shortest
 */
export async function slowestHealthDuring(
  client: ApiClient,
  most: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && best > most; attempt += 1) {
    let slowest = 0;
    const running = new AbortController();
    const probing = (async () => {
      do {
        const begin = performance.now();
        await client.send('GET', '/api/v1/health');
        slowest = Math.max(slowest, performance.now() - begin);
        await delay(PAUSE_MS);
      } while (!running.signal.aborted);
    })();
    try {
      await work();
    } finally {
      running.abort();
      await probing;
    }
    best = Math.min(best, slowest);
  }
  return best;
}
