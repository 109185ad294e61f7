import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** How often the event loop should come round, in milliseconds. */
const EVERY_MS = 10;

/**
 * Loaded into a server (`--import`): measures by how many milliseconds its event loop is late, from the signal SIGUSR2
 * until the server ends.
 */
const file = process.env.SLIPWAY_EVENT_LOOP_FILE;
if (isMainThread && file) {
  let delays = [];
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    delays.push(Math.max(0, now - last - EVERY_MS));
    last = now;
  }, EVERY_MS).unref();
  process.on('SIGUSR2', () => (delays = []));
  process.on('exit', () => writeFileSync(file, JSON.stringify(delays)));
}
