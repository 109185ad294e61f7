import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { BlockStore } from './block.store.js';
import { Frame, HEADER_BYTES, readHeader } from './frame.js';
import type { LineRange } from './line-scan.js';
import type { LinesAtBoard } from './lines-at.js';
import { QueryMatcher } from './query-matcher.js';
import {
  BUCKET_LEVELS,
  BUCKET_NUMBERS,
  type PackedMatches,
  type SearchAnswer,
  type SearchPlaces,
  type SearchTask,
  type SearchUnit,
  type ThreadQuery,
  type UnitResult,
  type WantedLines,
} from './search-messages.js';
import { MOST_FILTER_BYTES } from './trigram-filter.js';

/** What is read of a frame first: with luck its filter, or its columns, are all that is needed. */
const FIRST_BYTES = HEADER_BYTES + MOST_FILTER_BYTES + 16 * 1024;

/** Looks for lines in the pieces of a search, wherever they are. It reads files itself. */
export class UnitSearch {
  private store: BlockStore | undefined;
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private latest: { search: number; matcher: QueryMatcher } | undefined;

  constructor(
    private readonly places: SearchPlaces,
    private readonly at: LinesAtBoard,
  ) {}

  run(task: SearchTask): SearchAnswer {
    if (this.latest?.search !== task.search) {
      this.latest = { search: task.search, matcher: new QueryMatcher(task.query) };
    }
    const { matcher } = this.latest;
    const counts = task.buckets ? new Float64Array(task.buckets.count * BUCKET_NUMBERS) : null;
    const units = task.units.map((unit, index) => this.search(unit, index, task, matcher, counts));
    return { units, counts };
  }

  close(): void {
    this.store?.close();
  }

  private search(
    unit: SearchUnit,
    unitIndex: number,
    task: SearchTask,
    matcher: QueryMatcher,
    counts: Float64Array | null,
  ): UnitResult {
    // One more than is wanted tells that there are more.
    const found = new Found(task.query.limit + 1);
    let searched = 0;
    for (const wanted of unit.wanted) searched += wanted.to - wanted.from;
    const look = (frame: Frame, wanted: WantedLines): void => {
      if (!matcher.mayMatch(frame.header.levels, undefined)) return;
      const range = rangeOf(frame, wanted, task.query);
      if (range.from >= range.to) return;
      const { firstSeq, source } = frame.header;
      const matchesIn = ({ from, to }: LineRange): number[] => {
        this.at.write(unitIndex, { source, from: firstSeq + from, to: firstSeq + to });
        return matcher.matches(frame, { from, to });
      };
      const indexes = unit.byLine ? linesOf(range).flatMap(matchesIn) : matchesIn(range);
      if (counts && task.buckets) count(frame, indexes, task.buckets, counts);
      else found.add(frame, indexes);
    };
    const isThere = this.frames(unit, matcher, counts !== null, look);
    return { searched: isThere ? searched : 0, gone: !isThere, matches: isThere ? found.pack() : null };
  }

  /** @returns false where the piece is not there any more. */
  private frames(
    unit: SearchUnit,
    matcher: QueryMatcher,
    isCount: boolean,
    look: (frame: Frame, wanted: WantedLines) => void,
  ): boolean {
    const { place, wanted } = unit;
    const [only] = wanted;
    switch (place.kind) {
      case 'memory':
        walk(Buffer.from(place.bytes.buffer, place.bytes.byteOffset, place.bytes.length), wanted, look);
        return true;
      case 'block': {
        if (!only || !matcher.mayMatch(place.levels, undefined)) return true;
        this.store ??= BlockStore.reader(this.places.database);
        if (matcher.usesFilter && !matcher.mayMatch(place.levels, this.store.filter(place.id))) return true;
        const frame = this.store.frame(place.id, !(isCount && matcher.needsNoText));
        if (frame) look(frame, only);
        return true;
      }
      case 'segment': {
        const descriptor = openIfThere(join(this.places.segments, place.file));
        if (descriptor === undefined) return false;
        try {
          if (place.alone && only) this.one(descriptor, place, only, matcher, isCount, look);
          else walk(this.read(descriptor, place.at, 0, place.length), wanted, look);
          return true;
        } finally {
          closeSync(descriptor);
        }
      }
    }
  }

  /** A frame that has its filter: what is not needed of it is not read. */
  private one(
    descriptor: number,
    { at, length }: { at: number; length: number },
    wanted: WantedLines,
    matcher: QueryMatcher,
    isCount: boolean,
    look: (frame: Frame, wanted: WantedLines) => void,
  ): void {
    const first = Math.min(FIRST_BYTES, length);
    let bytes = this.read(descriptor, at, 0, first);
    const header = readHeader(bytes, 0);
    if (!header || HEADER_BYTES + header.payloadBytes > length) return;
    const filter = bytes.subarray(HEADER_BYTES, HEADER_BYTES + header.filterBytes);
    if (!matcher.mayMatch(header.levels, filter)) return;
    const needed =
      isCount && matcher.needsNoText ? HEADER_BYTES + header.filterBytes + header.columnsBytes : length;
    if (needed > first) bytes = this.read(descriptor, at, first, needed);
    look(Frame.at(bytes, 0, header), wanted);
  }

