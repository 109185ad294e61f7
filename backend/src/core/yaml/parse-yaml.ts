import { isMainThread } from 'node:worker_threads';
import {
  Composer,
  Lexer,
  Parser,
  YAMLParseError,
  type CST,
  type Document,
  type DocumentOptions,
  type LineCounter,
  type ParsedNode,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';
import { MAX_ON_MAIN_THREAD } from '../threads/is-large.js';
import { DocumentCheck, MAX_DEPTH } from './check-document.js';

/** Of a document, keys among them: a megabyte in lines of 34 characters has as many, each a key and its value. */
const MAX_VALUES = 60_000;
/** Signs, blanks and line breaks of the whole text: a key and its value have seven. */
const MAX_LEXEMES = 8 * MAX_VALUES;

interface Problem {
  offset: number;
  message: string;
}

export interface ParseYamlOptions extends Pick<SchemaOptions, 'customTags' | 'schema'> {
  /** `1.1` as Kubernetes and helm read it, `1.2` where nothing is said. */
  version?: '1.1' | '1.2';
  /** Filled with the lines of the text. */
  lines?: LineCounter;
  /** With `false`, the caller checks for duplicate keys. */
  uniqueKeys?: boolean;
}

type LibraryOptions = ParseOptions & DocumentOptions & SchemaOptions;

/**
 * Parses a text of one document. `errors` of the document has what is wrong, the first in the text first: also duplicate
 * keys, keys that are maps or lists, aliases that repeat too much (`BAD_ALIAS`), and more than 100 levels
 * or 60,000 values (`RESOURCE_EXHAUSTION`). A document without errors can be turned into a value by `toValue`.
 *
 * This is the one way to parse YAML, and takes linear time. The library by itself compares each key with each other one,
 * and descends again from each level of `{{{{…` that its recursion cannot hold: 2 kB of it take minutes.
 * @throws Error on the main thread for a text above `MAX_ON_MAIN_THREAD`. `WorkThread.forAnySize` parses those.
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed {
  const [document, second] = documentsOf(text, options, true);
  if (!document) throw new Error('the library has parsed no document');
  if (second) {
    const [start, end] = second.range;
    document.errors.push(
      new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'There is more than one document'),
    );
  }
  return document;
}

/** The same for a text of several documents. There are none in an empty text. */
export function parseAllYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed[] {
  return documentsOf(text, options, false);
}

/**
 * The value of a text of one document.
 * @throws Error with the first thing that is wrong with the text.
 */
export function yamlValue(text: string, options: ParseYamlOptions = {}): unknown {
  const document = parseYaml(text, options);
  const [error] = document.errors;
  if (error) throw error;
  return toValue(document);
}

/** The value of a document without errors. */
export function toValue(document: Document): unknown {
  // Aliases have been counted, and the library would go through the whole document for each of them.
  return document.toJS({ maxAliasCount: -1 });
}

function documentsOf(text: string, options: ParseYamlOptions, atLeastOne: boolean): Document.Parsed[] {
  if (isMainThread && Buffer.byteLength(text) > MAX_ON_MAIN_THREAD) {
    throw new Error(`YAML above ${MAX_ON_MAIN_THREAD} bytes must be parsed in a thread`);
  }
  const { tokens, problem } = tokensOf(text, options.lines);
  const cut = tokens.flatMap((token) => (token.type === 'document' ? cutHugeValue(token) : []));
  if (problem) cut.push(problem);
  const composer = new Composer<ParsedNode>(libraryOptions(options));
  const documents = withoutStackTraces(() => [
    ...composer.compose(tokens, atLeastOne || problem !== undefined, text.length),
  ]);
  for (const { offset, message } of cut) {
    documents
      .findLast(({ range }) => range[0] <= offset)
      ?.errors.push(new YAMLParseError([offset, offset + 1], 'RESOURCE_EXHAUSTION', message));
  }
  for (const document of documents) {
    const found = withoutStackTraces(() => DocumentCheck.of(document, options.uniqueKeys ?? true));
    // One by one: the arguments of a call have a limit.
    for (const error of found) document.errors.push(error);
    document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  }
  return documents;
}

/** The syntax of a text, as far as it is not too much. */
function tokensOf(text: string, lines: LineCounter | undefined): { tokens: CST.Token[]; problem?: Problem } {
  const parser = new Parser(lines?.addNewLine);
  lines?.addNewLine(0);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) {
      return { tokens: [], problem: { offset: 0, message: `Has more than ${MAX_VALUES} values` } };
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  return { tokens: [...tokens, ...parser.end()] };
}

/** Takes the value from a document that nests too deeply or has too many values. @returns where and why, or nothing. */
function cutHugeValue(document: CST.Document): Problem[] {
  const waiting: { token: CST.Token | null | undefined; depth: number }[] = [
    { token: document.value, depth: 1 },
  ];
  let values = 0;
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const { token, depth } = entry;
    if (!token) continue;
    values += 1;
    const hasItems = 'items' in token;
    const isTooDeep = hasItems && depth > MAX_DEPTH;
    if (isTooDeep || values > MAX_VALUES) {
      document.value = undefined;
      const message = isTooDeep
        ? `Nests deeper than ${MAX_DEPTH} levels`
        : `Has more than ${MAX_VALUES} values`;
      return [{ offset: token.offset, message }];
    }
    if (!hasItems) continue;
    for (const item of token.items) {
      if ('key' in item) waiting.push({ token: item.key, depth: depth + 1 });
      waiting.push({ token: item.value, depth: depth + 1 });
    }
  }
  return [];
}

function libraryOptions({ version, schema, customTags }: ParseYamlOptions): LibraryOptions {
  return {
    ...(version === undefined ? {} : { version }),
    ...(schema === undefined ? {} : { schema }),
    ...(customTags === undefined ? {} : { customTags }),
    prettyErrors: false,
    strict: true,
    logLevel: 'error',
    uniqueKeys: false,
  };
}

/** A text can have an error at each of its characters, and a stack trace takes longer than all else. */
function withoutStackTraces<TResult>(work: () => TResult): TResult {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
