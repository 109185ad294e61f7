import type { Level } from '../../drivers/log-store/index.js';
import { levelOfNumber, levelOfWord, LONGEST_WORD } from './level-words.js';

/** A level stands at the beginning of a line; what comes later is what the line is about. */
const LOOKED_AT = 120;
/** Words that are looked at there: date, time, zone, program, thread, and the level. */
const MOST_WORDS = 12;
/** How far into an object of JSON its level is looked for. */
const LOOKED_AT_JSON = 16_384;

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
 * The level that a line names, null where it names none. It goes once over its beginning, or over its JSON, without
 * expressions that could go back: a microsecond or two for any line.
 */
export function levelOf(text: string): Level | null {
  const start = skipBlank(text);
  const first = text.charCodeAt(start);
  if (first === OPEN_BRACE) return levelOfJson(text, start);
  return levelOfKlog(text, start) ?? levelOfPairs(text) ?? levelOfPrefix(text, start);
}

function skipBlank(text: string): number {
  let at = 0;
  while (at < text.length && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at += 1;
  return at;
}

const KLOG: Readonly<Record<string, Level>> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' };

/** klog, as all of Kubernetes writes: `E1121 09:44:02.117003`. */
function levelOfKlog(text: string, start: number): Level | null {
  if (text.charCodeAt(start + 5) !== SPACE) return null;
  const level = KLOG[text.charAt(start)];
  if (level === undefined) return null;
  for (let at = start + 1; at < start + 5; at += 1) if (!isDigit(text.charCodeAt(at))) return null;
  return isDigit(text.charCodeAt(start + 6)) ? level : null;
}

const PAIR_NAMES = ['level=', 'lvl=', 'severity='] as const;

/** logfmt: `level=warn`, its value bare or in quotes. */
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
  while (to < text.length && to - from <= LONGEST_WORD && isLetter(text.charCodeAt(to))) to += 1;
  if (to > from) return levelOfWord(text.slice(from, to));
  while (to < text.length && to - from < 3 && isDigit(text.charCodeAt(to))) to += 1;
  return to > from ? levelOfNumber(Number(text.slice(from, to))) : null;
}

/** The first word of the line's beginning that stands as a level does. */
function levelOfPrefix(text: string, start: number): Level | null {
  const end = Math.min(text.length, start + LOOKED_AT);
  let words = 0;
  let at = start;
  while (at < end && words < MOST_WORDS) {
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
    const most = Math.min(text.length, at + LONGEST_WORD + 2);
    while (to < most && (KINDS[text.charCodeAt(to)] ?? 0) !== 0) to += 1;
    words += 1;
    const length = to - at;
    if (length >= 3 && length <= LONGEST_WORD) {
      const level = levelAsWritten(text, at, to, words);
      if (level) return level;
    }
    at = to;
  }
  return null;
}

/**
 * `ERROR`, `[warn]`, `<err>`, `info:` and their like: in capitals it counts where it stands by itself, in small letters
 * only between brackets, or among the first words before a colon, since sentences hold the same words.
 */
function levelAsWritten(text: string, from: number, to: number, place: number): Level | null {
  const before = from === 0 ? SPACE : text.charCodeAt(from - 1);
  const after = to >= text.length ? SPACE : text.charCodeAt(to);
  const bracketed = OPENS.has(before) && CLOSES.has(after);
  const announces = after === COLON && place <= 4;
  const colours = before === 0x6d;
  // Most words are out of the question by their second letter, before anything is made of them.
  if (!(bracketed || announces || colours || isCapital(text.charCodeAt(from + 1)))) return null;
  if (!STARTS.has(before) || !ENDS.has(after)) return null;
  const word = text.slice(from, to);
  const capitals = word === word.toUpperCase();
  const onTerminal = colours && text.lastIndexOf('\x1b', from) >= from - 12;
  if (colours && !onTerminal) return null;
  if (!(capitals || bracketed || announces || (onTerminal && place <= 4))) return null;
  const level = levelOfWord(word);
  // "LOG" and "FINE" mean a level only where somebody announces it: PostgreSQL writes `LOG:  `.
  if (level !== null && after !== COLON && /^(log|fine|alert)$/i.test(word)) return null;
  return level;
}

const codes = (characters: string): Set<number> => new Set(Buffer.from(characters, 'latin1'));
const OPENS = codes('[(<{');
const CLOSES = codes('])>}');
/** `m` ends an escape that sets a colour. */
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

/** The value of the first name of a level in the outermost object; what is within other objects is theirs. */
function levelOfJson(text: string, start: number): Level | null {
  const end = Math.min(text.length, start + LOOKED_AT_JSON);
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

/** What a character is in a word: looked up, since every line's first 120 are. */
const LETTER = 1;
const WORD_PART = 2;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (isLetter(code)) return LETTER;
  return isDigit(code) || code === 0x5f ? WORD_PART : 0;
});
