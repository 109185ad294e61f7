import type { LogStream } from '../../runtime/index.js';

/** No log of the demo is longer: what is older is as if it had been rotated away. */
const MOST_ENTRIES = 2000;
/** However fast the demo's clock runs, nobody reads more than a few lines a second. */
const SHORTEST_PERIOD_MS = 400;
/** Between two lines of a program that starts. */
const START_GAP_MS = 35;

/** One thing that a program says: a line, or several that belong together. Without line ends. */
export interface DemoEntry {
  /** Microseconds since the epoch. */
  time: number;
  stream: LogStream;
  lines: string[];
  /** Counts from 0, the same for the same moment whenever it is asked for. */
  number: number;
}

/** What a program says, and how often. */
export interface LogScript {
  /** Lines with which it starts. */
  start: readonly string[];
  /** Seconds of demo time between two entries afterwards; null where it says nothing more. */
  seconds: number | null;
  /** One line, or several that belong together. */
  say: (moment: Moment) => string | readonly string[];
  /** Where it writes to; to stdout if it is not said. */
  stream?: LogStream;
}

export interface Moment {
  /** Milliseconds since the epoch. */
  at: number;
  number: number;
  /** A choice that is the same for this entry and this salt, from 0 to 1. */
  dice: (salt: number) => number;
}

/**
 * A log that nobody wrote: given by time alone, so that it takes no memory, goes on after a restart as if it had been
 * there all the while, and says the same of the same moment to everybody.
 */
export class DemoLog {
  private readonly periodMs: number;
  private readonly firstAt: number;

  /**
   * @param since when the program was started, in milliseconds since the epoch.
   * @param seed tells two of the same script apart.
   */
  constructor(
    private readonly script: LogScript,
    private readonly since: number,
    private readonly seed: string,
    speed: number,
  ) {
    this.periodMs =
      script.seconds === null
        ? Number.POSITIVE_INFINITY
        : Math.max((script.seconds * 1000) / speed, SHORTEST_PERIOD_MS);
    this.firstAt = since + script.start.length * START_GAP_MS;
  }

  /** What was said from one moment on until another, microseconds since the epoch: at most so many of the newest. */
  between(from: number | null, until: number, most: number): DemoEntry[] {
    const end = this.countUntil(until);
    const begin = from === null ? 0 : this.countUntil(from - 1);
    const limit = Math.min(most, MOST_ENTRIES);
    return this.entries(Math.max(begin, end - limit), end);
  }

  /** @returns microseconds since the epoch; infinite where nothing follows. */
  timeOf(number: number): number {
    const { start } = this.script;
    if (number < start.length) return Math.round((this.since + number * START_GAP_MS) * 1000);
    if (this.script.seconds === null) return Number.POSITIVE_INFINITY;
    const swing = dice(this.seed, number, 0) * 0.6;
    return Math.round((this.firstAt + (number - start.length + swing) * this.periodMs) * 1000);
  }

  entries(begin: number, end: number): DemoEntry[] {
    return Array.from({ length: Math.max(end - begin, 0) }, (_, index) => this.entry(begin + index));
  }

  /** How many entries there were until a moment, itself included, in microseconds since the epoch. */
  countUntil(time: number): number {
    const { start } = this.script;
    const sinceFirst = time / 1000 - this.firstAt;
    let count =
      sinceFirst <= 0 || !Number.isFinite(this.periodMs)
        ? Math.min(Math.max(Math.floor((time / 1000 - this.since) / START_GAP_MS) - 1, 0), start.length)
        : start.length + Math.max(Math.floor(sinceFirst / this.periodMs) - 1, 0);
    while (this.timeOf(count) <= time) count += 1;
    return count;
  }

  private entry(number: number): DemoEntry {
    const time = this.timeOf(number);
    const { start, stream = 'stdout' } = this.script;
    const first = start[number];
    const said =
      first ??
      this.script.say({
        at: Math.floor(time / 1000),
        number,
        dice: (salt) => dice(this.seed, number, salt + 1),
      });
    return { time, stream, number, lines: typeof said === 'string' ? [said] : [...said] };
  }
}

/** A number from 0 to 1 that looks like chance and is none: FNV-1a, stirred once more. */
function dice(seed: string, number: number, salt: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${number}/${salt}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** Who reads a log of the demo, and when it is over. */
export interface DemoReading {
  signal: AbortSignal;
  /** Whether the program still runs. */
  isRunning: () => boolean;
  /** Calls back when that may have changed. @returns what ends it. */
  onChange: (listener: () => void) => () => void;
}

/** Follows a log from an entry on, as long as its program runs. */
export async function* followDemoLog(
  log: DemoLog,
  begin: number,
  { signal, isRunning, onChange }: DemoReading,
): AsyncGenerator<DemoEntry[]> {
  for (let next = begin; !signal.aborted;) {
    const end = log.countUntil(Date.now() * 1000);
    if (end > next) {
      yield log.entries(Math.max(next, end - MOST_ENTRIES), end);
      next = end;
    }
    if (!isRunning()) return;
    await untilChange(log.timeOf(next) / 1000 - Date.now(), signal, onChange);
  }
}

/** Waits so long, or until the signal is given, or something changes. */
function untilChange(
  milliseconds: number,
  signal: AbortSignal,
  onChange: DemoReading['onChange'],
): Promise<void> {
  return new Promise((resolve) => {
    const wait = Math.min(Math.max(milliseconds, 1), 2 ** 31 - 1);
    const timer = setTimeout(() => finish(), wait);
    const stop = onChange(() => finish());
    const finish = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** One of several, by a choice from 0 to 1. */
export function pick<TValue>(values: readonly TValue[], choice: number): TValue {
  return values[Math.min(Math.floor(choice * values.length), values.length - 1)] as TValue;
}
