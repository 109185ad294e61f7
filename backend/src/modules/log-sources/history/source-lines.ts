import type { NewLogLine, SourceExtent, SourceIdentity } from '../../../drivers/log-store/index.js';
import type { Entry } from './entry.js';
import { Frame, readHeader } from './frame.js';
import { FrameBuilder } from './frame-builder.js';

/** What is known of one source in memory: where its frames are, and its lines that are in none yet. */
export class SourceLines {
  /** In order; may have gaps where a file was damaged. */
  readonly entries: Entry[] = [];
  nextSeq: number;
  lastTime: number;
  textBytes = 0;
  diskBytes = 0;
  /** Somebody takes its lines in now. */
  isThere = false;
  /** Lines before this one are gone. */
  floor: number;
  private pending: FrameBuilder | undefined;

  constructor(
    readonly id: number,
    public identity: SourceIdentity,
    { firstSeq, nextSeq, lastTime }: { firstSeq: number; nextSeq: number; lastTime: number },
  ) {
    this.floor = firstSeq;
    this.nextSeq = nextSeq;
    this.lastTime = lastTime;
  }

  get firstSeq(): number {
    return this.entries[0]?.firstSeq ?? this.pending?.firstSeq ?? this.nextSeq;
  }

  get isEmpty(): boolean {
    return this.firstSeq === this.nextSeq;
  }

  get extent(): SourceExtent {
    const isEmpty = this.isEmpty;
    return {
      firstSeq: this.firstSeq,
      nextSeq: this.nextSeq,
      bytes: this.textBytes + (this.pending?.textBytes ?? 0),
      firstTime: isEmpty ? null : (this.entries[0]?.firstTime ?? this.pending?.effectiveFirst ?? null),
      lastTime: isEmpty ? null : this.lastTime,
    };
  }

  /** Takes over what was on disk. */
  restore(entry: Entry): void {
    this.entries.push(entry);
    this.nextSeq = Math.max(this.nextSeq, entry.endSeq);
    this.lastTime = Math.max(this.lastTime, entry.lastTime);
    this.count(entry, 1);
  }

  /** Takes over what is on disk, in place of what was known of it. Lines that are not there yet stay. */
  restoreAll(onDisk: readonly Entry[]): void {
    const end = onDisk.reduce((most, { endSeq }) => Math.max(most, endSeq), 0);
    const inMemory = this.entries.filter(({ place, endSeq }) => place.kind === 'memory' && endSeq > end);
    this.entries.length = 0;
    this.textBytes = 0;
    this.diskBytes = 0;
    const kept = onDisk.filter(({ endSeq }) => endSeq > this.floor);
    kept.sort((one, other) => one.firstSeq - other.firstSeq);
    for (const entry of [...kept, ...inMemory]) this.restore(entry);
  }

  /** @returns the bytes of text that came. */
  append(lines: readonly NewLogLine[]): number {
    this.pending ??= new FrameBuilder(this.id, this.nextSeq, this.lastTime);
    const before = this.pending.textBytes;
    for (const line of lines) this.pending.add(line);
    this.nextSeq += lines.length;
    this.lastTime = this.pending.lastTime;
    return this.pending.textBytes - before;
  }

  /** Makes an entry of the lines that are in none yet. */
  seal(): (Entry & { place: { kind: 'memory'; bytes: Buffer } }) | undefined {
    const entry = this.pendingEntry();
    if (!entry) return undefined;
    this.pending = undefined;
    this.entries.push(entry);
    this.count(entry, 1);
    return entry;
  }

  /** The entry that `seal` would make. */
  pendingEntry(): (Entry & { place: { kind: 'memory'; bytes: Buffer } }) | undefined {
    const { pending } = this;
    if (!pending || pending.count === 0) return undefined;
    const bytes = pending.frame();
    return {
      source: this.id,
      firstSeq: pending.firstSeq,
      endSeq: pending.firstSeq + pending.count,
      firstTime: pending.effectiveFirst,
      lastTime: pending.lastTime,
      textBytes: pending.textBytes,
      diskBytes: bytes.length,
      levels: pending.levelBits,
      place: { kind: 'memory', bytes },
    };
  }

  /** Index of the entry that holds this line, or of the first one after it. */
  indexOf(seq: number): number {
    return firstIndex(this.entries, ({ endSeq }) => endSeq > seq);
  }

  /** Index of the first entry with a line of this time or later. */
  indexAt(time: number): number {
    return firstIndex(this.entries, ({ lastTime }) => lastTime >= time);
  }

  /**
   * Entries that hold lines from one number on, the ones in memory last; made for at most so many lines, and no more
   * once they hold so many bytes of text.
   */
  entriesFrom(seq: number, lines: number, bytes = Infinity): Entry[] {
    const found: Entry[] = [];
    let missing = lines;
    let room = bytes;
    for (let at = this.indexOf(seq); at < this.entries.length && missing > 0 && room > 0; at += 1) {
      const entry = this.entries[at] as Entry;
      found.push(entry);
      missing -= entry.endSeq - Math.max(seq, entry.firstSeq);
      room -= entry.textBytes;
    }
    const last = missing > 0 && room > 0 && seq < this.nextSeq ? this.pendingEntry() : undefined;
    if (last) found.push(last);
    return found;
  }

  /** Puts what a file held to where it is now. @returns entries that nobody wants any more. */
  replace(file: string, entries: readonly Entry[]): void {
    for (let index = this.entries.length - 1; index >= 0; index -= 1) {
      const entry = this.entries[index] as Entry;
      if (entry.place.kind !== 'segment' || entry.place.file !== file) continue;
      this.count(entry, -1);
      this.entries.splice(index, 1);
    }
    for (const entry of entries) {
      if (entry.endSeq <= this.floor) continue;
      this.entries.splice(this.indexOf(entry.firstSeq), 0, entry);
      this.count(entry, 1);
    }
  }

  /** Takes entries out, the oldest first. */
  drop(count: number): Entry[] {
    const dropped = this.entries.splice(0, count);
    for (const entry of dropped) this.count(entry, -1);
    this.floor = Math.max(this.floor, dropped.at(-1)?.endSeq ?? 0);
    return dropped;
  }

  dropAll(): Entry[] {
    this.pending = undefined;
    const dropped = this.drop(this.entries.length);
    this.floor = this.nextSeq;
    return dropped;
  }

  private count({ textBytes, diskBytes }: Entry, sign: 1 | -1): void {
    this.textBytes += sign * textBytes;
    this.diskBytes += sign * diskBytes;
  }
}

/** The frame of an entry that is in memory. */
export function frameInMemory(bytes: Buffer): Frame {
  const header = readHeader(bytes, 0);
  if (!header) throw new Error('a frame in memory cannot be read');
  return Frame.at(bytes, 0, header);
}

function firstIndex(entries: readonly Entry[], isPast: (entry: Entry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(entries[middle] as Entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
