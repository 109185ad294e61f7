import { hash } from 'node:crypto';
import type { NewLogLine } from '../../../drivers/log-store/index.js';

/** A stored line, to recognize it when the log is read again. */
export interface KnownLine {
  time: number;
  /** The text, or its `markOf`. */
  text: string;
}

/** Longer texts are represented by their length and hash. */
const MAX_TEXT_LENGTH = 100;

/** A short key for a text: there may be many texts of 64 kB each. The mark of a mark is the same mark. */
export function markOf(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.length} ${hash('sha256', text)}` : text;
}

/**
 * Filters out lines that are already stored. When a log is read since the last stored line, the engine returns that line
 * and others of the same time again. Each is recognized by its time, in the engine's resolution, and its text, as many
 * times as it is stored. Later lines are new.
 */
export class Resumption {
  private readonly known = new Map<string, number>();
  private readonly last: number;

  /**
   * @param known the stored lines since the start of the read, in any order
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
   * Whether a log whose first line has this time reaches back to the stored lines. If not, the tail was too short, or the
   * log has lost lines.
   */
  reachesBack(time: number): boolean {
    return this.momentOf(time) <= this.last;
  }

  /** Whether all further lines are new. */
  get over(): boolean {
    return this.known.size === 0;
  }

  /** The new lines among lines that arrived in order. */
  fresh(lines: readonly NewLogLine[]): NewLogLine[] {
    return this.over ? [...lines] : lines.filter((line) => this.isNew(line));
  }

  private isNew(line: NewLogLine): boolean {
    // The two streams of a container are timestamped separately, so a line may arrive slightly after a later one.
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

/** How much later than the last stored line a line may be and still be followed by a stored one. */
const SETTLED_US = 1_000_000;

/** How far before the last stored line a log is read again, because its streams may be out of order. */
export const OVERLAP_US = 50_000;
