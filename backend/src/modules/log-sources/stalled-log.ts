import { isAborted } from '../../core/threads/index.js';
import type { LogPiece } from '../../drivers/runtime/index.js';
import { Backoff } from './backoff.js';

/** A stream that is idle this long is checked, then after twice as long each time: most have no new lines. */
const FIRST_CHECK_MS = 5000;
const LAST_CHECK_MS = 300_000;
/** A line that was just written may still arrive. */
const GRACE_MS = 1000;

export interface StallTimes {
  firstMs?: number;
  lastMs?: number;
  graceMs?: number;
}

/** A log that is followed, and how to check for newer lines. */
export interface CheckedLog {
  open: (signal: AbortSignal) => AsyncIterable<LogPiece[]>;
  /** Reads the time of the newest line in the log, beside the stream; null if the log is empty. It may throw. */
  newest: (signal: AbortSignal) => Promise<number | null>;
  /** Start of the stream, in microseconds; null for all lines. */
  since: number | null;
}

/**
 * Follows a log and detects a stalled stream: after log rotation, a kubelet may keep reading the old file, which no
 * longer grows (kubernetes#115701, #59902).
 * @throws Error if the log has newer lines than the stream sent, and what the log throws
 */
export async function* withoutStall(
  log: CheckedLog,
  signal: AbortSignal,
  times: StallTimes = {},
): AsyncGenerator<LogPiece[]> {
  const stop = new AbortController();
  const stream = new WatchedStream(log, AbortSignal.any([signal, stop.signal]), times);
  const stalled = stream.waitForStall().then((isStalled) => {
    stop.abort();
    return isStalled;
  });
  try {
    yield* stream.follow();
  } finally {
    stop.abort();
  }
  if (await stalled) {
    throw new Error('The log stream stalled while new lines were written. Slipway reads the log again.');
  }
}

class WatchedStream {
  /** Time of the newest line it sent. */
  private newest: number;
  private batches = 0;
  /** The consumer still processes the last batch, so the stream cannot send more. */
  private isHeld = false;

  constructor(
    private readonly log: CheckedLog,
    private readonly signal: AbortSignal,
    private readonly times: StallTimes,
  ) {
    this.newest = log.since === null ? -Infinity : log.since - 1;
  }

  async *follow(): AsyncGenerator<LogPiece[]> {
    for await (const pieces of this.log.open(this.signal)) {
      this.batches += 1;
      for (const { time } of pieces) this.newest = Math.max(this.newest, time);
      this.isHeld = true;
      yield pieces;
      this.isHeld = false;
    }
  }

  /** Resolves to true when the log has lines that the stream did not send, and to false when the signal aborts. */
  async waitForStall(): Promise<boolean> {
    const { firstMs = FIRST_CHECK_MS, lastMs = LAST_CHECK_MS, graceMs = GRACE_MS } = this.times;
    const backoff = new Backoff(firstMs, lastMs);
    while (!this.signal.aborted) {
      const before = this.batches;
      const isIdle = (): boolean => !this.isHeld && this.batches === before;
      await backoff.wait(this.signal);
      if (!isIdle()) backoff.reset();
      if (isAborted(this.signal) || !isIdle()) continue;
      const last = await this.log.newest(this.signal).catch(() => null);
      if (last === null || last <= this.newest) continue;
      await new Backoff(graceMs).wait(this.signal);
      if (isIdle()) return !isAborted(this.signal);
    }
    return false;
  }
}
