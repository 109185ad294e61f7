/** What a line says in a form that programs read. */
export interface LineFields {
  format: 'json' | 'logfmt' | null;
  /** In the order of the line; what is within objects under names with dots. */
  fields: Record<string, string>;
}

/** More of them are left out, so that a line made to be costly is not. */
const MOST_FIELDS = 500;
const DEEPEST = 8;

/**
 * The fields of a line: of an object of JSON, or the pairs `name=value` of logfmt, wherever in it they stand. Values
 * are as they were written, texts without their quotes, lists as JSON.
 */
export function fieldsOf(text: string): LineFields {
  const found = new Map<string, string>();
  if (isObject(text)) {
    const value = parse(text);
    if (value !== undefined) {
      addFields(found, '', value, 0);
      return { format: 'json', fields: asRecord(found) };
    }
  }
  addPairs(found, text);
  return { format: found.size > 0 ? 'logfmt' : null, fields: asRecord(found) };
}

/** Names come from outside: `__proto__` is one as any other. */
function asRecord(found: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(found);
}

function isObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}');
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function addFields(found: Map<string, string>, prefix: string, value: object, depth: number): void {
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (found.size >= MOST_FIELDS) return;
    const path = prefix + name;
    if (typeof inner === 'string') found.set(path, inner);
    else if (typeof inner !== 'object' || inner === null || Array.isArray(inner) || depth >= DEEPEST) {
      found.set(path, JSON.stringify(inner));
    } else addFields(found, `${path}.`, inner, depth + 1);
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/** Goes over the line once, from space to space. */
function addPairs(found: Map<string, string>, text: string): void {
  let at = 0;
  while (at < text.length && found.size < MOST_FIELDS) {
    while (at < text.length && text.charCodeAt(at) <= SPACE) at += 1;
    const start = at;
    while (at < text.length && isNamePart(text.charCodeAt(at))) at += 1;
    if (at > start && at - start <= 100 && text.charCodeAt(at) === EQUALS && at + 1 < text.length) {
      const { value, end } = readValue(text, at + 1);
      // A name that begins with a digit is a number in a sum, and `a==b` a comparison.
      if (!isDigit(text.charCodeAt(start)) && value !== undefined) {
        const name = text.slice(start, at);
        if (!found.has(name)) found.set(name, value);
      }
      at = end;
      continue;
    }
    while (at < text.length && text.charCodeAt(at) > SPACE) at += 1;
  }
}

function readValue(text: string, from: number): { value: string | undefined; end: number } {
  if (text.charCodeAt(from) === QUOTE) {
    let at = from + 1;
    while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    const end = Math.min(at, text.length);
    return { value: unquoted(text.slice(from + 1, end)), end: end + 1 };
  }
  let end = from;
  while (end < text.length && text.charCodeAt(end) > SPACE) end += 1;
  const value = text.slice(from, end);
  return { value: value === '' || value.startsWith('=') ? undefined : value, end };
}

function unquoted(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Letters, digits, `_`, `-`, `.`, `/`, `@`: the characters of names in logfmt and in klog pairs. */
function isNamePart(code: number): boolean {
  return (
    isDigit(code) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2f ||
    code === 0x40
  );
}
