import type { StoredLine } from '../lines/line.js';
import type { Entry } from './entry.js';
import type { Frame } from './frame.js';
import type { SourceLines } from './source-lines.js';

/** Lines of several sources in one order: effective time, then source, then number. */
export interface MergedPage {
  lines: { source: number; line: StoredLine }[];
  /** Of the first of them. */
  position: number;
  /** Position of the oldest line of all, and the one that the next new line will have. */
  first: number;
  end: number;
}

/** Reads the frame of an entry; undefined where it is damaged. */
export type ReadEntry = (entry: Entry) => Promise<Frame | undefined>;

/**
 * The merge of some sources. A position is the sum of what is the next line of each source there, less one for each
 * source but the first: with one source it is the line's number, and it stays when older lines go.
 */
export class Merge {
  private readonly sources: SourceLines[];
  /** Entries as they are now, so that lines that come meanwhile change nothing. */
  private readonly entries: Entry[][];

  constructor(
    sources: readonly SourceLines[],
    private readonly read: ReadEntry,
  ) {
    this.sources = [...sources].sort((one, other) => one.id - other.id);
    this.entries = this.sources.map((source) => {
      const pending = source.pendingEntry();
      return pending ? [...source.entries, pending] : [...source.entries];
    });
  }

  get first(): number {
    return this.sum(this.sources.map(({ firstSeq }) => firstSeq));
  }

  get end(): number {
    return this.sum(this.sources.map(({ nextSeq }) => nextSeq));
  }

  /** Position of the first line of this effective time or later. */
  async positionAt(time: number): Promise<number> {
    return this.sum(await Promise.all(this.sources.map((_, index) => this.seqAt(index, time))));
  }

  /** Position of a line; undefined where it is not kept. */
  async positionOf(id: number, seq: number): Promise<number | undefined> {
    const own = this.sources.findIndex((source) => source.id === id);
    const entry = this.entries[own]?.find(({ firstSeq, endSeq }) => firstSeq <= seq && seq < endSeq);
    const frame = entry && (await this.read(entry));
    if (!frame) return undefined;
    const time = frame.columns.effective[seq - frame.header.firstSeq] as number;
    const places = this.sources.map(async (source, index) =>
      index === own ? seq : await this.seqAt(index, source.id < id ? time + 1 : time),
    );
    return this.sum(await Promise.all(places));
  }

  async page(position: number, limit: number): Promise<MergedPage> {
    const { first, end } = this;
    const from = Math.min(Math.max(position, first), end);
    if (from === end || limit <= 0) return { lines: [], position: from, first, end };
    const { time, places } = await this.placesBefore(from);
    const lines: MergedPage['lines'] = [];
    let skip = from - this.sum(places);
    // Below the time all lines come before; from there on one is taken after the other.
    const heads = await Promise.all(places.map((seq, index) => this.head(index, seq, time)));
    while (lines.length < limit) {
      let least: Head | undefined;
      for (const head of heads) {
        if (head && (!least || head.time < least.time)) least = head;
      }
      if (!least) break;
      if (skip > 0) skip -= 1;
      else lines.push({ source: least.source, line: least.frame.line(least.index) });
      heads[least.place] = await this.advance(least);
    }
    return { lines, position: from, first, end };
  }

  private sum(places: readonly number[]): number {
    return places.reduce((sum, seq) => sum + seq, 0) - (places.length - 1);
  }

  /**
   * The latest time before which there are no more lines than the position says, with the place of each source then.
   * Ends of frames alone narrow it down first, so that few frames have to be read.
   */
  private async placesBefore(position: number): Promise<{ time: number; places: number[] }> {
    const times = new Set<number>();
    for (const entries of this.entries) {
      for (const { firstTime, lastTime } of entries) times.add(firstTime).add(lastTime + 1);
    }
    const sorted = Float64Array.from(times).sort();
    // At the one bound there are surely not more lines before it, at the other surely more.
    const low = lastWhere(sorted, (time) => this.sum(this.bounds(time, 'most')) <= position);
    const high = lastWhere(sorted, (time) => this.sum(this.bounds(time, 'least')) <= position);
    let from = sorted[Math.max(low, 0)] ?? 0;
    let to = sorted[high + 1] ?? (sorted.at(-1) ?? 0) + 1;
    while (from + 1 < to) {
      const middle = Math.floor((from + to) / 2);
      if ((await this.positionAt(middle)) <= position) from = middle;
      else to = middle;
    }
    return { time: from, places: await Promise.all(this.sources.map((_, index) => this.seqAt(index, from))) };
  }

  /** The least or the most that can be the place of each source at a time, by the ends of its frames. */
  private bounds(time: number, which: 'least' | 'most'): number[] {
    return this.entries.map((entries, index) => {
      const entry = entries[indexAt(entries, time)];
      const { nextSeq, firstSeq } = this.sources[index] as SourceLines;
      if (!entry) return entries.at(-1)?.endSeq ?? nextSeq;
      if (entry.firstTime >= time) return entry.firstSeq;
      return which === 'least' ? Math.max(entry.firstSeq, firstSeq) : entry.endSeq;
    });
  }

  private async seqAt(index: number, time: number): Promise<number> {
    const entries = this.entries[index] as Entry[];
    const entry = entries[indexAt(entries, time)];
    if (!entry) return (this.sources[index] as SourceLines).nextSeq;
    if (entry.firstTime >= time) return entry.firstSeq;
    const frame = await this.read(entry);
    return frame ? frame.header.firstSeq + frame.indexAt(time) : entry.firstSeq;
  }

  private async head(place: number, seq: number, time: number): Promise<Head | undefined> {
    const entries = this.entries[place] as Entry[];
    for (let at = indexAt(entries, time); at < entries.length; at += 1) {
      const entry = entries[at] as Entry;
      if (entry.endSeq <= seq) continue;
      const frame = await this.read(entry);
      if (!frame) continue;
      return headAt(place, at, frame, Math.max(0, seq - frame.header.firstSeq));
    }
    return undefined;
  }

  private async advance({ place, at, frame, index }: Head): Promise<Head | undefined> {
    if (index + 1 < frame.header.count) return headAt(place, at, frame, index + 1);
    const entries = this.entries[place] as Entry[];
    for (let next = at + 1; next < entries.length; next += 1) {
      const following = await this.read(entries[next] as Entry);
      if (following) return headAt(place, next, following, 0);
    }
    return undefined;
  }
}

/** The next line of a source. */
interface Head {
  place: number;
  /** Its entry. */
  at: number;
  frame: Frame;
  index: number;
  source: number;
  time: number;
}

function headAt(place: number, at: number, frame: Frame, index: number): Head {
  return {
    place,
    at,
    frame,
    index,
    source: frame.header.source,
    time: frame.columns.effective[index] as number,
  };
}

function indexAt(entries: readonly Entry[], time: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as Entry).lastTime >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function lastWhere(sorted: Float64Array, holds: (time: number) => boolean): number {
  let low = -1;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(sorted[middle] as number)) low = middle;
    else high = middle - 1;
  }
  return low;
}
