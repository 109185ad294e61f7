import { firstIndex } from '../first-index.js';
import { LEVELS, shorten, STREAMS, type Level, type LogLine, type NewLogLine } from '../log-line.js';

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
  diskBytes: number;
  /** Bit n is set if a line has the level n of `levelNumber`. */
  levels: number;
}

/**
 * The data of a block. `text` is the lines as UTF-8, each ended by a line feed. `columns` is four arrays: times (f64,
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
/** The overhead of SQLite for the rows of a block. */
export const ROW_BYTES = 150;

const STREAM_BITS = 0b11;
const LEVEL_SHIFT = 2;
const CONTINUES = 0b0010_0000;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_UTF8_BYTES = 3;

/** 0 for no level, else from 1 on in the order of LEVELS. */
export function levelNumber(level: Level | 'none' | null): number {
  return LEVELS.indexOf(level as Level) + 1;
}

/** 0 for no stream. */
export function streamNumber(stream: LogLine['stream']): number {
  return stream === null ? 0 : STREAMS.indexOf(stream) + 1;
}

interface Columns {
  bytes: Uint8Array;
  times: Float64Array;
  /** Where each line ends in the text, without its line feed. */
  ends: Uint32Array;
  cuts: Uint32Array;
  flags: Uint8Array;
}

export class Block {
  readonly count: number;
  readonly text: Buffer;
  readonly columns: Columns;
  private runningTimes: Float64Array | undefined;

  /** @throws RangeError if the data does not fit the number of lines */
  constructor(
    readonly info: BlockInfo,
    readonly data: BlockData,
  ) {
    const { columns, text } = data;
    this.count = info.endSeq - info.firstSeq;
    this.text = Buffer.from(text.buffer, text.byteOffset, text.length);
    this.columns = columnsOf(columns, this.count);
  }

  get effectiveTimes(): Float64Array {
    if (this.runningTimes) return this.runningTimes;
    const running = new Float64Array(this.count);
    let latest = this.info.firstTime;
    for (let index = 0; index < this.count; index += 1) {
      const time = this.columns.times[index] as number;
      if (time > latest) latest = time;
      running[index] = latest;
    }
    return (this.runningTimes = running);
  }

  levelOf(index: number): number {
    return ((this.columns.flags[index] as number) >> LEVEL_SHIFT) & 7;
  }

  streamOf(index: number): number {
    return (this.columns.flags[index] as number) & STREAM_BITS;
  }

  /** Where a line begins in `text`. */
  beginOf(index: number): number {
    return index === 0 ? 0 : (this.columns.ends[index - 1] as number) + 1;
  }

  textOf(index: number): string {
    return this.text.toString('utf8', this.beginOf(index), this.columns.ends[index]);
  }

  /** UTF-8 bytes of a line, or an upper bound for so many characters of it. */
  bytesOf(index: number, maxLength = Infinity): number {
    return Math.min((this.columns.ends[index] as number) - this.beginOf(index), maxLength * MAX_UTF8_BYTES);
  }

  line(index: number, maxLength = Infinity): LogLine {
    const begin = this.beginOf(index);
    // One unit more than requested shows whether the line is longer; the rest is not decoded.
    const end = Math.min(this.columns.ends[index] as number, begin + (maxLength + 1) * MAX_UTF8_BYTES);
    const line: LogLine = {
      seq: this.info.firstSeq + index,
      time: this.columns.times[index] as number,
      stream: STREAMS[this.streamOf(index) - 1] ?? null,
      level: LEVELS[this.levelOf(index) - 1] ?? null,
      text: this.text.toString('utf8', begin, end),
      cut: this.columns.cuts[index] as number,
      continues: ((this.columns.flags[index] as number) & CONTINUES) !== 0,
    };
    return shorten(line, maxLength);
  }

  /** Index of the first line at or after an effective time; the number of lines if no such line exists. */
  indexAt(time: number): number {
    const times = this.effectiveTimes;
    return firstIndex(times.length, (index) => (times[index] as number) >= time);
  }
}

/**
 * Makes a block of consecutive lines.
 * @param lastTime effective time of the line before them
 */
export function encodeBlock(
  source: number,
  firstSeq: number,
  lastTime: number,
  lines: readonly NewLogLine[],
): StoredBlock {
  const count = lines.length;
  const columns = columnsOf(new Uint8Array(count * COLUMN_BYTES), count);
  let levels = 0;
  let end = -1;
  let latest = lastTime;
  lines.forEach(({ time, stream, level, text, cut, continues }, index) => {
    end += 1 + Buffer.byteLength(text);
    latest = Math.max(latest, Math.floor(time));
    levels |= 1 << levelNumber(level);
    columns.times[index] = Math.floor(time);
    columns.ends[index] = end;
    columns.cuts[index] = cut;
    columns.flags[index] =
      streamNumber(stream) | (levelNumber(level) << LEVEL_SHIFT) | (continues ? CONTINUES : 0);
  });
  const info = { source, firstSeq, endSeq: firstSeq + count, lastTime: latest, levels };
  const text = Buffer.from(`${lines.map((line) => line.text).join('\n')}\n`);
  return storedBlock({ ...info, firstTime: Math.max(lastTime, columns.times[0] ?? 0) }, columns.bytes, text);
}

export function mergeBlocks(blocks: readonly Block[]): StoredBlock {
  const [first, last] = [blocks[0] as Block, blocks.at(-1) as Block];
  const count = last.info.endSeq - first.info.firstSeq;
  const columns = columnsOf(new Uint8Array(count * COLUMN_BYTES), count);
  let at = 0;
  let offset = 0;
  for (const block of blocks) {
    columns.times.set(block.columns.times, at);
    const ends = block.columns.ends.map((end) => end + offset);
    columns.ends.set(ends, at);
    columns.cuts.set(block.columns.cuts, at);
    columns.flags.set(block.columns.flags, at);
    at += block.count;
    offset += block.text.length;
  }
  const { endSeq, lastTime } = last.info;
  const levels = blocks.reduce((all, { info }) => all | info.levels, 0);
  const text = Buffer.concat(blocks.map((block) => block.text));
  return storedBlock({ ...first.info, endSeq, lastTime, levels }, columns.bytes, text);
}

function storedBlock(
  info: Omit<BlockInfo, 'textBytes' | 'diskBytes'>,
  columns: Uint8Array,
  text: Uint8Array,
): StoredBlock {
  const textBytes = text.length - (info.endSeq - info.firstSeq);
  return { ...info, textBytes, diskBytes: columns.length + text.length + ROW_BYTES, data: { columns, text } };
}

/** @throws RangeError if the bytes do not fit the number of lines */
function columnsOf(given: Uint8Array, count: number): Columns {
  // Typed arrays need aligned data; what zlib returns may lie anywhere in a larger buffer.
  const bytes = given.byteOffset % 8 === 0 ? given : Uint8Array.from(given);
  const { buffer, byteOffset: at } = bytes;
  return {
    bytes,
    times: new Float64Array(buffer, at, count),
    ends: new Uint32Array(buffer, at + 8 * count, count),
    cuts: new Uint32Array(buffer, at + 12 * count, count),
    flags: new Uint8Array(buffer, at + 16 * count, count),
  };
}
