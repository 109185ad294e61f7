import { ObjectReader, objectStart } from '../../core/lines/index.js';
import { levelOfName } from '../../core/search/index.js';
import type { Level } from '../../drivers/log-store/index.js';
import {
  AMBIGUOUS,
  BRACKETED,
  FIELDS,
  FIELDS_OF_FORMATS,
  LETTERS,
  levelOfNumber,
  levelOfPriority,
  MAX_NAME_LENGTH,
  PAIR_NAMES,
  PARENTS,
  REDIS_MARKS,
} from './levels.js';
import { levelOfSignale } from './signale.js';

/** The level is at the start of a line. Later words belong to the message. */
const SCANNED_LENGTH = 120;
/** Maximum words to check there: date, time, zone, program, thread, and the level. */
const MAX_WORDS = 12;
/** How many characters of a JSON object are searched for its level. */
const SCANNED_JSON_LENGTH = 16_384;

const TAB = 9;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const OPEN_PARENTHESIS = 0x28;
const DOT = 0x2e;
const SLASH = 0x2f;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const PIPE = 0x7c;

/**
 * Detects the level of a line; null if it has none. It scans the start or the JSON once, without backtracking: 1 to 2 µs
 * for any line.
 */
export function levelOf(text: string): Level | null {
  const start = skipSpaces(text, 0);
  const first = text.charCodeAt(start);
  if (first === OPEN_BRACE && text.charCodeAt(start + 1) === QUOTE) return levelOfObject(text, start);
  const unit = first === OPEN_BRACKET ? SYSTEMD.exec(text)?.[1] : undefined;
  if (unit !== undefined) return unit === 'DEPEND' ? 'warn' : 'error';
  const visible = text.charCodeAt(first === ESCAPE ? afterEscape(text, start) : start);
  const isSignale = visible > 0x2000 || (visible === OPEN_BRACKET && text.lastIndexOf('›', 200) > 0);
  const ofSignale = isSignale ? levelOfSignale(text) : null;
  if (ofSignale) return ofSignale;
  const isLogfmt = startsWithPair(text, start);
  const level = isLogfmt ? levelOfPairs(text) : first === LESS ? levelOfSyslog(text, start) : null;
  if (level) return level;
  const object = objectStart(text);
  if (object === start) return levelOfObject(text, object);
  return (
    levelOfPrefix(text, start, object < 0 ? text.length : object) ??
    (object < 0 ? null : levelOfObject(text, object)) ??
    (isLogfmt ? null : levelOfPairs(text))
  );
}

