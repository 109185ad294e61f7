import type { LogPiece, LogStart } from '../../../drivers/runtime/index.js';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import { LineAssembler, UNENDED_MS, type AssembledLine } from '../../log-lines/index.js';
import type { LineSink } from './line-sink.js';
import { Dedup } from './dedup.js';
import { OVERLAP_US, Resumption } from './resumption.js';

const SECOND_US = 1_000_000;
/** Later than this after it was written, a line was not read live. */
const LIVE_US = 3 * SECOND_US;
/** Where the clock was set back while nobody read, what was written for so long before is looked at again. */
const SET_BACK_US = 60 * SECOND_US;

/** How many lines are asked for in turn, until they reach back to what is kept. */
export const RESUMED_TAILS = [1000, 20_000, 1_000_000] as const;

/** A log that can be followed from some place on. */
export interface FollowedLog {
  /** Its times are whole seconds. */
  wholeSecondTimes: boolean;
  /** Lines of it that are wanted where nothing of it was taken in yet. */
  firstTail: number;
  open: (start: LogStart, signal: AbortSignal) => AsyncIterable<LogPiece[]>;
}

/**
 * Reads a log into a source, from where it was read up to before: without what is kept already, and without a gap as
 * long as the log still holds what came since.
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
    const since = Math.floor((await this.beginOfNew(source, last)) / resolution) * resolution;
    for (const tail of RESUMED_TAILS) {
      const known = new Resumption(await this.sink.since(source, since), resolution);
      const mayBeShort = tail !== RESUMED_TAILS.at(-1);
      if (await this.follow(source, log, { since, tail }, known, mayBeShort, signal)) return;
    }
  }

  /**
   * From when on lines may be new. The last time of a source is the latest of any of its lines: where the clock was set
   * back, what came since is before it.
   */
  private async beginOfNew(source: number, last: number): Promise<number> {
    const now = this.now() * 1000;
    if (last <= now + LIVE_US) return last - OVERLAP_US;
    let begin = now - SET_BACK_US;
    for (const { time } of await this.sink.since(source, last - OVERLAP_US)) begin = Math.min(begin, time);
    return begin - OVERLAP_US;
  }

  /** @returns false where the log was asked for too few lines, before any of them was taken. */
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
    const askedFor = linesSince(start.since);
    const take = (lines: AssembledLine[]): void => {
      const asked = askedFor(lines);
      // Whole seconds cannot tell a line from one like it.
      const told: NewLogLine[] = log.wholeSecondTimes ? asked : dedup.without(asked);
      // By the engine's own times: of the whole second of a deletion nothing comes back.
      const once = writtenAfter(deletedBefore, told);
      if (log.wholeSecondTimes) this.refineTimes(once);
      // Somebody may delete what is kept while the log is still being read up to now.
      const fresh = writtenAfter(this.sink.deletedAt(source), resumption.fresh(once));
      if (fresh.length > 0) this.sink.append(source, fresh);
    };
    // Not an interval: a process that wakes four times a second for each quiet source is never idle.
    let unended: NodeJS.Timeout | undefined;
    const showUnended = (): void => {
      unended = undefined;
      take(assembler.takeUnended(this.now()));
      waitForEnd();
    };
    const waitForEnd = (): void => {
      if (assembler.unended) unended ??= setTimeout(showUnended, UNENDED_MS / 4).unref();
    };
    let first = mayBeShort;
    try {
      for await (const pieces of log.open(start, signal)) {
        const beginning = pieces[0];
        if (first && beginning) {
          if (!resumption.reachesBack(beginning.time)) return false;
          first = false;
        }
        take(assembler.take(pieces, this.now()));
        waitForEnd();
        await this.sink.room();
      }
      signal.throwIfAborted();
      take(assembler.flush());
      return true;
    } finally {
      clearTimeout(unended);
    }
  }

  /**
   * An engine that tells whole seconds says when a line was written no more exactly. What comes live has the time at
   * which it was taken in, within that second: so lines have their order, and the second is still the engine's.
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
 * A kubelet is asked by whole seconds only (`sinceTime`), and begins with lines of before, which nobody knows any more. It
 * sends them in order; later on a line of before is one of a clock that was set back.
 */
function linesSince(since: number | null): (lines: AssembledLine[]) => AssembledLine[] {
  let hasBegun = since === null;
  return (lines) => (hasBegun ? lines : lines.filter(({ time }) => (hasBegun ||= time >= (since ?? 0))));
}

function writtenAfter(time: number | null, lines: NewLogLine[]): NewLogLine[] {
  return time === null ? lines : lines.filter((line) => line.time > time);
}
