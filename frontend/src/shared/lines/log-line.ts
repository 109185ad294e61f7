import type { Level, LineDto, LogKind, WireLine, WireMergedLine } from '../api/api-types';

export interface LogLine {
  readonly kind: 'line';
  readonly source: number;
  readonly seq: number;
  /** Microseconds since the epoch. */
  readonly time: number;
  /** Sort key: the latest time of its source so far. */
  readonly rank: number;
  readonly stream: 'stdout' | 'stderr' | null;
  readonly level: Level | null;
  /** The kind of a job log line. */
  readonly tone?: LogKind;
  /** At most `MAX_LINE_LENGTH` characters. */
  readonly text: string;
  readonly continues: boolean;
  readonly isCut: boolean;
}

/** A line by its source and number. */
export type LinePlace = Pick<LogLine, 'source' | 'seq'>;

/** Skipped lines of a source, because the page was too slow. The history has them. */
export interface LogGap {
  readonly kind: 'gap';
  readonly source: number;
  /** Sequence numbers, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly rank: number;
}

export type LogRow = LogLine | LogGap;

/** Characters in memory, including escapes; the line details load the rest. */
export const MAX_LINE_LENGTH = 4000;

const CONTINUES = 1;
const CUT = 2;
/** The server sent only the beginning. */
const SHORTENED = 4;
const STREAMS = [null, 'stdout', 'stderr'] as const;

/** @param rank of the previous line of the source; 0 if unknown */
export function readWireLine(source: number, wire: WireLine, rank: number): LogLine {
  const [seq, time, stream, level, text, flags] = wire;
  return {
    kind: 'line',
    source,
    seq,
    time,
    rank: Math.max(rank, time),
    stream: STREAMS[stream],
    level,
    text: truncated(text),
    continues: (flags & CONTINUES) !== 0,
    isCut: (flags & (CUT | SHORTENED)) !== 0 || text.length > MAX_LINE_LENGTH,
  };
}

/** The lines of a page, whose ranks never decrease. */
export function readPage(lines: readonly WireMergedLine[]): LogLine[] {
  let rank = 0;
  return lines.map(([source, ...wire]) => {
    const line = readWireLine(source, wire, rank);
    ({ rank } = line);
    return line;
  });
}

export function readLine(line: LineDto): LogLine {
  const time = microseconds(line.time);
  return {
    kind: 'line',
    source: line.source,
    seq: line.seq,
    time,
    rank: time,
    stream: line.stream,
    level: line.level,
    text: truncated(line.text),
    continues: line.continues,
    isCut: line.cut > 0 || line.shortened === true || line.text.length > MAX_LINE_LENGTH,
  };
}

export function compareRows(one: LogRow, other: LogRow): number {
  return one.rank - other.rank || one.source - other.source || seqOf(one) - seqOf(other);
}

/** Whether both are the same line. A gap is the same as its first line, which replaces it. */
export function isSameRow(one: LogRow, other: LogRow): boolean {
  return one.source === other.source && seqOf(one) === seqOf(other);
}

export function placeOf(row: LogRow): LinePlace {
  return { source: row.source, seq: seqOf(row) };
}

/** For a gap, that of its first line. */
function seqOf(row: LogRow): number {
  return row.kind === 'line' ? row.seq : row.from;
}

/** Keeps the microseconds of an RFC 3339 time. */
export function microseconds(time: string): number {
  const fraction = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? '';
  return Date.parse(time) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** RFC 3339 in UTC with microseconds. */
export function rfc3339(time: number): string {
  const millis = Math.floor(time / 1000);
  const micros = String(Math.floor(time % 1000)).padStart(3, '0');
  return new Date(millis).toISOString().replace('Z', `${micros}Z`);
}

export function truncated(text: string): string {
  if (text.length <= MAX_LINE_LENGTH) return text;
  // A substring keeps the whole string in memory; a copy does not.
  return JSON.parse(JSON.stringify(text.slice(0, MAX_LINE_LENGTH))) as string;
}
