import { Lexer, visit, YAMLParseError, type Document } from 'yaml';

/** Lexemes after which a key may begin: line breaks, and the indicators of lists and complex keys. */
const BEFORE_KEY = /^(\r?\n|-|\?|:)$/;

/** A pair of halves, each of which go-yaml rejects, or the escape of JSON that it does not know. */
const ESCAPE = /\\(?:\/|u[dD][89a-fA-F])/;

/**
 * Errors of go-yaml in a document that the library accepts, in the order of its checks: `TAB_AS_INDENT`,
 * `BAD_DIRECTIVE`, `BAD_DQ_ESCAPE`. Empty if the document has other errors.
 */
export function goSyntaxErrors(document: Document.Parsed, text: string): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  if (document.errors.length > 0) return errors;
  const refuse = (code: YAMLParseError['code'], offset: number, message: string): void => {
    errors.push(new YAMLParseError([offset, offset + 1], code, message));
  };
  const tab = findTab(text.slice(0, document.range[2]));
  if (tab !== undefined) refuse('TAB_AS_INDENT', tab, 'Tabs are not allowed as indentation');
  const { explicit, version } = document.directives.yaml;
  if ((explicit && version !== '1.1') || document.warnings.some(({ code }) => code === 'BAD_DIRECTIVE')) {
    refuse('BAD_DIRECTIVE', 0, 'The only directive that is allowed is %YAML 1.1');
  }
  visit(document, {
    Scalar: (_, { type, range }) => {
      if (type !== 'QUOTE_DOUBLE' || !range) return;
      // A backslash may follow an escaped one.
      const at = text.slice(range[0], range[1]).replaceAll('\\\\', '..').search(ESCAPE);
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
