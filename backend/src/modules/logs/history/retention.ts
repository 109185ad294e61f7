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
    for (const [source, count] of drops) this.forget(source, source.drop(count));
    return this.removeGone();
  }

  /** Drops everything of a source, also what is in no file yet. */
  forgetAll(source: SourceLines): void {
    const dropped = source.dropAll();
    this.forget(source, dropped);
    // It was asked for, so that nothing of it stays anywhere.
    for (const file of filesOf(dropped)) this.send({ type: 'compact', file });
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

  /** Tells the owner which lines of a source are gone. */
  tellFloor({ id, firstSeq, nextSeq, lastTime }: SourceLines): void {
    this.send({ type: 'forget', source: id, firstSeq, nextSeq, lastTime });
  }

  private forget(source: SourceLines, dropped: readonly Entry[]): void {
    this.tellFloor(source);
    for (const file of filesOf(dropped)) {
      // Frames on their way are in a file before the index says so: only the owner can tell that nothing is left.
      const { bytes, size } = this.wanted(file);
      if (bytes <= size / 2) this.send({ type: 'compact', file });
    }
  }

  /** How much of a file the index still names, and how far that reaches. */
  private wanted(file: string): { bytes: number; size: number } {
    let bytes = 0;
    let size = 0;
    for (const { entries } of this.sources.values()) {
      for (const { place } of entries) {
        if (place.kind !== 'segment' || place.file !== file) continue;
        bytes += place.length;
        size = Math.max(size, place.at + place.length);
      }
    }
    return { bytes, size };
  }

  private removeGone(): SourceLines[] {
    const gone = [...this.sources.values()].filter((source) => source.isEmpty && !source.isThere);
    for (const { id } of gone) this.send({ type: 'remove', source: id });
    return gone;
  }
}

function filesOf(entries: readonly Entry[]): Set<string> {
  const files = new Set<string>();
  for (const { place } of entries) if (place.kind === 'segment') files.add(place.file);
  return files;
}
