import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { giveBack } from '../../../core/threads/give-back.js';
import {
  LEVELS,
  type Level,
  type NewLogLine,
  type LogLine,
  shorten,
} from '../../../drivers/log-store/index.js';
import { readNumber, type Cursor } from './varint.js';

/**
 * Lines of one source, following each other: the unit that is written, indexed, compressed and searched.
 *
 *     header (64 bytes) | filter | columns | text
 *
 * Columns hold lengths, flags, what was cut and times (differences), each as a run of its own; text holds the lines as
 * UTF-8, each ended by a line feed. Checksums tell a frame that was cut off or overwritten.
 */
export const HEADER_BYTES = 64;
export const MAGIC = 0x31464c53;
/** Of a character in UTF-8; four make two of a string's. */
const MOST_BYTES = 3;

/** Lines; who a source is; that lines up to some number are gone. */
export type FrameKind = 'lines' | 'identity' | 'forgotten';
const KINDS: readonly FrameKind[] = ['lines', 'identity', 'forgotten'];

export interface FrameHeader {
  kind: FrameKind;
  /** No byte of its text is above 127. */
  ascii: boolean;
  source: number;
  count: number;
  firstSeq: number;
  /** Effective times of its first and last line: the running maximum of a source's times. */
  firstTime: number;
  lastTime: number;
  payloadBytes: number;
  filterBytes: number;
  columnsBytes: number;
  /** Bit n is set where a line has level n of `levelNumber`. */
  levels: number;
}

/** 0 for none, else from 1 on in the order of LEVELS. */
export function levelNumber(level: Level | null): number {
  return level === null ? 0 : LEVELS.indexOf(level) + 1;
}

/** 0 for none. */
export function streamNumber(stream: NewLogLine['stream']): number {
  return stream === null ? 0 : stream === 'stdout' ? 1 : 2;
}

export function flagsOf(line: NewLogLine): number {
  return (
    streamNumber(line.stream) |
    (levelNumber(line.level) << 2) |
    (line.continues ? 32 : 0) |
    (line.cut > 0 ? 64 : 0)
  );
}

export const CUT = 64;

/** The line that flags, a time and a text tell. */
export function lineOf(seq: number, time: number, flags: number, cut: number, text: string): LogLine {
  const stream = flags & 3;
  return {
    seq,
    time,
    stream: stream === 0 ? null : stream === 1 ? 'stdout' : 'stderr',
    level: LEVELS[((flags >> 2) & 7) - 1] ?? null,
    text,
    cut,
    continues: (flags & 32) !== 0,
  };
}

/** A whole frame, its checksums included. */
export function buildFrame(
  header: Omit<FrameHeader, 'payloadBytes' | 'filterBytes' | 'columnsBytes' | 'ascii'>,
  filter: Uint8Array | null,
  columns: Uint8Array,
  text: Uint8Array,
): Buffer {
  const filterBytes = filter?.length ?? 0;
  const payloadBytes = filterBytes + columns.length + text.length;
  const frame = Buffer.allocUnsafeSlow(HEADER_BYTES + payloadBytes);
  if (filter) frame.set(filter, HEADER_BYTES);
  frame.set(columns, HEADER_BYTES + filterBytes);
  frame.set(text, HEADER_BYTES + filterBytes + columns.length);
  frame.writeUInt32LE(MAGIC, 0);
  frame.writeUInt32LE(payloadBytes, 4);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER_BYTES)), 8);
  frame.writeUInt8(KINDS.indexOf(header.kind), 12);
  frame.writeUInt8(isAscii(text) ? 1 : 0, 13);
  frame.writeUInt16LE(0, 14);
  frame.writeUInt32LE(header.source, 16);
  frame.writeUInt32LE(header.count, 20);
  frame.writeDoubleLE(header.firstSeq, 24);
  frame.writeDoubleLE(header.firstTime, 32);
  frame.writeDoubleLE(header.lastTime, 40);
  frame.writeUInt32LE(filterBytes, 48);
  frame.writeUInt32LE(columns.length, 52);
  frame.writeUInt32LE(header.levels, 56);
  frame.writeUInt32LE(crc32(frame.subarray(0, 60)), 60);
  return frame;
}

/** What stands in the header at an offset; undefined where no sound header is. */
export function readHeader(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return undefined;
  if (crc32(bytes.subarray(at, at + 60)) !== bytes.readUInt32LE(at + 60)) return undefined;
  const kind = KINDS[bytes.readUInt8(at + 12)];
  if (!kind) return undefined;
  return {
    kind,
    ascii: bytes.readUInt8(at + 13) === 1,
    source: bytes.readUInt32LE(at + 16),
    count: bytes.readUInt32LE(at + 20),
    firstSeq: bytes.readDoubleLE(at + 24),
    firstTime: bytes.readDoubleLE(at + 32),
    lastTime: bytes.readDoubleLE(at + 40),
    payloadBytes: bytes.readUInt32LE(at + 4),
    filterBytes: bytes.readUInt32LE(at + 48),
    columnsBytes: bytes.readUInt32LE(at + 52),
    levels: bytes.readUInt32LE(at + 56),
  };
}

