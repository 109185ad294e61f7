import { setTimeout as delay } from 'node:timers/promises';

/** Polls until a condition holds. @throws Error naming what was awaited, when the deadline passes. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  awaited: string,
  deadlineMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${awaited} did not come within ${deadlineMs} ms`);
    await delay(10);
  }
}
