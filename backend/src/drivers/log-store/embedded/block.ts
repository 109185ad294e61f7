import { LEVELS, shorten, type Level, type LogLine, type NewLogLine } from '../log-line.js';

/** Consecutive lines of one source: the unit that is written, merged, compressed and searched. */
export interface BlockInfo {
  source: number;
  firstSeq: number;
  /** Number after the last line. */
  endSeq: number;
  /** Effective times of the first and the last line, in microseconds: the latest time of the source up to there. */
  firstTime: number;
  lastTime: number;
  /** UTF-8 bytes of the texts without their line feeds. */
  textBytes: number;
  /** Bytes on disk. */
  diskBytes: number;
  /** Bit n is set if a line has the level n of `levelNumber`. */
  levels: number;
}

/**
 * What a block holds. `text` is the lines as UTF-8, each ended by a line feed. `columns` is four arrays: times (f64,
 * microseconds), end offsets in `text` (u32), bytes that were cut off (u32), and flags (u8).
 */
export interface BlockData {
  columns: Uint8Array;
  text: Uint8Array;
}

/** A block with its data, as it waits to be written. */
export type StoredBlock = BlockInfo & { data: BlockData };

/** Text of a full block. Larger ones make pages slower to read, smaller ones compress worse. */
export const FULL_BLOCK_BYTES = 256 * 1024;
/** Bytes in `columns` per line. */
export const COLUMN_BYTES = 17;
/** What SQLite needs for the rows of a block, beside their data. */
export const ROW_BYTES = 150;

const STREAM_BITS = 0b11;
const LEVEL_SHIFT = 2;
const CONTINUES = 0b0010_0000;
const LINE_FEED = 10;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_UTF8_BYTES = 3;
const INITIAL_TEXT_BYTES = 4096;

/** 0 for no level, else from 1 on in the order of LEVELS. */
export function levelNumber(level: Level | 'none' | null): number {
  return level === null || level === 'none' ? 0 : LEVELS.indexOf(level) + 1;
}

/** 0 for no stream. */
export function streamNumber(stream: LogLine['stream']): number {
  return stream === null ? 0 : stream === 'stdout' ? 1 : 2;
}

/** Reads a block. */
export class Block {
  readonly count: number;
  private readonly times: Float64Array;
  /** Where each line ends in `text`, without its line feed. */
  readonly ends: Uint32Array;
  private readonly flags: Uint8Array;
  private readonly cuts: Uint32Array;
  readonly text: Buffer;
  private runningTimes: Float64Array | undefined;

  /** @throws RangeError if the columns do not fit the number of lines */
  constructor(
    readonly info: BlockInfo,
    data: BlockData,
  ) {
    const count = info.endSeq - info.firstSeq;
    const columns = aligned(data.columns);
    const { buffer, byteOffset: at } = columns;
    this.count = count;
    this.times = new Float64Array(buffer, at, count);
    this.ends = new Uint32Array(buffer, at + 8 * count, count);
    this.cuts = new Uint32Array(buffer, at + 12 * count, count);
    this.flags = new Uint8Array(buffer, at + 16 * count, count);
    this.text = Buffer.from(data.text.buffer, data.text.byteOffset, data.text.length);
  }

  /** Effective times of the lines. */
  get effectiveTimes(): Float64Array {
    if (this.runningTimes) return this.runningTimes;
    const running = new Float64Array(this.count);
    let latest = this.info.firstTime;
    for (let index = 0; index < this.count; index += 1) {
      const time = this.times[index] as number;
      if (time > latest) latest = time;
      running[index] = latest;
    }
    return (this.runningTimes = running);
  }

  levelOf(index: number): number {
    return ((this.flags[index] as number) >> LEVEL_SHIFT) & 7;
  }

  streamOf(index: number): number {
    return (this.flags[index] as number) & STREAM_BITS;
  }

