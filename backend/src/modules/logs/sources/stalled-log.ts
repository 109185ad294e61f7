import { setTimeout as delay } from 'node:timers/promises';
import type { LogPiece } from '../../../drivers/runtime/index.js';

/** A stream that is quiet for so long is doubted, and then after twice as long each time, since most have nothing to say. */
const FIRST_DOUBT_MS = 5000;
const LAST_DOUBT_MS = 300_000;
/** A line that was written just now is on its way. */
const ON_ITS_WAY_MS = 1000;

/** How long each takes; for tests. */
export interface Doubts {
  firstMs?: number;
  lastMs?: number;
  onItsWayMs?: number;
}

/** A log that is followed, and what tells whether it should have told more. */
export interface DoubtedLog {
  open: (signal: AbortSignal) => AsyncIterable<LogPiece[]>;
  /** Time of the newest line that is in the log now, asked for beside the stream; null where there is none. It may throw. */
  newest: (signal: AbortSignal) => Promise<number | null>;
  /** What is older than this was not asked for, in microseconds; null for all. */
  since: number | null;
}

/**
 * Follows a log, and does not believe a stream that stands still: a kubelet that puts a container's log into another
 * file may go on reading the old one, in which nothing is written any more (kubernetes#115701, #59902).
 * @throws Error where the log has newer lines than the stream told, and else what the log throws
 */
export async function* withoutStall(
  { open, newest, since }: DoubtedLog,
  signal: AbortSignal,
  { firstMs = FIRST_DOUBT_MS, lastMs = LAST_DOUBT_MS, onItsWayMs = ON_ITS_WAY_MS }: Doubts = {},
): AsyncGenerator<LogPiece[]> {
  const own = new AbortController();
  const ending = AbortSignal.any([signal, own.signal]);
  const pieces = open(ending)[Symbol.asyncIterator]();
  let told = since === null ? -Infinity : since - 1;
  try {
    for (;;) {
      const next = pieces.next();
      // Where it is left below, nobody waits for it.
      next.catch(() => undefined);
      for (
        let doubtMs = firstMs;
        await isQuiet(next, doubtMs, ending);
        doubtMs = Math.min(2 * doubtMs, lastMs)
      ) {
        const last = await newest(ending).catch(() => null);
        if (last === null || last <= told || !(await isQuiet(next, onItsWayMs, ending))) continue;
        throw new Error('The stream of the log stood still while more was written. It is read anew.');
      }
      const result = await next;
      if (result.done === true) return;
      for (const { time } of result.value) told = Math.max(told, time);
      yield result.value;
    }
  } finally {
    own.abort();
    // Not awaited: a stream that stands still may not hear of it.
    pieces.return?.(undefined).catch(() => undefined);
  }
}

/** Whether nothing has come within a time. */
async function isQuiet(next: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> {
  const waited = new AbortController();
  const quiet = delay(ms, true, { signal: AbortSignal.any([signal, waited.signal]), ref: false });
  const came = next.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([came, quiet.catch(() => false)]);
  } finally {
    waited.abort();
  }
}
