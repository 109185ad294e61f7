import type { Level, LineDto, LogKind, WireLine, WireMergedLine } from '../api/api-types';

export interface LogLine {
  readonly kind: 'line';
  readonly source: number;
  readonly seq: number;
  /** Microseconds since the epoch. */
  readonly time: number;
  /** By which it is sorted: the latest time that its source had told by then. */
  readonly rank: number;
  readonly stream: 'stdout' | 'stderr' | null;
  readonly level: Level | null;
  /** What a job log says the line is; absent elsewhere. */
  readonly tone?: LogKind;
  /** At most `LONGEST_KEPT` characters. */
  readonly text: string;
  readonly continues: boolean;
  /** There is more of it than `text`. */
  readonly isCut: boolean;
}

/** Lines of a source that the page was too slow for; they are in the history. */
export interface LogGap {
  readonly kind: 'gap';
  readonly source: number;
  /** Sequence numbers, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly rank: number;
}

export type LogRow = LogLine | LogGap;

/** What is held of a line: more is in the details. Escapes count, so it is more than is shown. */
export const LONGEST_KEPT = 4000;

const CONTINUES = 1;
const CUT = 2;
/** The server told only its begin. */
const SHORTENED = 4;
const STREAMS = [null, 'stdout', 'stderr'] as const;

/** @param rank of the line before it in the same source; 0 where that is not known */
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
    text: keptText(text),
    continues: (flags & CONTINUES) !== 0,
    isCut: (flags & (CUT | SHORTENED)) !== 0 || text.length > LONGEST_KEPT,
  };
}

/** The lines of a page in its order, which the server made: a rank never falls on the way. */
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
    text: keptText(line.text),
    continues: line.continues,
    isCut: line.cut > 0 || line.shortened === true || line.text.length > LONGEST_KEPT,
  };
}

/** Order of the merge: time, then source. */
export function compareRows(one: LogRow, other: LogRow): number {
  return one.rank - other.rank || one.source - other.source || seqOf(one) - seqOf(other);
}

/** Of a gap, that of its first line. */
export function seqOf(row: LogRow): number {
  return row.kind === 'line' ? row.seq : row.from;
}

/** Of a time as RFC 3339; those beyond the milliseconds are kept. */
export function microseconds(time: string): number {
  const fraction = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? '';
  return Date.parse(time) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** As RFC 3339 in UTC, with microseconds. */
export function rfc3339(time: number): string {
  const millis = Math.floor(time / 1000);
  const micros = String(Math.floor(time % 1000)).padStart(3, '0');
  return new Date(millis).toISOString().replace('Z', `${micros}Z`);
}

/** What is held of a text. */
export function keptText(text: string): string {
  if (text.length <= LONGEST_KEPT) return text;
  // A part of a string keeps the whole of it in memory: a copy does not.
  return JSON.parse(JSON.stringify(text.slice(0, LONGEST_KEPT))) as string;
}
