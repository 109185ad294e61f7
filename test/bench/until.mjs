import { setTimeout as delay } from 'node:timers/promises';

/** @throws Error when it is not there in time. */
export async function until(isThere, what, withinMs = 60_000) {
  const deadline = performance.now() + withinMs;
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs / 1000} s`);
    await delay(20);
  }
}
