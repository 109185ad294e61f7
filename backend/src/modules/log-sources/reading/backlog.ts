import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { StoredLines, LineSink } from './line-sink.js';
import { OVERLAP_US, Resumption, type KnownLine } from './resumption.js';

/**
 * Takes lines into a source but for those that another one has: of what both read, the other one keeps it. A line is
 * known by its time and text. The source is made known with its first line, so that one that would be empty is none.
 */
export class Backlog implements LineSink {
  private waiting: NewLogLine[] = [];

  /**
   * @param other the source whose lines are left out
   * @param source the number of the one that is read into, where it is known; makes it known; and tells when lines of
   *   either were deleted
   */
  constructor(
    private readonly sink: StoredLines,
    private readonly other: number,
    private readonly source: {
      find: () => number | undefined;
      make: () => number;
      deletedAt: () => number | null;
    },
  ) {}

  append(_source: number, lines: readonly NewLogLine[]): void {
    this.waiting.push(...lines);
  }

  async room(): Promise<void> {
    await this.settle();
    await this.sink.room();
  }

  /** Takes in what has not been yet; to be called when all was read. */
  async settle(): Promise<void> {
    const lines = this.waiting;
    if (lines.length === 0) return;
    this.waiting = [];
    let first = Infinity;
    let last = -Infinity;
    for (const { time } of lines) {
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    const known = await this.sink.between(this.other, first - OVERLAP_US, last + OVERLAP_US);
    const fresh = new Resumption(known, 1).fresh(lines);
    if (fresh.length > 0) this.sink.append(this.source.make(), fresh);
  }

  lastTime(): number | null {
    const source = this.source.find();
    return source === undefined ? null : this.sink.lastTime(source);
  }

  deletedAt(): number | null {
    return this.source.deletedAt();
  }

  since(_source: number, time: number): Promise<KnownLine[]> {
    const source = this.source.find();
    return source === undefined ? Promise.resolve([]) : this.sink.since(source, time);
  }
}
