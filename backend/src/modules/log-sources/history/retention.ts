import type { Entry } from './entry.js';
import type { OwnerRequest } from './owner-messages.js';
import type { SourceLines } from './source-lines.js';

/** What may be kept. Bytes are those on disk: in all those of every file, of a source those of its frames and blocks. */
export interface HistoryLimits {
  bytesInAll: number;
  bytesPerSource: number;
  maxAgeDays: number;
}

const DAY = 24 * 60 * 60 * 1_000_000;
/** Part of a limit that is made free at once, so that not every second drops a little. */
const SPARE = 0.02;

/** Decides what has to go. Whole frames do, the oldest first. */
export class Retention {
  /** What files and the database take beside the lines, when it was measured last. */
  private overhead = 0;
  private dropped = 0;

  constructor(
    private readonly sources: ReadonlyMap<number, SourceLines>,
    private readonly limits: HistoryLimits,
    private readonly send: (request: OwnerRequest) => void,
  ) {}

  get bytesInAll(): number {
    return this.lineBytes + this.overhead;
  }

  /** What may come before the limit in all is looked at again. */
  get spareBytes(): number {
    return this.limits.bytesInAll * SPARE;
  }

  /** Bytes of lines that were dropped since it was opened. */
  get droppedBytes(): number {
    return this.dropped;
  }

  /** Takes note of what is on disk, or on its way there, now. */
  measured(bytes: number): void {
    this.overhead = Math.max(0, bytes - this.lineBytes);
  }

  private get lineBytes(): number {
    let sum = 0;
    for (const { diskBytes } of this.sources.values()) sum += diskBytes;
    return sum;
  }

  /** @returns sources of which nothing is left, and which are not there any more. */
  enforce(now: number): SourceLines[] {
    const drops = new Map<SourceLines, number>();
    const oldest = now - this.limits.maxAgeDays * DAY;
    let total = this.overhead;
    for (const source of this.sources.values()) {
      let count = source.indexAt(oldest);
      let bytes = source.diskBytes;
      for (const { diskBytes } of source.entries.slice(0, count)) bytes -= diskBytes;
      for (
        const most = this.enough(bytes, this.limits.bytesPerSource);
        bytes > most && count < source.entries.length;
        count += 1
      ) {
        bytes -= (source.entries[count] as Entry).diskBytes;
      }
      if (count > 0) drops.set(source, count);
      total += bytes;
    }
    this.dropOldest(drops, total);
    for (const [source, count] of drops) this.note(source.drop(count));
    if (drops.size > 0) this.tell([...drops.keys()], false);
    return this.removeGone();
  }

  /** Drops everything of a source, also what is in no file yet. It was asked for, so that nothing of it stays anywhere. */
  forgetAll(source: SourceLines): void {
    this.note(source.dropAll());
    this.tell([source], true);
  }

  /** Adds to the drops what has to go for the limit in all. */
  private dropOldest(drops: Map<SourceLines, number>, total: number): void {
    const most = this.enough(total, this.limits.bytesInAll);
    let bytes = total;
    while (bytes > most) {
      let next: { source: SourceLines; entry: Entry } | undefined;
      for (const source of this.sources.values()) {
        const entry = source.entries[drops.get(source) ?? 0];
        if (entry && (!next || entry.lastTime < next.entry.lastTime)) next = { source, entry };
      }
      if (!next) return;
      drops.set(next.source, (drops.get(next.source) ?? 0) + 1);
      bytes -= next.entry.diskBytes;
    }
  }

  private enough(bytes: number, limit: number): number {
    return bytes > limit ? limit * (1 - SPARE) : limit;
  }

  /** Tells the owner which lines of sources are gone: all in one, since each time is a commit. */
  tell(sources: readonly SourceLines[], forGood: boolean): void {
    const floors = sources.map(({ id: source, firstSeq, nextSeq, lastTime }) => ({
      source,
      firstSeq,
      nextSeq,
      lastTime,
    }));
    this.send({ type: 'forget', floors, forGood });
  }

  private note(dropped: readonly Entry[]): void {
    for (const { diskBytes } of dropped) this.dropped += diskBytes;
  }

  private removeGone(): SourceLines[] {
    const gone = [...this.sources.values()].filter((source) => source.isEmpty && !source.isThere);
    for (const { id } of gone) this.send({ type: 'remove', source: id });
    return gone;
  }
}
