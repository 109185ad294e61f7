import type { LogPiece } from '../../drivers/runtime/index.js';
import { isOver } from './is-over.js';
import { Pause } from './pause.js';

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
  log: DoubtedLog,
  signal: AbortSignal,
  times: Doubts = {},
): AsyncGenerator<LogPiece[]> {
  const own = new AbortController();
  const stream = new WatchedStream(log, AbortSignal.any([signal, own.signal]), times);
  const doubting = stream.standsStill().then((isStill) => {
    own.abort();
    return isStill;
  });
  try {
    yield* stream.follow();
  } finally {
    own.abort();
  }
  if (await doubting) {
    throw new Error('The stream of the log stood still while more was written. It is read anew.');
  }
}

class WatchedStream {
  /** Time of the newest line that it told. */
  private told: number;
  private batches = 0;
  /** Whoever reads is busy with what it told last: that it tells no more is not its fault. */
  private isHeld = false;

  constructor(
    private readonly log: DoubtedLog,
    private readonly signal: AbortSignal,
    private readonly times: Doubts,
  ) {
    this.told = log.since === null ? -Infinity : log.since - 1;
  }

  async *follow(): AsyncGenerator<LogPiece[]> {
    for await (const pieces of this.log.open(this.signal)) {
      this.batches += 1;
      for (const { time } of pieces) this.told = Math.max(this.told, time);
      this.isHeld = true;
      yield pieces;
      this.isHeld = false;
    }
  }

  /** Resolves with true once the log has what the stream should have told, and with false when the signal is given. */
  async standsStill(): Promise<boolean> {
    const { firstMs = FIRST_DOUBT_MS, lastMs = LAST_DOUBT_MS, onItsWayMs = ON_ITS_WAY_MS } = this.times;
    const doubt = new Pause(firstMs, lastMs);
    while (!this.signal.aborted) {
      const before = this.batches;
      const isQuiet = (): boolean => !this.isHeld && this.batches === before;
      await doubt.wait(this.signal);
      if (!isQuiet()) doubt.reset();
      if (isOver(this.signal) || !isQuiet()) continue;
      const last = await this.log.newest(this.signal).catch(() => null);
      if (last === null || last <= this.told) continue;
      await new Pause(onItsWayMs).wait(this.signal);
      if (isQuiet()) return !isOver(this.signal);
    }
    return false;
  }
}
