import { jsonValue } from '../parsing/index.js';
import type { FieldValue } from './field-value.js';
import { requestFields } from './request-fields.js';
import { ObjectReader, afterSpaces, objectStart } from './line-object.js';

export interface LineFields {
  format: 'json' | 'logfmt' | 'access' | null;
  /**
   * In the order of the line; nested fields have dotted names. A name occurs twice only if one of the two is dotted in the
   * line itself.
   */
  pairs: FieldValue[];
  /** Whether the line has no other text. */
  isWhole: boolean;
}

/** Further and deeper fields are left out: a hostile line must not be expensive. */
const MAX_FIELDS = 500;
const MAX_DEPTH = 8;
/** Monolog writes two: the context and what was added to it. */
const MAX_OBJECTS = 3;

/** The fields of a line: those of its JSON object, or else of its request and its logfmt pairs. */
export function fieldsOf(text: string): LineFields {
  const start = text.includes('{') ? objectStart(text) : -1;
  const found = start < 0 ? null : fieldsOfObjects(text, start);
  if (found) {
    const prefix = text.slice(0, start).trim();
    return { format: 'json', pairs: withPrefix(prefix, found), isWhole: prefix === '' };
  }
  const { pairs, isWhole } = pairsOf(text);
  const request = requestFields(text);
  if (request.length > 0) return { format: 'access', pairs: withOthers(pairs, request), isWhole: false };
  return { format: pairs.length > 0 ? 'logfmt' : null, pairs, isWhole };
}

/** Sidekiq and others write pairs before the object. */
function withPrefix(prefix: string, found: FieldValue[]): FieldValue[] {
  return prefix.includes('=') ? withOthers(pairsOf(prefix).pairs, found) : found;
}

function withOthers(others: readonly FieldValue[], found: readonly FieldValue[]): FieldValue[] {
  return [...others.filter((pair) => !found.some(({ name }) => name === pair.name)), ...found];
}

/** Whether a line has a field with exactly this value. Any colon of `name:value` may be the one that separates them. */
export function hasField(pairs: readonly FieldValue[], { name, value }: FieldValue): boolean {
  const wanted = `${name}:${value}`;
  return pairs.some(
    (pair) =>
      pair.name.length + 1 + pair.value.length === wanted.length &&
      wanted.startsWith(pair.name) &&
      wanted.endsWith(pair.value) &&
      wanted.charAt(pair.name.length) === ':',
  );
}

/** The fields of the objects up to the end of the line; null if they are no JSON. */
function fieldsOfObjects(text: string, start: number): FieldValue[] | null {
  const found = new Map<string, FieldValue>();
  let at = start;
  for (let count = 0; count < MAX_OBJECTS && text.startsWith('{', at); count += 1) {
    const end = addFields(found, text, at, [], text.length);
    if (end < 0) return null;
    at = afterSpaces(text, end);
    // An empty list is an empty object of PHP.
    if (text.startsWith('[]', at)) at = afterSpaces(text, at + 2);
  }
  return at < text.length ? null : [...found.values()];
}

/**
 * Adds the fields of an object. The last of several members with the same name counts, as in other readers of JSON.
 * @param path names of the objects around it
 * @returns the position behind it; negative if it is no JSON
 */
function addFields(
  found: Map<string, FieldValue>,
  text: string,
  start: number,
  path: readonly string[],
  limit: number,
): number {
  const reader = new ObjectReader(text, start, limit);
  while (reader.next()) {
    const { nameFrom, nameTo, from, to } = reader;
    if (to > limit) return -1;
    const name = valueText(text.slice(nameFrom - 1, nameTo + 1));
    if (name === undefined) return -1;
    const names = [...path, name];
    if (reader.isObject && names.length <= MAX_DEPTH) {
      if (addFields(found, text, from, names, to) < 0) return -1;
      continue;
    }
    const value = valueText(text.slice(from, to));
    if (value === undefined) return -1;
    if (found.size < MAX_FIELDS) found.set(names.join('\0'), { name: names.join('.'), value });
  }
  return reader.end;
}

/** A string without its quotes, or another JSON value as text; undefined if it is no JSON. */
function valueText(json: string): string | undefined {
  if (json.startsWith('"') && !json.includes('\\')) return json.slice(1, -1);
  // Python writes them.
  if (/^(?:NaN|-?Infinity)$/.test(json)) return json;
  const value = jsonValue(json);
  if (value === undefined) return undefined;
  // A number keeps its digits: `1.0`, `1e3`, `9007199254740993`.
  return typeof value === 'string' ? value.toWellFormed() : json;
}

/**
 * A word, which may be `name=value`, each in quotes or without, also in brackets or behind the name of a span:
 * `pay{id=7}: `. A value may be a list: `[a b]`. `a==b` is a comparison. Control characters separate words as spaces do, so
 * that colors are no part of a value.
 */
const WORD =
  /(?:\[(?:[\d;]{0,30}m)?|[\w:.}-]{0,100}[({])?(?:"([^"\\=\0-\x1f]{1,100})"(?==)|([^\0- "'=?&+,;(){}[\]<>]{1,100}))(?:\x1b\[[\d;]{0,30}m)?=(?:\x1b\[[\d;]{0,30}m)?(?:"((?:[^"\\]|\\[^])*\\?)"?|'((?:[^'\\]|\\[^])*)'(?=[\0- ,;)\]}]|$)|(?![=>])(\[[^\]\0-\x1f]{0,120}\](?=[\0- ,;]|$)|(?:[^\0- }]|\}(?!:))*))|[^\0- ]+/g;

function pairsOf(text: string): Pick<LineFields, 'pairs' | 'isWhole'> {
  const found = new Map<string, FieldValue>();
  let hasValue = false;
  let isWhole = text.includes('=');
  if (!isWhole) return { pairs: [], isWhole };
  for (const [, quotedName, word, quoted, single, plain = ''] of text.matchAll(WORD)) {
    if (found.size >= MAX_FIELDS) break;
    const name = quotedName ?? word;
    // A name that begins with a digit is a number in a sum.
    if (name === undefined || found.has(name) || /^\d|:\/\//.test(name)) {
      isWhole = false;
      continue;
    }
    const value =
      quoted === undefined ? (single?.replace(/\\(['\\])/g, '$1') ?? withoutEnd(plain)) : unquoted(quoted);
    hasValue ||= value !== '' || quoted !== undefined || single !== undefined;
    found.set(name, { name, value });
  }
  // `a= b` alone is no field.
  return { pairs: hasValue ? [...found.values()] : [], isWhole };
}

/** Of a list, `mode=a, port=7`, and of the last pair in brackets: `[node id=7]`. */
function withoutEnd(value: string): string {
  const end = value.replace(/[,;]$/, '');
  const opening = { ')': '(', ']': '[', '}': '{' }[end.slice(-1)];
  return opening !== undefined && !end.includes(opening) ? end.slice(0, -1) : end;
}

function unquoted(text: string): string {
  return text.includes('\\') ? (valueText(`"${text}"`) ?? text) : text;
}
