import { YAMLParseError } from 'yaml';

const BLANK = String.raw`(?=[ \t\r\n]|$)`;
/** `---` or `...` at the start of a line. */
const MARKER = String.raw`(?<=^|\n)(?:---|\.\.\.)${BLANK}`;
const URI = String.raw`(?:[-\w;/?:@&=+$,.!~*'()[\]]|%[0-9a-fA-F]{2})`;
const HEX = String.raw`(?:x[\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})`;
/** A plain scalar of several lines, by what a word of it may contain. */
const plain = (word: string): string =>
  String.raw`(?:[^\s\-?:,[\]{}#&*!|>'"%@\`]|[-?:](?![ \t\r\n]|$))(?:${word})*(?:[ \t\r\n]+(?!#|${MARKER})(?:${word})+)*[ \t\r\n]*`;
// eslint-disable-next-line no-restricted-syntax -- the sources are the constants of this file
const sticky = (source: string): RegExp => new RegExp(source, 'y');

const SPACES = { line: / *(?:#[^\r\n]*)?/y, inLine: /[ \t]*(?:#[^\r\n]*)?/y };
const DIRECTIVE = sticky(
  String.raw`%(?:YAML[ \t]+\d{1,9}\.\d{1,9}|TAG[ \t]+!(?:[-\w]*!)?[ \t]+${URI}+)[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)`,
);
const MARKERS = sticky(MARKER);
const INDICATOR = { block: sticky(`[-?:]${BLANK}`), flow: sticky(`[?:]|-${BLANK}`) };
/** Tokens after which a `:` ends a key. */
const KEY = {
  block: sticky(plain(String.raw`[^ \t\r\n:]|:(?![ \t\r\n]|$)`)),
  flow: sticky(plain(String.raw`[^ \t\r\n:,?[\]{}]|:(?![ \t\r\n]|$)`)),
  others: sticky(
    [
      String.raw`[&*][-\w]+(?=[\s?:,\]}%@\`]|$)`,
      String.raw`!(?:<${URI}+>|(?![-\w]*!(?:[ \t\r\n]|$))${URI}*|(?=[ \t\r\n]|$))${BLANK}`,
      String.raw`'(?:''|[^'\n]|\n(?!${MARKER}))*'`,
      // cspell:ignore abtnvfre
      String.raw`"(?:[^"\\\n]|\\(?:[0abtnvfre "'\\N_LP\t]|${HEX}|\r?(?=\n))|\n(?!${MARKER}))*"`,
    ].join('|'),
  ),
};
const BLOCK_SCALAR =
  /[|>](?:[-+][1-9]?|[1-9][-+]?)?[ \t]*(?:#[^\r\n]*)?(?![^\r\n])(?![ \r\n]*\t)(?:\r?\n(?: [^\r\n]*|(?=\r?\n|$)))*/y;

/**
 * The error of go-yaml in the text behind a document. It reads the marker there and two tokens ahead, but does not parse
 * them: `]`, or a key without an end, is no error.
 * @param start where the content of the document ends
 * @param text with line feeds as line breaks, of which a carriage return may be part
 */
export function lookaheadError(text: string, start: number): YAMLParseError | undefined {
  let at = start;
  let tokens = 0;
  let inFlow = false;
  let mayBeKey = start === 0 || text[start - 1] === '\n';
  let keyAt: number | undefined;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  while (tokens < 3) {
    take(mayBeKey && !inFlow ? SPACES.line : SPACES.inLine);
    if (take(/\r?\n/y) !== undefined) {
      mayBeKey = true;
      continue;
    }
    if (at >= text.length) return undefined;
    const from = at;
    const isLineStart = at === 0 || text[at - 1] === '\n';
    if (isLineStart && (take(MARKERS) ?? take(DIRECTIVE)) !== undefined) {
      [inFlow, keyAt, mayBeKey] = [false, undefined, false];
    } else if (take(/[[{]/y) !== undefined) {
      [inFlow, keyAt, mayBeKey] = [true, undefined, true];
    } else if (take(/[\]},]/y) !== undefined) {
      [inFlow, keyAt, mayBeKey] = [false, undefined, text[from] === ','];
    } else if (take(inFlow ? INDICATOR.flow : INDICATOR.block) !== undefined) {
      const endsKey = text[from] === ':' && keyAt !== undefined && !text.slice(keyAt, from).includes('\n');
      if (!inFlow) return mayBeKey || endsKey ? undefined : failed(from);
    } else if (!inFlow && take(BLOCK_SCALAR) !== undefined) {
      [keyAt, mayBeKey] = [undefined, true];
    } else {
      const found = take(KEY.others) ?? take(inFlow ? KEY.flow : KEY.block);
      if (found === undefined) return failed(from);
      // Only a plain scalar includes the lines behind it.
      [keyAt, mayBeKey] = [mayBeKey ? from : undefined, /\n[ \t\r]*$/.test(found)];
    }
    tokens += 1;
  }
  return undefined;
}

function failed(at: number): YAMLParseError {
  return new YAMLParseError([at, at + 1], 'UNEXPECTED_TOKEN', 'The next document begins with wrong syntax');
}