/** systemd on the console. */
const SYSTEMD = /^\[(?:\x1b\[[\d:;]{1,16}m)?(FAILED|DEPEND| TIME )(?:\x1b\[0m)?\] /;

/** `<3>` and `<34>1 ` of syslog: the facility times eight, plus the priority. */
function levelOfSyslog(text: string, start: number): Level | null {
  const priority = /^<(\d{1,3})>/.exec(text.slice(start, start + 5))?.[1];
  return priority === undefined || Number(priority) > 191 ? null : levelOfPriority(Number(priority) % 8);
}

function startsWithPair(text: string, start: number): boolean {
  const equals = text.indexOf('=', start);
  return equals > start && equals < text.indexOf(' ', start);
}

/** logfmt: `level=warn` or `level="warn"`, outside of quotes. */
function levelOfPairs(text: string): Level | null {
  for (const name of PAIR_NAMES) {
    let at = text.indexOf(name);
    while (at > 0 && at <= 1024 && (text.charCodeAt(at - 1) > SPACE || isQuoted(text, at))) {
      at = text.indexOf(name, at + name.length);
    }
    if (at < 0 || at > 1024) continue;
    const level = levelOfValue(text, at + name.length);
    if (level) return level;
  }
  return null;
}

/** Whether a value in quotes begins before this position and ends behind it. */
function isQuoted(text: string, at: number): boolean {
  let inside = false;
  for (let quote = text.indexOf('"'); quote >= 0 && quote < at; quote = text.indexOf('"', quote + 1)) {
    if (text.charAt(quote - 1) !== '\\') inside = !inside;
  }
  return inside;
}

function levelOfValue(text: string, start: number): Level | null {
  let from = start;
  if (text.charCodeAt(from) === ESCAPE) from = afterEscape(text, from);
  if (text.charCodeAt(from) === QUOTE || text.charCodeAt(from) === APOSTROPHE) from += 1;
  let to = from;
  while (to < text.length && to - from <= MAX_NAME_LENGTH && isLetter(text.charCodeAt(to))) to += 1;
  if (to > from) return levelOfName(text.slice(from, to));
  while (to < text.length && to - from < 3 && isDigit(text.charCodeAt(to))) to += 1;
  return to > from ? levelOfNumber(Number(text.slice(from, to))) : null;
}

/** The first word at the start of the line that is written like a level. */
function levelOfPrefix(text: string, start: number, limit: number): Level | null {
  const end = Math.min(limit, start + SCANNED_LENGTH);
  let words = 0;
  let at = start;
  while (at < end && words < MAX_WORDS) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) {
      at = afterEscape(text, at);
      continue;
    }
    if (code === QUOTE) {
      at = afterQuoted(text, at);
      continue;
    }
    if (code > 0x7f || KINDS[code] !== LETTER) {
      at += 1;
      continue;
    }
    let to = at + 1;
    const most = Math.min(text.length, at + MAX_NAME_LENGTH + 2);
    while (to < most && (KINDS[text.charCodeAt(to)] ?? 0) !== 0) to += 1;
    words += 1;
    const length = to - at;
    if (length >= 3 && length <= MAX_NAME_LENGTH) {
      const level = levelAsWritten(text, at, to, words);
      if (level) return level;
    }
    if (isCapital(code) && (length === 1 || isDigit(text.charCodeAt(at + 1)))) {
      const level = levelOfLetter(text, at, to);
      if (level) return level;
    }
    at = to;
  }
  return null;
}

/** A quoted text is no place of a level, apart from one in CSV: `"ERROR"`. */
function afterQuoted(text: string, at: number): number {
  const close = text.indexOf('"', at + 1);
  if (close < 0) return at + 1;
  return close - at <= MAX_NAME_LENGTH + 1 && levelOfName(text.slice(at + 1, close)) ? at + 1 : close + 1;
}

/**
 * `ERROR`, `[warn]`, `<err>`, `info:` and similar. A separate word in capitals counts. In lowercase it counts only in
 * brackets or columns, or among the first words before a colon, because sentences contain the same words.
 */
