import { guarded } from '../../../core/errors/index.js';
import type { LogPiece, LogStart } from '../../../drivers/runtime/index.js';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import { LineAssembler, PARTIAL_LINE_MS, type AssembledLine } from '../../log-lines/index.js';
import type { LineSink } from './line-sink.js';
import { Dedup } from './dedup.js';
import { OVERLAP_US, Resumption } from './resumption.js';

const SECOND_US = 1_000_000;
/** A line that is read later than this was not read live. */
const LIVE_US = 3 * SECOND_US;
/** If the clock was set back between two reads, the lines of this long before are compared again. */
const SET_BACK_US = 60 * SECOND_US;

/** Tail sizes to try, until the tail reaches back to the stored lines. */
export const RESUMED_TAILS = [1000, 20_000, 1_000_000] as const;

/** A log that can be followed from a given position. */
export interface FollowedLog {
  /** Whether its times are whole seconds. */
  wholeSecondTimes: boolean;
  /** Maximum lines to read if none is stored yet. */
  firstTail: number;
  open: (start: LogStart, signal: AbortSignal) => AsyncIterable<LogPiece[]>;
}

/**
 * Reads a log into a source and resumes after the stored lines: without duplicates, and without a gap as long as the log
 * still has the lines since.
 */
export class LogReader {
  /** @param now milliseconds since the epoch */
  constructor(
    private readonly sink: LineSink,
    private readonly now: () => number = Date.now,
  ) {}

  /** Resolves when the log has ended. @throws what the log throws, and the signal's reason */
  async read(source: number, log: FollowedLog, signal: AbortSignal): Promise<void> {
    const last = this.sink.lastTime(source);
    if (last === null) {
      const nothing = new Resumption([], 1);
      await this.follow(source, log, { since: null, tail: log.firstTail }, nothing, false, signal);
      return;
    }
    const resolution = log.wholeSecondTimes ? SECOND_US : 1;
    const since = Math.floor((await this.resumeTime(source, last)) / resolution) * resolution;
    for (const tail of RESUMED_TAILS) {
      const known = new Resumption(await this.sink.between(source, since), resolution);
      const mayBeShort = tail !== RESUMED_TAILS.at(-1);
      if (await this.follow(source, log, { since, tail }, known, mayBeShort, signal)) return;
    }
  }

  /**
   * The time since when lines may be new. `last` is the latest time of all lines: after the clock was set back, newer
   * lines have earlier times.
   */
  private async resumeTime(source: number, last: number): Promise<number> {
    const now = this.now() * 1000;
    if (last <= now + LIVE_US) return last - OVERLAP_US;
    let begin = now - SET_BACK_US;
    for (const { time } of await this.sink.between(source, last - OVERLAP_US)) begin = Math.min(begin, time);
    return begin - OVERLAP_US;
  }

  /** @returns false if the tail was too short; no line was stored then */
  private async follow(
    source: number,
    log: FollowedLog,
    start: LogStart,
    resumption: Resumption,
    mayBeShort: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const assembler = new LineAssembler();
    const dedup = new Dedup();
    const deletedBefore = this.sink.deletedAt(source);
    const sinceStart = linesSince(start.since);
    const take = (lines: AssembledLine[]): void => {
      const requested = sinceStart(lines);
      // With whole seconds, identical lines are the same as repeated ones.
      const unique: NewLogLine[] = log.wholeSecondTimes ? requested : dedup.without(requested);
      // By the engine's times: no line from the second of a deletion is stored again.
      const once = writtenAfter(deletedBefore, unique);
      if (log.wholeSecondTimes) this.refineTimes(once);
      // Stored lines may be deleted while the log is being read.
      const fresh = writtenAfter(this.sink.deletedAt(source), resumption.fresh(once));
      if (fresh.length > 0) this.sink.append(source, fresh);
    };
    // Not an interval: it would wake the process four times a second for each idle source.
    let partialTimer: NodeJS.Timeout | undefined;
    // Ends the reading of this source if a partial line cannot be stored.
    const failed = new AbortController();
    const fail = (error: unknown): void => failed.abort(error);
    const showPartial = guarded(() => {
      partialTimer = undefined;
      take(assembler.takePartial(this.now()));
      waitForEnd();
    }, fail);
    const waitForEnd = (): void => {
      if (assembler.hasPartial) partialTimer ??= setTimeout(showPartial, PARTIAL_LINE_MS / 4).unref();
    };
    let first = mayBeShort;
    try {
      for await (const pieces of log.open(start, AbortSignal.any([signal, failed.signal]))) {
        const oldest = pieces[0];
        if (first && oldest) {
          if (!resumption.reachesBack(oldest.time)) return false;
          first = false;
        }
        take(assembler.take(pieces, this.now()));
        waitForEnd();
        await this.sink.room();
      }
      signal.throwIfAborted();
      failed.signal.throwIfAborted();
      take(assembler.flush());
      return true;
    } finally {
      clearTimeout(partialTimer);
    }
  }

  /**
   * If an engine reports whole seconds, lines that are read live get the time of reading within that second. This keeps
   * them in order.
   */
  private refineTimes(lines: NewLogLine[]): void {
    const now = this.now() * 1000;
    for (const line of lines) {
      const second = Math.floor(line.time / SECOND_US) * SECOND_US;
      if (now - second > LIVE_US) continue;
      line.time = Math.min(Math.max(now, second), second + SECOND_US - 1);
    }
  }
}

/**
 * Skips lines before `since`: a kubelet accepts only whole seconds (`sinceTime`), so it sends earlier lines first. It
 * sends them in order; an earlier line after that comes from a clock that was set back.
 */
function linesSince(since: number | null): (lines: AssembledLine[]) => AssembledLine[] {
  let hasStarted = since === null;
  return (lines) => (hasStarted ? lines : lines.filter(({ time }) => (hasStarted ||= time >= (since ?? 0))));
}

function writtenAfter(time: number | null, lines: NewLogLine[]): NewLogLine[] {
  return time === null ? lines : lines.filter((line) => line.time > time);
}
