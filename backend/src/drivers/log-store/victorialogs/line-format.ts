import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LEVELS, MAX_LINE_LENGTH, STREAMS, type LogLine } from '../log-line.js';
import { isoTime } from './logsql.js';

export interface Entry {
  source: number;
  effective: number;
  line: LogLine;
}

/** A row as VictoriaLogs returns it: fields without a value are absent. */
export type Row = Readonly<Record<string, unknown>>;

/** Fields that `lineOf` needs. */
export const LINE_FIELDS =
  '_time,_msg,source,seq,level,stream,own_time,cut,continues,empty_line,number_text,packed_text';

/** VictoriaLogs replaces an empty message with a warning. The field `empty_line` marks such a line. */
const EMPTY_MESSAGE = '(empty line)';
/** VictoriaLogs drops rows of more than 256 KiB of JSON (-insert.maxLineSizeBytes). */
const MAX_ROW_BYTES = 250_000;
/** The searched part of a line whose JSON would be too long: one of control characters takes six bytes for each. */
const SEARCHED_LENGTH = 8192;

/**
 * VictoriaLogs stores a column of decimal numbers or addresses as numbers: `6.0` becomes `6`, and `1_000` becomes `1000`.
 * The field `number_text` has such a text behind a `=`, which keeps it as it is.
 */
export function isNumberLike(text: string): boolean {
  return text.length <= 32 && /^-?[\d._]+$/.test(text);
}

/** A line as a row of the endpoint `jsonline`. */
export function rowOf(store: string, block: number, { source, effective, line }: Entry): string {
  const { text, seq, level, stream, time, cut, continues } = line;
  const fields: Record<string, string | number> = {
    _time: isoTime(effective),
    _msg: text === '' ? EMPTY_MESSAGE : text,
    store,
    source,
    seq,
    block,
  };
  if (level !== null) fields['level'] = level;
  if (stream !== null) fields['stream'] = stream;
  if (time !== effective) fields['own_time'] = time;
  if (cut > 0) fields['cut'] = cut;
  if (continues) fields['continues'] = 1;
  if (text === '') fields['empty_line'] = 1;
  if (isNumberLike(text)) fields['number_text'] = `=${text}`;
  const row = JSON.stringify(fields);
  if (row.length * 3 <= MAX_ROW_BYTES || Buffer.byteLength(row) <= MAX_ROW_BYTES) return row;
  fields['_msg'] = text.slice(0, SEARCHED_LENGTH).toWellFormed();
  fields['packed_text'] = deflateRawSync(Buffer.from(text, 'utf16le')).toString('base64');
  return JSON.stringify(fields);
}

/** @throws Error if the row is not one that `rowOf` made. */
export function entryOf(row: Row): Entry {
  const seq = integerOf(row, 'seq');
  const effective = timeOf(row['_time']);
  const level = LEVELS.find((one) => one === row['level']) ?? null;
  const stream = STREAMS.find((one) => one === row['stream']) ?? null;
  const line: LogLine = {
    seq,
    time: row['own_time'] === undefined ? effective : integerOf(row, 'own_time'),
    stream,
    level,
    text: textOf(row),
    cut: row['cut'] === undefined ? 0 : integerOf(row, 'cut'),
    continues: row['continues'] !== undefined,
  };
  return { source: integerOf(row, 'source'), effective, line };
}

/** Order of a merge: effective time, source, number. */
export function compare(one: Place, other: Place): number {
  return one.effective - other.effective || one.source - other.source || one.seq - other.seq;
}

export interface Place {
  effective: number;
  source: number;
  seq: number;
}

export function placeOf({ effective, source, line }: Entry): Place {
  return { effective, source, seq: line.seq };
}

/** Microseconds of a time as VictoriaLogs writes it, with up to nine digits of a second. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') throw new Error('a row has no valid time');
  const [, seconds = '', fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(value) ?? [];
  const milliseconds = Date.parse(`${seconds}Z`);
  if (Number.isNaN(milliseconds)) throw new Error('a row has no valid time');
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

export function integerOf(row: Row, field: string): number {
  const found = row[field];
  const value = typeof found === 'number' || typeof found === 'string' ? Number(found) : NaN;
  if (found === '' || !Number.isSafeInteger(value)) throw new Error(`a row has no valid ${field}`);
  return value;
}

function textOf(row: Row): string {
  if (row['empty_line'] !== undefined) return '';
  const number = row['number_text'];
  if (typeof number === 'string') return number.slice(1);
  const packed = row['packed_text'];
  if (typeof packed === 'string') {
    const options = { maxOutputLength: MAX_LINE_LENGTH * 2 };
    return inflateRawSync(Buffer.from(packed, 'base64'), options).toString('utf16le');
  }
  const text = row['_msg'];
  if (typeof text !== 'string' || text.length > MAX_LINE_LENGTH) throw new Error('a row has no valid text');
  return text;
}
