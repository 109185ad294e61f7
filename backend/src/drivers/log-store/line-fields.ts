import { jsonValue } from '../../core/parsing/index.js';
import { isRecord } from '../../core/values/index.js';

export interface LineFields {
  format: 'json' | 'logfmt' | null;
  /** In the order of the line; nested fields have dotted names. */
  fields: Record<string, string>;
}

/** Further and deeper fields are left out: a hostile line must not be expensive. */
const MAX_FIELDS = 500;
const MAX_DEPTH = 8;

/**
 * The fields of a line: those of a JSON object, or the logfmt pairs `name=value` anywhere in it. Values are as written,
 * strings without their quotes, lists as JSON.
 */
export function fieldsOf(text: string): LineFields {
  const found = new Map<string, string>();
  if (isObject(text)) {
    const value = jsonValue(text);
    if (isRecord(value)) {
      addFields(found, '', value, 0);
      return { format: 'json', fields: asRecord(found) };
    }
  }
  addPairs(found, text);
  return { format: found.size > 0 ? 'logfmt' : null, fields: asRecord(found) };
}

/** Defines own properties, also for a name such as `__proto__`. */
function asRecord(found: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(found);
}

function isObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}');
}

function addFields(
  found: Map<string, string>,
  prefix: string,
  value: Record<string, unknown>,
  depth: number,
): void {
  for (const [name, inner] of Object.entries(value)) {
    if (found.size >= MAX_FIELDS) return;
    const path = prefix + name;
    if (typeof inner === 'string') found.set(path, inner);
    else if (!isRecord(inner) || depth >= MAX_DEPTH) {
      found.set(path, JSON.stringify(inner));
    } else addFields(found, `${path}.`, inner, depth + 1);
  }
}

/**
 * A word, which may be `name=value` with a quoted value. `a==b` is a comparison. Control characters separate words as
 * spaces do, so that colors are no part of a value.
 */
const WORD = /([\w./@-]{1,100})=(?:"((?:[^"\\]|\\[^])*\\?)"?|(?!=)([^\0- ]+))|[^\0- ]+/g;

function addPairs(found: Map<string, string>, text: string): void {
  for (const [, name, quoted, plain = ''] of text.matchAll(WORD)) {
    if (found.size >= MAX_FIELDS) return;
    // A name that begins with a digit is a number in a sum.
    if (name === undefined || found.has(name) || /^\d/.test(name)) continue;
    found.set(name, quoted === undefined ? plain : unquoted(quoted));
  }
}

function unquoted(text: string): string {
  if (!text.includes('\\')) return text;
  const value = jsonValue(`"${text}"`);
  return typeof value === 'string' ? value : text;
}
