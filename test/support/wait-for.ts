import { setTimeout as delay } from 'node:timers/promises';

const OFTEN_MS = 10;
/** Interval after the first second, because conditions may be expensive. */
const SELDOM_MS = 100;

/** Polls until a condition is true. @throws Error with `awaited` after the deadline. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  awaited: string | (() => string),
  deadlineMs = 30_000,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - start;
    if (waited > deadlineMs) {
      const what = typeof awaited === 'string' ? awaited : awaited();
      throw new Error(`${what} did not come within ${deadlineMs} ms`);
    }
    await delay(waited < 1000 ? OFTEN_MS : SELDOM_MS);
  }
}