  /** Where a line begins in `text`. */
  beginOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] as number) + 1;
  }

  textOf(index: number): string {
    return this.text.toString('utf8', this.beginOf(index), this.ends[index]);
  }

  /** UTF-8 bytes of a line, or an upper bound for so many characters of it. */
  bytesOf(index: number, maxLength = Infinity): number {
    return Math.min((this.ends[index] as number) - this.beginOf(index), maxLength * MAX_UTF8_BYTES);
  }

  line(index: number, maxLength = Infinity): LogLine {
    const flags = this.flags[index] as number;
    const begin = this.beginOf(index);
    // One unit more than requested shows whether the line is longer; the rest is not decoded.
    const end = Math.min(this.ends[index] as number, begin + (maxLength + 1) * MAX_UTF8_BYTES);
    const stream = flags & STREAM_BITS;
    const line: LogLine = {
      seq: this.info.firstSeq + index,
      time: this.times[index] as number,
      stream: stream === 0 ? null : stream === 1 ? 'stdout' : 'stderr',
      level: LEVELS[this.levelOf(index) - 1] ?? null,
      text: this.text.toString('utf8', begin, end),
      cut: this.cuts[index] as number,
      continues: (flags & CONTINUES) !== 0,
    };
    return shorten(line, maxLength);
  }

  /** Index of the first line at or after an effective time; the number of lines if there is none. */
  indexAt(time: number): number {
    const times = this.effectiveTimes;
    return firstIndex(times.length, (index) => (times[index] as number) >= time);
  }

  /** Adds its lines to a builder. */
  copyTo(builder: BlockBuilder): void {
    for (let index = 0, begin = 0; index < this.count; index += 1) {
      const end = this.ends[index] as number;
      const [time, flags, cut] = [this.times[index], this.flags[index], this.cuts[index]] as [
        number,
        number,
        number,
      ];
      builder.addEncoded(time, flags, cut, this.text.subarray(begin, end));
      begin = end + 1;
    }
  }
}

/** Collects consecutive lines of one source. */
export class BlockBuilder {
  private readonly times: number[] = [];
  private readonly ends: number[] = [];
  private readonly flags: number[] = [];
  private readonly cuts: number[] = [];
  private text = Buffer.allocUnsafeSlow(INITIAL_TEXT_BYTES);
  private used = 0;
  private levels = 0;
  private firstTime = 0;

  /** @param lastTime effective time of the line before the first one */
  constructor(
    readonly source: number,
    readonly firstSeq: number,
    public lastTime: number,
  ) {}

  get count(): number {
    return this.times.length;
  }

  get textBytes(): number {
    return this.used - this.count;
  }

  get firstEffectiveTime(): number {
    return this.firstTime;
  }

  add(line: NewLogLine): void {
    this.reserve(line.text.length * MAX_UTF8_BYTES + 1);
    this.used += this.text.write(line.text, this.used, 'utf8');
    const flags =
      streamNumber(line.stream) | (levelNumber(line.level) << LEVEL_SHIFT) | (line.continues ? CONTINUES : 0);
    this.endLine(Math.floor(line.time), flags, line.cut);
  }

  addEncoded(time: number, flags: number, cut: number, text: Uint8Array): void {
    this.reserve(text.length + 1);
    this.text.set(text, this.used);
    this.used += text.length;
    this.endLine(time, flags, cut);
  }

  /** The lines so far as a block. The builder can go on. */
  build(): StoredBlock {
    const { count } = this;
    const columns = new Uint8Array(count * COLUMN_BYTES);
    new Float64Array(columns.buffer, 0, count).set(this.times);
    new Uint32Array(columns.buffer, 8 * count, count).set(this.ends);
    new Uint32Array(columns.buffer, 12 * count, count).set(this.cuts);
    columns.set(this.flags, 16 * count);
    return {
      source: this.source,
      firstSeq: this.firstSeq,
      endSeq: this.firstSeq + count,
      firstTime: this.firstTime,
      lastTime: this.lastTime,
      textBytes: this.textBytes,
      diskBytes: columns.length + this.used + ROW_BYTES,
      levels: this.levels,
      data: { columns, text: Uint8Array.from(this.text.subarray(0, this.used)) },
    };
  }

  private endLine(time: number, flags: number, cut: number): void {
    if (time > this.lastTime) this.lastTime = time;
    if (this.count === 0) this.firstTime = this.lastTime;
    this.times.push(time);
    this.ends.push(this.used);
    this.flags.push(flags);
    this.cuts.push(cut);
    this.levels |= 1 << ((flags >> LEVEL_SHIFT) & 7);
    this.text[this.used] = LINE_FEED;
    this.used += 1;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.text.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.text.length * 2, this.used + bytes));
    this.text.copy(grown, 0, 0, this.used);
    this.text = grown;
  }
}

/** Index of the first element that a condition holds for, where it holds for all after it; `length` if for none. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Typed arrays need their data aligned; what zlib returns may lie anywhere in a larger buffer. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
}