/** Whether the whole frame is there and as it was written. */
export function isSound(bytes: Buffer, at: number, header: FrameHeader): boolean {
  const begin = at + HEADER_BYTES;
  const end = begin + header.payloadBytes;
  return end <= bytes.length && crc32(bytes.subarray(begin, end)) === bytes.readUInt32LE(at + 8);
}

/** What the columns of a frame say, unpacked; times only when somebody asks for them. */
export class Columns {
  /** Where the line's text ends, its line feed not counted; the next one begins right after that. */
  readonly ends: Uint32Array;
  readonly flags: Uint8Array;
  readonly cuts = new Map<number, number>();
  private readonly timesAt: number;
  private unpackedTimes: { times: Float64Array; effective: Float64Array } | undefined;

  constructor(
    private readonly packed: Buffer,
    private readonly header: FrameHeader,
  ) {
    const { count } = header;
    const cursor: Cursor = { at: 0 };
    this.ends = new Uint32Array(count);
    let end = -1;
    for (let index = 0; index < count; index += 1) {
      end += 1 + readNumber(packed, cursor);
      this.ends[index] = end;
    }
    // Copied: what it lies in is read into again.
    this.flags = Uint8Array.from(packed.subarray(cursor.at, cursor.at + count));
    cursor.at += count;
    for (let index = 0; index < count; index += 1) {
      if (((this.flags[index] as number) & CUT) !== 0) this.cuts.set(index, readNumber(packed, cursor));
    }
    this.timesAt = cursor.at;
  }

  get times(): Float64Array {
    return this.unpackTimes().times;
  }

  /** Running maximum of times. */
  get effective(): Float64Array {
    return this.unpackTimes().effective;
  }

  /** Gives its memory back. Nobody may read it any more. */
  giveBack(): void {
    const { times, effective } = this.unpackedTimes ?? {};
    for (const column of [this.ends, this.flags, times, effective]) {
      if (column) giveBack(new Uint8Array(column.buffer));
    }
  }

  private unpackTimes(): { times: Float64Array; effective: Float64Array } {
    if (this.unpackedTimes) return this.unpackedTimes;
    const { count, firstTime } = this.header;
    const times = new Float64Array(count);
    const effective = new Float64Array(count);
    const cursor: Cursor = { at: this.timesAt };
    let time = 0;
    let most = firstTime;
    for (let index = 0; index < count; index += 1) {
      const folded = readNumber(this.packed, cursor);
      time += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
      times[index] = time;
      if (time > most) most = time;
      effective[index] = most;
    }
    this.unpackedTimes = { times, effective };
    return this.unpackedTimes;
  }
}

/** A frame that is read. */
export class Frame {
  private unpacked: Columns | undefined;

  constructor(
    readonly header: FrameHeader,
    private readonly packed: Buffer,
    readonly text: Buffer,
  ) {}

  /** The frame at an offset; its bytes are not copied. */
  static at(bytes: Buffer, at: number, header: FrameHeader): Frame {
    const columns = at + HEADER_BYTES + header.filterBytes;
    const text = columns + header.columnsBytes;
    return new Frame(
      header,
      bytes.subarray(columns, text),
      bytes.subarray(text, at + HEADER_BYTES + header.payloadBytes),
    );
  }

  get columns(): Columns {
    this.unpacked ??= new Columns(this.packed, this.header);
    return this.unpacked;
  }

  /** Gives back what was unpacked, and the bytes that it was read into. Nobody may read it any more. */
  giveBack(bytes: Buffer | undefined): void {
    this.unpacked?.giveBack();
    if (bytes) giveBack(bytes);
  }

  get packedColumns(): Buffer {
    return this.packed;
  }

  get endSeq(): number {
    return this.header.firstSeq + this.header.count;
  }

  textOf(index: number): string {
    return this.text.toString(this.encoding, this.beginOf(index), this.columns.ends[index]);
  }

  /** Bytes of a line's text, or of as many characters of it. */
  bytesOf(index: number, characters = Infinity): number {
    const bytes = (this.columns.ends[index] as number) - this.beginOf(index);
    return Math.min(bytes, characters * (this.header.ascii ? 1 : MOST_BYTES));
  }

  /** @param characters of its text at most; a longer one is marked */
  line(index: number, characters = Infinity): LogLine {
    const { times, flags, cuts, ends } = this.columns;
    const begin = this.beginOf(index);
    // One more than is wanted tells that there are more; what is behind that is not decoded.
    const end = Math.min(ends[index] as number, begin + (characters + 1) * MOST_BYTES);
    const line = lineOf(
      this.header.firstSeq + index,
      times[index] as number,
      flags[index] as number,
      cuts.get(index) ?? 0,
      this.text.toString(this.encoding, begin, end),
    );
    return shorten(line, characters);
  }

  private get encoding(): 'latin1' | 'utf8' {
    return this.header.ascii ? 'latin1' : 'utf8';
  }

  /** Where in the text a line begins. */
  private beginOf(index: number): number {
    return index === 0 ? 0 : (this.columns.ends[index - 1] as number) + 1;
  }

  /** Index of the first line whose effective time is at least this; the count if there is none. */
  indexAt(time: number): number {
    const { effective } = this.columns;
    let low = 0;
    let high = effective.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((effective[middle] as number) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
