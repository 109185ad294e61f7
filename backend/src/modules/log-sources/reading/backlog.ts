import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { LineSink } from './line-sink.js';
import { OVERLAP_US, Resumption, type KnownLine } from './resumption.js';

/**
 * Stores lines into a source unless another source has them already. Lines are recognized by time and text. The source
 * is created with its first line, so that no empty source appears.
 */
export class Backlog implements LineSink {
  private pending: NewLogLine[] = [];

  /**
   * @param other the source whose lines are skipped
   * @param source finds or creates the id of the source, and returns when lines of either source were deleted
   */
  constructor(
    private readonly sink: LineSink,
    private readonly other: number,
    private readonly source: {
      find: () => number | undefined;
      create: () => number;
      deletedAt: () => number | null;
    },
  ) {}

  append(_source: number, lines: readonly NewLogLine[]): void {
    this.pending.push(...lines);
  }

  async room(): Promise<void> {
    await this.flush();
    await this.sink.room();
  }

  /** Stores the pending lines. Call it after the last read. */
  async flush(): Promise<void> {
    const lines = this.pending;
    if (lines.length === 0) return;
    this.pending = [];
    let first = Infinity;
    let last = -Infinity;
    for (const { time } of lines) {
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    const known = await this.sink.between(this.other, first - OVERLAP_US, last + OVERLAP_US);
    const fresh = new Resumption(known, 1).fresh(lines);
    if (fresh.length > 0) this.sink.append(this.source.create(), fresh);
  }

  lastTime(): number | null {
    const source = this.source.find();
    return source === undefined ? null : this.sink.lastTime(source);
  }

  deletedAt(): number | null {
    return this.source.deletedAt();
  }

  between(_source: number, from: number, to?: number): Promise<KnownLine[]> {
    const source = this.source.find();
    return source === undefined ? Promise.resolve([]) : this.sink.between(source, from, to);
  }
}