function levelAsWritten(text: string, from: number, to: number, place: number): Level | null {
  const before = from === 0 ? SPACE : text.charCodeAt(from - 1);
  const after = to >= text.length ? SPACE : text.charCodeAt(to);
  const labels = (after === COLON && place <= 5) || (place === 2 && text.startsWith('npm '));
  const colored = before === 0x6d;
  const bracketed = isBracketed(text, from, to, before, after);
  // The second letter rules out most words before a string is allocated.
  const leads = place === 1 && /^ \[\d/.test(text.slice(to, to + 3));
  const begins = bracketed || labels || leads || colored || isCapital(text.charCodeAt(from + 1));
  const timed = !begins && before === SPACE && after === SPACE && place <= 4 && isBehindTime(text, from);
  if (!begins && !timed) return null;
  if (!(bracketed || is(STARTS, before) || startsOther(before, after, from))) return null;
  if (!is(ENDS, after)) return null;
  const word = text.slice(from, to);
  const capitals = word === word.toUpperCase();
  const onTerminal = colored && text.lastIndexOf('\x1b', from) >= from - 12;
  if (colored && !onTerminal) return null;
  if (!(capitals || bracketed || labels || leads || timed || (onTerminal && place <= 4))) return null;
  const level = levelOfName(word);
  if (level === null || bracketed) return level;
  if (word === 'error' && text.startsWith('fatal ', from - 6)) return 'fatal';
  if (BRACKETED.test(word)) return null;
  if (timed && !capitals && AMBIGUOUS.test(word)) return null;
  return after !== COLON && AMBIGUOUS.test(word) && !/\d/.test(text.slice(0, from)) ? null : level;
}

/** `[warn]`, `[ info]`, `[core:error]`, `[main/INFO]`, `| info |`, `|Info|`, between tabs, or after a symbol: `✖  error  `. */
function isBracketed(text: string, from: number, to: number, before: number, after: number): boolean {
  if (is(OPENS, before)) {
    return is(CLOSES, after) || (after === SPACE && is(CLOSES, text.charCodeAt(skipSpaces(text, to))));
  }
  if (is(CLOSES, after)) {
    if (before === SPACE) return is(OPENS, text.charCodeAt(spacesBefore(text, from) - 1));
    const divides = before === COLON || before === SLASH;
    return divides && after === CLOSE_BRACKET && text.lastIndexOf('[', from) > text.lastIndexOf(']', from);
  }
  if (before === TAB || before === PIPE) return after === before;
  if (before !== SPACE || after !== SPACE) return false;
  if (text.charCodeAt(from - 2) === SPACE && text.charCodeAt(from - 3) > 0x2000) return true;
  const isColumn = text.charCodeAt(from - 2) === PIPE;
  return isColumn && text.charCodeAt(skipSpaces(text, to)) === PIPE;
}

/** `2026-11-27 10:00:00 warn `: only a time comes before. */
function isBehindTime(text: string, from: number): boolean {
  const last = text.charCodeAt(spacesBefore(text, from) - 1);
  return (isDigit(last) || 'Z]:'.includes(String.fromCharCode(last))) && TIME.test(text.slice(0, from));
}

const TIME = /^[\s[(]{0,8}\d[\d\-/.:,TZ+ ]{6,40}\]?\s{1,4}$/;

/** `app.ERROR:` of Monolog, and `=INFO REPORT====` of Erlang. */
function startsOther(before: number, after: number, from: number): boolean {
  return before === DOT ? after === COLON : before === EQUALS && from === 1;
}

/** One letter as the level: of klog, Redis, capnslog, Telegraf, and in brackets. */
function levelOfLetter(text: string, from: number, to: number): Level | null {
  const before = from === 0 ? SPACE : text.charCodeAt(from - 1);
  const after = text.charCodeAt(to);
  const letter = text.charAt(from);
  if (before === SPACE && isDigit(text.charCodeAt(from - 2)) && TIMED.test(text.slice(from, from + 24))) {
    return LETTERS[letter] ?? null;
  }
  if (to - from > 1) return before === SPACE || before === OPEN_BRACKET ? levelOfKlog(text, from, to) : null;
  if (before === COLON && ['X', 'C', 'S', 'M'].includes(letter)) {
    const mark = REDIS.exec(text.slice(to, to + 32))?.[1];
    return (mark !== undefined && REDIS_MARKS[mark]) || null;
  }
  const level = LETTERS[letter];
  if (level === undefined) return null;
  if (before === OPEN_PARENTHESIS) return from === 6 && text.startsWith('SLF4J(') ? level : null;
  if (after === EXCLAMATION) return before === SPACE && text.charCodeAt(to + 1) === SPACE ? level : null;
  if (before === OPEN_BRACKET) {
    return after === CLOSE_BRACKET || (after === SPACE && isDigit(text.charCodeAt(to + 1))) ? level : null;
  }
  const isColumn = before === SPACE && text.startsWith(' | ', to);
  return isColumn && isDigit(text.charCodeAt(from - 2)) ? level : null;
}

/** Before version 4.4: `2026-11-29T08:12:01.123+0000 E STORAGE  [main] `. Ray: `[2026-11-27 10:00:00,123 E 12 34] `. */
const TIMED = /^(?:F|E|W|I|D[1-5]?) (?:[A-Z_-]{1,15} +\[|\d{1,8} \d{1,8}\] )/;
const REDIS = /^ \d\d? [A-Z][a-z]{2} (?:\d{4} )?\d\d:\d\d:\d\d\.\d{3} ([.*#-]) /;

/** klog, the format of Kubernetes components, and glog: `E1121 09:44:02.117003`, also with a year. */
function levelOfKlog(text: string, from: number, to: number): Level | null {
  const level = 'IWEF'.includes(text.charAt(from)) ? LETTERS[text.charAt(from)] : undefined;
  const length = to - from;
  if (level === undefined || length % 2 === 0 || length < 5 || length > 9) return null;
  return /^[A-Z]\d{4,8} \d\d:\d\d:/.test(text.slice(from, to + 7)) ? level : null;
}

/** Roles of a character beside a word. A table, because it is read for each word. */
const OPENS = 1;
const CLOSES = 2;
/** `m` ends an escape sequence that sets a color. */
const STARTS = 4;
const ENDS = 8;
const ROLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const role = (characters: string, bit: number): number =>
    characters.includes(String.fromCharCode(code)) ? bit : 0;
  return (
    role('[(<{', OPENS) |
    role('])>}', CLOSES) |
    role('[(<{ \t|:;,m"\'-*#', STARTS) |
    role('])>}[ \t|/:;,\x1b"\'-!', ENDS)
  );
});

function is(role: number, code: number): boolean {
  return ((ROLES[code] ?? 0) & role) !== 0;
}

function afterEscape(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== OPEN_BRACKET) return at + 1;
  let end = at + 2;
  while (end < text.length && end - at < 24) {
    const code = text.charCodeAt(end);
    end += 1;
    if (code >= 0x40 && code <= 0x7e) break;
  }
  return end;
}

/** The value of the first field of an object that has the level. */
function levelOfObject(text: string, start: number): Level | null {
  const limit = Math.min(text.length, start + SCANNED_JSON_LENGTH);
  const level = levelOfMembers(text, start, limit, '');
  if (level !== null) return level;
  // klog has a verbosity instead, and none for an error.
  if (text.startsWith('{"ts":', start) && text.includes('"caller":', start)) {
    return text.includes('"v":', start) ? 'info' : text.includes('"err":', start) ? 'error' : null;
  }
  // Kibana and hapi.
  const tags = text.indexOf('"tags":["', start);
  if (tags >= 0) return levelOfValue(text, tags + '"tags":['.length);
  // Serilog leaves out the level if it is information.
  if (!text.includes('"@t"', start)) return null;
  return text.includes('"@m', start) || text.includes('"@i"', start) ? 'info' : null;
}

function levelOfMembers(text: string, start: number, limit: number, path: string): Level | null {
  const reader = new ObjectReader(text, start, limit);
  let found: { name: string; level: Level } | null = null;
  while (reader.next()) {
    const { nameFrom, nameTo, from, to } = reader;
    if (path === '' && INITIALS[text.charCodeAt(nameFrom)] !== 1) continue;
    const name = text.slice(nameFrom, nameTo);
    if (found && found.name !== name) continue;
    const level = levelOfMember(text, reader, path + name);
    if (level === null) continue;
    // A later member with the same name counts, as for its field. Short texts are found fast.
    if (!text.includes(text.slice(nameFrom, nameTo + 1), to)) return level;
    found = { name, level };
    if (from >= limit) break;
  }
  return found?.level ?? null;
}

function levelOfMember(text: string, reader: ObjectReader, path: string): Level | null {
  const { from, to } = reader;
  if (reader.isObject) {
    return PARENTS.has(path) ? levelOfMembers(text, from, to, `${path}.`) : null;
  }
  if (to - from > MAX_VALUE_LENGTH) return null;
  // A number of one digit has no scale that is common.
  const isSpecial = path !== 'level' || to - from === 1;
  const own = isSpecial && FIELDS_OF_FORMATS.find(([name, sign]) => name === path && sign.test(text))?.[2];
  const scale = (own || FIELDS.get(path)) ?? FIELDS.get(path.toLowerCase());
  return scale?.(reader.isString ? text.slice(from + 1, to - 1) : text.slice(from, to)) ?? null;
}

const MAX_VALUE_LENGTH = 32;
/** First characters of the names of fields. */
const INITIALS = tableOf(
  [...FIELDS.keys(), 'label', 'priority'].map((name) => name.charAt(0) + name.charAt(0).toUpperCase()),
);

function spacesBefore(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at - 1) === SPACE) at -= 1;
  return at;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isLetter(code: number): boolean {
  return isCapital(code) || (code >= 0x61 && code <= 0x7a);
}

function tableOf(texts: readonly string[]): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    texts.join('').includes(String.fromCharCode(code)) ? 1 : 0,
  );
}

/** Kind of each ASCII character. A table, because it is read for the first 120 characters of every line. */
const LETTER = 1;
const WORD_PART = 2;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (isLetter(code)) return LETTER;
  return isDigit(code) || code === 0x5f ? WORD_PART : 0;
});
