import { Lexer } from 'yaml';

/** Lexemes after which a key may begin: line breaks, and the indicators of lists and complex keys. */
const BEFORE_KEY = /^(\r?\n|-|\?|:)$/;

/**
 * The offset of the first tab where a key may begin outside flow collections, which go-yaml rejects also before a comment
 * and on a line of blanks; undefined without one.
 */
export function findTab(text: string): number | undefined {
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
