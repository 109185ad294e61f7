/** A JSON, logfmt or klog line, with its message first. */
export interface StructuredLine {
  message: string;
  /** `name=value` pairs, without time and level: the row shows both. */
  fields: readonly string[];
}

/** More and longer fields are in the line details. */
const MAX_FIELDS = 40;
const MAX_VALUE = 300;

const MESSAGE_NAMES = [
  ...['message', 'msg', 'event', '@m', '@mt', '@message', 'short_message', 'body', 'Message', 'Body'],
  'log',
];
const SHOWN_NAMES = new Set([
  ...['time', 'ts', 'timestamp', '@timestamp', 't', '@t'],
  ...['level', 'lvl', 'severity', 'loglevel', 'log_level', 'log.level', 'levelname', 'level_name'],
  ...['severitytext', 'severity_text', 'severitynumber', '@l', '@level'],
]);

/** A pair of a logfmt line with the space behind it. Sticky: each character is read once. */
const PAIR = /([\w./@-]{1,100})=("(?:[^"\\]|\\[^])*"|[^\s"]*)(?:\s+|$)/y;
const KLOG = /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s{1,10}\d{1,10} ([^\s\]]{1,200})\] /;
const QUOTED = /^"(?:[^"\\]|\\[^])*"/;

/**
 * Reads a line of at most `MAX_LINE_LENGTH` characters without terminal escapes.
 * @returns null for a line of another format, or without a message
 */
export function structuredLine(text: string): StructuredLine | null {
  if (text.startsWith('{')) return readJson(text);
  const klog = KLOG.exec(text);
  return klog ? readKlog(text.slice(klog[0].length), klog[1] ?? '') : readLogfmt(text);
}

function readJson(text: string): StructuredLine | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  return withMessage(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      typeof inner === 'string' ? inner : JSON.stringify(inner),
    ]),
  );
}

function readLogfmt(text: string): StructuredLine | null {
  const pairs = readPairs(text);
  return pairs && withMessage(pairs);
}

function readKlog(text: string, place: string): StructuredLine {
  const quoted = QUOTED.exec(text)?.[0];
  const pairs = quoted === undefined ? null : readPairs(text.slice(quoted.length).trimStart());
  if (quoted === undefined || !pairs) return { message: text, fields: [place] };
  return { message: unquoted(quoted), fields: [...pairs.map(fieldText), place] };
}

type Pair = [name: string, value: string];

/** @returns null if the text has anything but pairs */
function readPairs(text: string): Pair[] | null {
  const pairs: Pair[] = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length && pairs.length <= MAX_FIELDS) {
    const [, name, value] = PAIR.exec(text) ?? [];
    if (name === undefined || value === undefined) return null;
    pairs.push([name, unquoted(value)]);
  }
  return pairs;
}

function withMessage(pairs: readonly Pair[]): StructuredLine | null {
  const key = MESSAGE_NAMES.find((name) => pairs.some(([other, value]) => other === name && value !== ''));
  const message = pairs.find(([name]) => name === key)?.[1];
  if (message === undefined) return null;
  const fields = pairs.filter(([name]) => name !== key && !SHOWN_NAMES.has(name.toLowerCase()));
  return { message, fields: fields.slice(0, MAX_FIELDS).map(fieldText) };
}

function fieldText([name, value]: Pair): string {
  const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  return `${name}=${/[\s"=]/.test(shown) && !shown.startsWith('{') ? JSON.stringify(shown) : shown}`;
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const value = parsed(text);
  return typeof value === 'string' ? value : text.slice(1, -1);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
