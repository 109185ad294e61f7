import { hash } from 'node:crypto';
import type { NewLogLine } from '../../../drivers/log-store/index.js';

/** What an earlier reader of the same log took in at its end. */
export interface KnownLine {
  time: number;
  /** Or what `markOf` makes of it. */
  text: string;
}

/** Longer texts are held by what tells them apart. */
const LONGEST_HELD = 100;

/** Stands for a text: there may be many, and of 64 kB each. A mark stands for itself. */
export function markOf(text: string): string {
  return text.length > LONGEST_HELD ? `${text.length} ${hash('sha256', text)}` : text;
}

/**
 * Passes on what was not taken in before. An engine is asked for what came since the last line that is kept, which it
 * answers with that line and those of the same moment again: each is known by its time, as exact as the engine's, and
 * its text, as often as it was kept. What is later than the last one is new.
 */
export class Resumption {
  private readonly known = new Map<string, number>();
  private readonly last: number;

  /**
   * @param known the lines that are kept from `from` on, in any order
   * @param resolution of the engine's times, in microseconds
   */
  constructor(
    known: Iterable<KnownLine>,
    private readonly resolution: number,
  ) {
    let last = -Infinity;
    for (const line of known) {
      const key = this.keyOf(line);
      this.known.set(key, (this.known.get(key) ?? 0) + 1);
      last = Math.max(last, this.momentOf(line.time));
    }
    this.last = last;
  }

  /**
   * Whether a log that begins with a line of this time reaches back to what is kept. One that does not was asked for too
   * few lines, or has lost some.
   */
  reachesBack(time: number): boolean {
    return this.momentOf(time) <= this.last;
  }

  /** Whether everything from now on is new. */
  get over(): boolean {
    return this.known.size === 0;
  }

  /** Of lines that came in order, those that are new. */
  fresh(lines: readonly NewLogLine[]): NewLogLine[] {
    return this.over ? [...lines] : lines.filter((line) => this.isNew(line));
  }

  private isNew(line: NewLogLine): boolean {
    // Two streams of one container are stamped apart, so that a line may come a little after a later one.
    if (this.momentOf(line.time) > this.last + SETTLED_US) {
      this.known.clear();
      return true;
    }
    const key = this.keyOf(line);
    const count = this.known.get(key);
    if (count === undefined) return true;
    if (count === 1) this.known.delete(key);
    else this.known.set(key, count - 1);
    return false;
  }

  private keyOf({ time, text }: KnownLine): string {
    return `${this.momentOf(time)} ${markOf(text)}`;
  }

  private momentOf(time: number): number {
    return Math.floor(time / this.resolution) * this.resolution;
  }
}

/** How much later than the last one that is kept a line may be, and still be followed by one that is kept. */
const SETTLED_US = 1_000_000;

/** How far before the last line that is kept a log is read again, for what its streams wrote in another order. */
export const OVERLAP_US = 50_000;
