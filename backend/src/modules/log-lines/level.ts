import type { Level } from '../../drivers/log-store/index.js';
import { levelOfNumber, levelOfName, MAX_NAME_LENGTH } from './level-names.js';

/** The level is at the start of a line. Later words belong to the message. */
const SCANNED_LENGTH = 120;
/** Maximum words to check there: date, time, zone, program, thread, and the level. */
const MAX_WORDS = 12;
/** How many characters of a JSON object are searched for its level. */
const SCANNED_JSON_LENGTH = 16_384;

const TAB = 9;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/**
 * Detects the level of a line; null if it has none. It scans the start or the JSON once, without backtracking: 1 to 2 µs
 * for any line.
 */
export function levelOf(text: string): Level | null {
  const start = skipSpaces(text, 0);
  const first = text.charCodeAt(start);
  if (first === OPEN_BRACE) return levelOfJson(text, start);
  return levelOfKlog(text, start) ?? levelOfPairs(text) ?? levelOfPrefix(text, start);
}

const KLOG: Readonly<Record<string, Level>> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' };

/** klog, the format of Kubernetes components: `E1121 09:44:02.117003`. */
function levelOfKlog(text: string, start: number): Level | null {
  if (text.charCodeAt(start + 5) !== SPACE) return null;
  const level = KLOG[text.charAt(start)];
  if (level === undefined) return null;
  for (let at = start + 1; at < start + 5; at += 1) if (!isDigit(text.charCodeAt(at))) return null;
  return isDigit(text.charCodeAt(start + 6)) ? level : null;
}

const PAIR_NAMES = ['level=', 'lvl=', 'severity='] as const;

/** logfmt: `level=warn` or `level="warn"`. */
function levelOfPairs(text: string): Level | null {
  for (const name of PAIR_NAMES) {
    const at = text.indexOf(name);
    if (at < 0 || at > 1024 || (at > 0 && text.charCodeAt(at - 1) !== SPACE)) continue;
    let from = at + name.length;
    if (text.charCodeAt(from) === QUOTE) from += 1;
    const level = levelOfValue(text, from);
    if (level) return level;
  }
  return null;
}

function levelOfValue(text: string, from: number): Level | null {
  let to = from;
  while (to < text.length && to - from <= MAX_NAME_LENGTH && isLetter(text.charCodeAt(to))) to += 1;
  if (to > from) return levelOfName(text.slice(from, to));
  while (to < text.length && to - from < 3 && isDigit(text.charCodeAt(to))) to += 1;
  return to > from ? levelOfNumber(Number(text.slice(from, to))) : null;
}

/** The first word at the start of the line that is written like a level. */
function levelOfPrefix(text: string, start: number): Level | null {
  const end = Math.min(text.length, start + SCANNED_LENGTH);
  let words = 0;
  let at = start;
  while (at < end && words < MAX_WORDS) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) {
      at = afterEscape(text, at);
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
    at = to;
  }
  return null;
}

/**
 * `ERROR`, `[warn]`, `<err>`, `info:` and similar. A separate word in capitals counts. In lowercase it counts only in
 * brackets, or among the first words before a colon, because sentences contain the same words.
 */
function levelAsWritten(text: string, from: number, to: number, place: number): Level | null {
  const before = from === 0 ? SPACE : text.charCodeAt(from - 1);
  const after = to >= text.length ? SPACE : text.charCodeAt(to);
  const bracketed = OPENS.has(before) && CLOSES.has(after);
  const labels = after === COLON && place <= 4;
  const colored = before === 0x6d;
  // The second letter rules out most words before a string is allocated.
  if (!(bracketed || labels || colored || isCapital(text.charCodeAt(from + 1)))) return null;
  if (!STARTS.has(before) || !ENDS.has(after)) return null;
  const word = text.slice(from, to);
  const capitals = word === word.toUpperCase();
  const onTerminal = colored && text.lastIndexOf('\x1b', from) >= from - 12;
  if (colored && !onTerminal) return null;
  if (!(capitals || bracketed || labels || (onTerminal && place <= 4))) return null;
  const level = levelOfName(word);
  // "LOG" and "FINE" are levels only before a colon: PostgreSQL writes `LOG:  `.
  if (level !== null && after !== COLON && /^(log|fine|alert)$/i.test(word)) return null;
  return level;
}

const codes = (characters: string): Set<number> => new Set(Buffer.from(characters, 'latin1'));
const OPENS = codes('[(<{');
const CLOSES = codes('])>}');
/** `m` ends an escape sequence that sets a color. */
const STARTS = codes('[(<{ \t|/:=m"\'-*#');
const ENDS = codes('])>} \t|/:;,\x1b"\'-!=');

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

const JSON_NAMES = new Set(['level', 'severity', 'lvl', 'loglevel', 'log.level', 'levelname']);

/** The value of the first level field of the outermost object. */
function levelOfJson(text: string, start: number): Level | null {
  const end = Math.min(text.length, start + SCANNED_JSON_LENGTH);
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code === QUOTE) {
      const close = endOfString(text, at + 1, end);
      if (depth === 1 && close - at <= 12 && text.charCodeAt(skipSpaces(text, close + 1)) === COLON) {
        if (JSON_NAMES.has(text.slice(at + 1, close).toLowerCase())) {
          const value = skipSpaces(text, skipSpaces(text, close + 1) + 1);
          const quoted = text.charCodeAt(value) === QUOTE;
          const level = levelOfValue(text, quoted ? value + 1 : value);
          if (level) return level;
        }
      }
      at = close;
    }
  }
  return null;
}

function endOfString(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return end;
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

/** Kind of each ASCII character. A table, because it is read for the first 120 characters of every line. */
const LETTER = 1;
const WORD_PART = 2;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (isLetter(code)) return LETTER;
  return isDigit(code) || code === 0x5f ? WORD_PART : 0;
});
