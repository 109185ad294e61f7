import type { LogLine } from '../../../drivers/log-store/index.js';
import type { Entry } from './entry.js';
import type { Frame } from './frame.js';
import type { SourceLines } from './source-lines.js';

/** Lines of several sources in one order: effective time, then source, then number. */
export interface MergedPage {
  lines: { source: number; line: LogLine }[];
  /** Of the first of them. */
  position: number;
  /** Position of the oldest line of all, and the one that the next new line will have. */
  first: number;
  end: number;
  /** It holds fewer lines than were asked for, because of the bytes that it may have. */
  endedEarly: boolean;
}

/** How much of texts a page may hold. */
export interface PageBounds {
  /** UTF-8 of all of them together. A page has one line at least, however long that is. */
  bytes?: number;
  /** Of each: what is longer is shortened. */
  characters?: number;
}

/** Lines on either side of a position. */
export interface WantedPage extends PageBounds {
  /** At most so many before it, the nearest ones. */
  before: number;
  /** At most so many from it on; as many more as there are too few before it, where any are wanted. */
  after: number;
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

  async page(position: number, limit: number, bounds: PageBounds = {}): Promise<MergedPage> {
    return this.around(position, { before: 0, after: limit, ...bounds });
  }

  /** Where it may not hold all of them, half of the room at least is for what comes from the position on. */
  async around(
    position: number,
    { before, after, bytes = Infinity, characters = Infinity }: WantedPage,
  ): Promise<MergedPage> {
    const { first, end } = this;
    const from = Math.min(Math.max(position, first), end);
    if (before + after <= 0) return { lines: [], position: from, first, end, endedEarly: false };
    const heads = await this.headsAt(from);
    const earlier = new Gathered(before, after > 0 ? bytes / 2 : bytes, characters);
    if (before > 0 && from > first) {
      const tails = await Promise.all(
        heads.map((head, place) => (head ? this.retreat(head) : this.tail(place))),
      );
      for (let last = latest(tails); last && earlier.take(last); last = latest(tails)) {
        tails[last.place] = await this.retreat(last);
      }
    }
    const missing = earlier.endedEarly ? 0 : before - earlier.lines.length;
    const later = new Gathered(after > 0 ? after + missing : 0, bytes - earlier.bytes, characters);
    for (let next = earliest(heads); next && later.take(next); next = earliest(heads)) {
      heads[next.place] = await this.advance(next);
    }
    return {
      lines: [...earlier.lines.reverse(), ...later.lines],
      position: from - earlier.lines.length,
      first,
      end,
      endedEarly: earlier.endedEarly || later.endedEarly,
    };
  }

  /** The next line of each source at a position. */
  private async headsAt(position: number): Promise<(Head | undefined)[]> {
    const { sources } = this;
    if (position === this.end) return sources.map(() => undefined);
    // The position is the number of the line.
    if (sources.length === 1) return [await this.head(0, position, -Infinity)];
    const { time, places } = await this.placesBefore(position);
    let skip = position - this.sum(places);
    // Below the time all lines come before; from there on one is taken after the other.
    const heads = await Promise.all(places.map((seq, index) => this.head(index, seq, time)));
    for (let next = earliest(heads); next && skip > 0; next = earliest(heads), skip -= 1) {
      heads[next.place] = await this.advance(next);
    }
    return heads;
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

  /** The line before one of the same source. */
  private async retreat({ place, at, frame, index }: Head): Promise<Head | undefined> {
    if (index > 0) return headAt(place, at, frame, index - 1);
    return this.tail(place, at);
  }

  /** The last line of the entries of a source, or of those before one of them. */
  private async tail(place: number, before = Infinity): Promise<Head | undefined> {
    const entries = this.entries[place] as Entry[];
    for (let at = Math.min(before, entries.length) - 1; at >= 0; at -= 1) {
      const frame = await this.read(entries[at] as Entry);
      if (frame) return headAt(place, at, frame, frame.header.count - 1);
    }
    return undefined;
  }
}

/** Lines of a page in the order in which they were taken, as many as it may hold. */
class Gathered {
  readonly lines: MergedPage['lines'] = [];
  bytes = 0;
  endedEarly = false;

  constructor(
    private readonly limit: number,
    private readonly room: number,
    private readonly characters: number,
  ) {}

  /** @returns false where it is not taken any more */
  take({ source, frame, index }: Head): boolean {
    const { lines, characters } = this;
    if (lines.length >= this.limit) return false;
    const bytes = frame.bytesOf(index, characters);
    if (lines.length > 0 && this.bytes + bytes > this.room) {
      this.endedEarly = true;
      return false;
    }
    this.bytes += bytes;
    lines.push({ source, line: frame.line(index, characters) });
    return true;
  }
}

/** The first of some lines in the order of the merge. */
function earliest(heads: readonly (Head | undefined)[]): Head | undefined {
  let least: Head | undefined;
  for (const head of heads) if (head && (!least || head.time < least.time)) least = head;
  return least;
}

/** The last of them. */
function latest(heads: readonly (Head | undefined)[]): Head | undefined {
  let most: Head | undefined;
  for (const head of heads) if (head && (!most || head.time >= most.time)) most = head;
  return most;
}

/** A line of a source: the next one, or the one before. */
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