  /** Bytes of a file from an offset on; the first `known` of them were read before. */
  private read(descriptor: number, at: number, known: number, length: number): Buffer {
    if (this.bytes.length < length) {
      const grown = Buffer.allocUnsafeSlow(length);
      this.bytes.copy(grown, 0, 0, known);
      this.bytes = grown;
    }
    let end = known;
    while (end < length) {
      const read = readSync(descriptor, this.bytes, end, length - end, at + end);
      if (read === 0) break;
      end += read;
    }
    return this.bytes.subarray(0, end);
  }
}

function walk(
  bytes: Buffer,
  wanted: readonly WantedLines[],
  look: (frame: Frame, wanted: WantedLines) => void,
): void {
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const header = readHeader(bytes, at);
    if (!header) return;
    if (header.kind === 'lines' && at + HEADER_BYTES + header.payloadBytes <= bytes.length) {
      const lines = wanted.find(({ source }) => source === header.source);
      if (lines) look(Frame.at(bytes, at, header), lines);
    }
    at += HEADER_BYTES + header.payloadBytes;
  }
}

/** A range, line by line. */
function linesOf({ from, to }: LineRange): LineRange[] {
  return Array.from({ length: to - from }, (_, index) => ({ from: from + index, to: from + index + 1 }));
}

/** Which lines of a frame the query means, by number and time. */
function rangeOf(frame: Frame, wanted: WantedLines, { from, to, before }: ThreadQuery): LineRange {
  const { firstSeq, count, firstTime, lastTime, source } = frame.header;
  const range = { from: Math.max(0, wanted.from - firstSeq), to: Math.min(count, wanted.to - firstSeq) };
  if (from !== null && from > firstTime) range.from = Math.max(range.from, frame.indexAt(from));
  if (to !== null && to <= lastTime) range.to = Math.min(range.to, frame.indexAt(to));
  if (before) {
    const { time } = before;
    // What has the same time is in the order of sources.
    if (source === before.source) range.to = Math.min(range.to, before.seq - firstSeq);
    else range.to = Math.min(range.to, frame.indexAt(source < before.source ? time + 1 : time));
  }
  return range;
}

function count(
  frame: Frame,
  indexes: readonly number[],
  { from, width, count: buckets }: { from: number; width: number; count: number },
  counts: Float64Array,
): void {
  const { columns, header } = frame;
  const { flags } = columns;
  const bucketAt = (time: number): number => Math.floor((time - from) / width);
  // Most frames are shorter than a bucket.
  const only = bucketAt(header.firstTime) === bucketAt(header.lastTime);
  for (const index of indexes) {
    const bucket = bucketAt(only ? header.firstTime : (columns.effective[index] as number));
    if (bucket < 0 || bucket >= buckets) continue;
    const place = bucket * BUCKET_NUMBERS;
    const level = place + (((flags[index] as number) >> 2) & 7);
    counts[level] = (counts[level] as number) + 1;
    counts[place + BUCKET_LEVELS] = (counts[place + BUCKET_LEVELS] as number) + frame.bytesOf(index);
  }
}

/** Matches of one piece; of more than are asked for only the newest. */
class Found {
  private readonly numbers: number[] = [];
  private text = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly limit: number) {}

  /** Copies the texts: the bytes that they are part of are used again for the next piece. */
  add(frame: Frame, indexes: readonly number[]): void {
    const { times, effective, ends, flags, cuts } = frame.columns;
    const { source, firstSeq } = frame.header;
    for (const index of indexes.length > this.limit ? indexes.slice(-this.limit) : indexes) {
      const begin = index === 0 ? 0 : (ends[index - 1] as number) + 1;
      const end = ends[index] as number;
      this.reserve(end - begin);
      frame.text.copy(this.text, this.used, begin, end);
      this.used += end - begin;
      this.numbers.push(
        source,
        firstSeq + index,
        effective[index] as number,
        times[index] as number,
        flags[index] as number,
        cuts.get(index) ?? 0,
        this.used,
      );
    }
  }

  pack(): PackedMatches | null {
    if (this.numbers.length === 0) return null;
    return { numbers: Float64Array.from(this.numbers), text: this.text.subarray(0, this.used) };
  }

  private reserve(more: number): void {
    if (this.used + more <= this.text.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.text.length * 2, this.used + more, 16 * 1024));
    this.text.copy(grown, 0, 0, this.used);
    this.text = grown;
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
