import { guarded } from '../../../core/errors/index.js';
import type { LogStream } from '../../runtime/index.js';
import { entryLines, type LogScript } from './log-script.js';

/** Older entries are missing, as after a log rotation. */
const MAX_ENTRIES = 2000;
/** However fast the demo runs, a log writes only a few lines per second. */
const MIN_PERIOD_MS = 400;
/** Between two lines of a program that starts. */
const START_GAP_MS = 35;

/** One or several lines that a program writes at once, without line ends. */
export interface DemoEntry {
  /** Microseconds since the epoch. */
  time: number;
  stream: LogStream;
  lines: string[];
  /** Counts from 0. */
  number: number;
}

/** A log computed from the time: it takes no memory, continues after a restart, and is equal for all readers. */
export class DemoLog {
  private readonly periodMs: number;
  private readonly firstAt: number;

  /**
   * @param since start of the program in milliseconds since the epoch.
   * @param seed distinguishes logs of the same script.
   */
  constructor(
    private readonly script: LogScript,
    private readonly since: number,
    private readonly seed: string,
    speed: number,
  ) {
    const { seconds, start } = script;
    this.periodMs =
      seconds === null ? Number.POSITIVE_INFINITY : Math.max((seconds * 1000) / speed, MIN_PERIOD_MS);
    this.firstAt = since + start.length * START_GAP_MS;
  }

  /** The latest entries between two times in microseconds. */
  between(from: number | null, until: number, limit: number): DemoEntry[] {
    const end = this.countUntil(until);
    const first = from === null ? 0 : this.countUntil(from - 1);
    return this.entries(Math.max(first, end - Math.min(limit, MAX_ENTRIES)), end);
  }

  /** @returns microseconds since the epoch, or infinity if there is no such entry. */
  timeOf(number: number): number {
    const { start, seconds } = this.script;
    if (number < start.length) return Math.round((this.since + number * START_GAP_MS) * 1000);
    if (seconds === null) return Number.POSITIVE_INFINITY;
    const jitter = random(`${this.seed}/${number}/time`) * 0.6;
    return Math.round((this.firstAt + (number - start.length + jitter) * this.periodMs) * 1000);
  }

  entries(first: number, end: number): DemoEntry[] {
    return Array.from({ length: Math.max(end - first, 0) }, (_, index) => this.entry(first + index));
  }

  /** Number of entries up to and including a time in microseconds. */
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
    if (first !== undefined) return { time, stream, number, lines: [first] };
    const lines = entryLines(this.script, {
      at: Math.floor(time / 1000),
      number,
      random: (salt) => random(`${this.seed}/${number}/${salt}`),
    });
    return { time, stream, number, lines };
  }
}

/** A pseudo-random number from 0 to 1 for a key: FNV-1a and a final mix. */
function random(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** A reader that follows a log, and the state of the program. */
export interface DemoReading {
  signal: AbortSignal;
  isRunning: () => boolean;
  /** Subscribes to changes of `isRunning`. @returns the function that unsubscribes */
  onChange: (listener: () => void) => () => void;
}

export async function* followDemoLog(
  log: DemoLog,
  first: number,
  { signal, isRunning, onChange }: DemoReading,
): AsyncGenerator<DemoEntry[]> {
  for (let next = first; !signal.aborted;) {
    const end = log.countUntil(Date.now() * 1000);
    if (end > next) {
      yield log.entries(Math.max(next, end - MAX_ENTRIES), end);
      next = end;
    }
    if (!isRunning()) return;
    await untilChange(log.timeOf(next) / 1000 - Date.now(), signal, onChange);
  }
}

/** Resolves after the time, on a change, or when the signal aborts. */
function untilChange(
  milliseconds: number,
  signal: AbortSignal,
  onChange: DemoReading['onChange'],
): Promise<void> {
  return new Promise((resolve) => {
    const finish = guarded(() => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', finish);
      resolve();
    }, 'wake a reader of a demo log');
    const timer = setTimeout(finish, Math.min(Math.max(milliseconds, 1), 2 ** 31 - 1));
    const unsubscribe = onChange(finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
