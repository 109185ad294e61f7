import { isNode, isScalar, Lexer, visit, YAMLParseError, type Document } from 'yaml';
import { lookaheadError } from './go-lookahead.js';
import { hasContent, parseFirstYaml, withGoLineFeeds, type ParseYamlOptions } from './parse-yaml.js';

/** Lexemes after which a key may begin: line breaks, and the indicators of lists and complex keys. */
const BEFORE_KEY = /^(\r?\n|-|\?|:)$/;

const SEPARATOR = 'A value contains the character U+2028 or U+2029, which ends a line';
const TAB = 'Tabs are not allowed as indentation';

/** A block scalar with a tab in the indentation of its first line. */
const TAB_IN_BLOCK = /^[|>][-+]?(?:[ \t].*)?\n[ \n]*(?=\t)/;

const EXPLICIT = /(?:^|[\s[{,])\?\s+$/;
/** Behind a key, its colon. For go-yaml, the one in `{a:}` is part of a plain key. */
const BEFORE_VALUE = /\s*(?:#.*\n\s*)*:([,\]}])?/y;

/** A pair of halves, each of which go-yaml rejects, or the escape of JSON that it does not know. */
const ESCAPE = /\\(?:\/|u[dD][89a-fA-F])/;

/**
 * Parses the first document of a text, which is the one that go-yaml reads. `errors` are also those of go-yaml alone
 * (`TAB_AS_INDENT`, `BAD_DIRECTIVE`, `BAD_DQ_ESCAPE`), and those in the first tokens behind it, which it reads ahead.
 * `next` is the next document with content.
 */
export function parseGoYaml(
  given: string,
  options: ParseYamlOptions,
): { document: Document.Parsed; errors: YAMLParseError[]; next: Document.Parsed | undefined } {
  const text = withGoLineFeeds(given);
  const { document, others } = parseFirstYaml(text, options);
  const [, contentEnd] = document.range;
  const marker = /^(?:---|\.\.\.)(?=\s|$)/m.exec(text.slice(contentEnd));
  const end = marker ? contentEnd + marker.index : text.length;
  // The library also gives it errors of the next document.
  const own = document.errors.filter(({ pos: [at] }) => at <= end);
  const isValid = own.length === 0;
  const ahead = isValid && marker ? lookaheadError(text, contentEnd) : undefined;
  const errors = [
    ...own,
    ...(isValid ? [...tabErrors(text.slice(0, end)), ...goErrors(document, text, given)] : []),
    ...(ahead ? [ahead] : []),
  ];
  return { document, errors, next: others.find(hasContent) };
}

function tabErrors(text: string): YAMLParseError[] {
  const tab = findTab(text);
  if (tab === undefined) return [];
  return [new YAMLParseError([tab, tab + 1], 'TAB_AS_INDENT', TAB)];
}

/** Further errors of go-yaml in a document that the library accepts, in the order of its checks. */
function goErrors(document: Document.Parsed, text: string, given: string): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  const refuse = (code: YAMLParseError['code'], offset: number, message: string): void => {
    errors.push(new YAMLParseError([offset, offset + 1], code, message));
  };
  const { explicit, version } = document.directives.yaml;
  if ((explicit && version !== '1.1') || document.warnings.some(({ code }) => code === 'BAD_DIRECTIVE')) {
    refuse('BAD_DIRECTIVE', 0, 'The only directive that is allowed is %YAML 1.1');
  }
  visit(document, {
    Pair: (_, { key }) => {
      const [start = 0, end = 0] = (isNode(key) && key.range) || [];
      BEFORE_VALUE.lastIndex = end;
      const [before, after] = BEFORE_VALUE.exec(text) ?? [];
      if (before === undefined || EXPLICIT.test(text.slice(Math.max(0, start - 100), start))) return;
      if (text.slice(start, end + before.length).includes('\n')) {
        refuse('MULTILINE_IMPLICIT_KEY', start, 'A key and its colon must be on one line');
      } else if (after !== undefined && isScalar(key) && key.type === 'PLAIN') {
        refuse('UNEXPECTED_TOKEN', start, 'A colon must have a blank behind it');
      }
    },
    Scalar: (_, { type, range }) => {
      if (!range) return;
      const source = text.slice(range[0], range[1]);
      const separator = given.slice(range[0], range[1]).search(/[\u2028\u2029]/);
      if (separator >= 0) refuse('UNEXPECTED_TOKEN', range[0] + separator, SEPARATOR);
      const tab = TAB_IN_BLOCK.exec(source)?.[0].length;
      if (tab !== undefined) refuse('TAB_AS_INDENT', range[0] + tab, TAB);
      if (type !== 'QUOTE_DOUBLE') return;
      // A backslash may follow an escaped one.
      const at = source.replaceAll('\\\\', '..').search(ESCAPE);
      if (at >= 0) refuse('BAD_DQ_ESCAPE', range[0] + at, 'Write the character itself instead of its escape');
    },
  });
  return errors;
}

/**
 * The offset of the first tab where a key may begin outside flow collections, which go-yaml rejects also before a comment
 * and on a line of blanks; undefined without one.
 */
function findTab(text: string): number | undefined {
  let offset = 0;
  let depth = 0;
  let atKey = true;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer marks a scalar by a control character, and documents by another.
    if (lexeme === '\x1f' || lexeme === '\x02' || lexeme === '\x18') {
      isScalar = lexeme === '\x1f';
      continue;
    }
    if (isScalar) {
      isScalar = false;
      // A block scalar ends with its last line.
      atKey = lexeme.endsWith('\n');
    } else if (/^[ \t]+$/.test(lexeme)) {
      if (atKey && depth === 0 && lexeme.includes('\t')) return offset + lexeme.indexOf('\t');
    } else {
      if (lexeme === '[' || lexeme === '{') depth += 1;
      if (lexeme === ']' || lexeme === '}') depth -= 1;
      atKey = lexeme === ':' ? atKey : BEFORE_KEY.test(lexeme);
    }
    offset += lexeme.length;
  }
  return undefined;
}
