import { readFileSync } from 'node:fs';
import { env } from 'node:process';

/**
 * Shifts the clock of a process that imports this file before all others, and of its threads, by the milliseconds in the
 * file `TEST_CLOCK_FILE`, as when the clock of the machine is set. Timers and `performance.now()` run on.
 */
const RealDate = Date;
const READ_MS = 20;
let shift = 0;
let readAt = -Infinity;

function now() {
  if (performance.now() - readAt > READ_MS) {
    readAt = performance.now();
    shift = Number(readFileSync(env.TEST_CLOCK_FILE, 'utf8'));
  }
  return RealDate.now() + shift;
}

globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [now()] : values));
  }

  static now() {
    return now();
  }
};
