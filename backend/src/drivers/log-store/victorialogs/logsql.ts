import { escapeRegex } from '../../../core/search/index.js';

/**
 * The parts of LogsQL that the store uses. Every text becomes a quoted token, so that no text can end its token and
 * change the query.
 */

/** Quotes a text as LogsQL, which reads double quotes as Go does: JSON's escapes without lone surrogates. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

function fieldName(name: string): string {
  return /^[a-z_]+$/.test(name) ? name : quoted(name);
}

export function equals(field: string, value: string): string {
  return `${fieldName(field)}:=${quoted(value)}`;
}

/** Whether a field has a value other than the empty one, which is the same as not being there. */
export function isSet(field: string): string {
  return not(equals(field, ''));
}

/** Whether a field matches a regex of RE2. */
export function matches(field: string, regex: string): string {
  return `${fieldName(field)}:~${quoted(regex)}`;
}

/** Whether a field contains a text. VictoriaLogs searches a regex without operators as plain text. */
export function contains(field: string, text: string): string {
  return matches(field, escapeRegex(text.toWellFormed()));
}

export function compares(field: string, operator: '<' | '>' | '<=' | '>=', value: number): string {
  return `${fieldName(field)}:${operator}${integer(value)}`;
}

/** The streams of a store; null for all of its sources. */
export function streamsOf(store: string, sources: readonly number[] | null): string {
  const all = `store=${quoted(store)}`;
  if (sources === null) return `{${all}}`;
  return `{${all},source in (${sources.map((source) => quoted(integer(source))).join(',')})}`;
}

/** Lines from a time on and before another, in microseconds. */
export function between(from: number | null, to: number | null): string {
  const parts: string[] = [];
  if (from !== null) parts.push(`_time:>=${isoTime(from)}`);
  if (to !== null) parts.push(`_time:<${isoTime(to)}`);
  return allOf(parts);
}

/** Meets every condition; conditions that are empty meet all lines. */
export function allOf(conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== '').join(' ');
}

export function anyOf(conditions: readonly string[]): string {
  return `(${conditions.map((condition) => `(${condition})`).join(' or ')})`;
}

export function not(condition: string): string {
  return `!(${condition})`;
}

/** VictoriaLogs replaces the time 0 with its own clock, and stores nanoseconds in 64 bits. */
const EARLIEST = 1;
const LATEST = 9_000_000_000_000_000;

/** The last second and its text: most lines follow each other within one, and the text takes the longest to make. */
let lastSecond = { seconds: 0, text: '1970-01-01T00:00:00' };

/** Microseconds as a time that both a query and a row take, with nine digits so that it is one instant. */
export function isoTime(time: number): string {
  const bounded = storableTime(time);
  const seconds = Math.floor(bounded / 1_000_000);
  if (seconds !== lastSecond.seconds) {
    lastSecond = { seconds, text: new Date(seconds * 1000).toISOString().slice(0, 19) };
  }
  const fraction = String(bounded - seconds * 1_000_000).padStart(6, '0');
  return `${lastSecond.text}.${fraction}000Z`;
}

/** Nearest time that the database can store. */
export function storableTime(time: number): number {
  return Math.min(Math.max(Math.trunc(time), EARLIEST), LATEST);
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
  return String(value);
}
