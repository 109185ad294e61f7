import { partsOf } from '../../core/lines/index.js';
import { plainText } from '../log-lines/index.js';

/** The part of a line that repeats, and what finds and hides such lines. */
export interface LinePattern {
  /** The message with `*` instead of numbers, ids, times and quoted values. */
  pattern: string;
  /** Finds lines with this pattern; in the syntax of JavaScript and of RE2. */
  regex: string;
  /** The longest constant part, to hide such lines by. */
  text: string;
}

/** Longer messages are truncated: their end does not tell patterns apart. */
const MAX_LENGTH = 300;

/** Quoted values, words, spaces, and single other characters. No two alternatives start alike. */
const TOKEN = /"[^"]*"?|[\w.:,@+-]+|\s+|[^\w.:,@+\s"-]/g;
/** Numbers, times, addresses, and names with numbers, such as `o-10216`. */
const VARIABLE_WORD = /^[+-]?\d|\d\d/;
const HEX = /^(?:0x)?[\da-f-]{8,}$/i;
/** Characters that a JSON line may show escaped, unlike its message. */
const ESCAPED = /[\\<>&]|[^\S ]/;
/** More gaps would let a regex backtrack for long. */
const MAX_GAPS = 4;

/** Characters of a regex that have a meaning. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

export function patternOf(line: string): LinePattern {
  const message = partsOf(plainText(line)).message.slice(0, MAX_LENGTH);
  const parts = splitMessage(message);
  const constants = parts.map((part) => part?.trim() ?? '');
  return {
    pattern: parts
      .map((part) => part ?? '*')
      .join('')
      .replace(/\s+/g, ' ')
      .trim(),
    regex: regexOf(parts),
    text: constants.reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
  };
}

/** Constant parts, and null for what varies. */
function splitMessage(message: string): (string | null)[] {
  const parts: (string | null)[] = [];
  for (const [token] of message.matchAll(TOKEN)) {
    const last = parts.at(-1);
    if (!isVariable(token)) {
      if (typeof last === 'string') parts[parts.length - 1] = last + token;
      else parts.push(token);
    } else if (last?.trim() === '' && parts.at(-2) === null) parts.pop();
    else if (last !== null) parts.push(null);
  }
  return parts;
}

function isVariable(token: string): boolean {
  return (
    token.startsWith('"') ||
    VARIABLE_WORD.test(token) ||
    ESCAPED.test(token) ||
    (HEX.test(token) && /\d/.test(token))
  );
}

function regexOf(parts: readonly (string | null)[]): string {
  const first = parts[0] === null ? 1 : 0;
  return parts
    .slice(first, first + 2 * MAX_GAPS + 1)
    .map((part, index, all) => {
      if (part !== null) return part.replace(SPECIAL, '\\$&');
      return index === all.length - 1 ? '' : '.+?';
    })
    .join('');
}
