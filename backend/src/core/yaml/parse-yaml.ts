import {
  Composer,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  YAMLParseError,
  type CST,
  type Document,
  type LineCounter,
  type ParsedNode,
  type SchemaOptions,
} from 'yaml';
import { MAX_ON_MAIN_THREAD } from '../work/is-large.js';
import { isWorkProcess } from '../work/serve-work.js';
import { DocumentCheck, MAX_DEPTH } from './check-document.js';

/** Maximum number of nodes, including keys: a megabyte of lines with 34 characters, each a key and a value. */
const MAX_VALUES = 60_000;
/** Maximum number of lexemes, including spaces and line breaks: a key and its value have seven. */
const MAX_LEXEMES = 8 * MAX_VALUES;

interface Problem {
  offset: number;
  message: string;
}

export interface ParseYamlOptions extends Pick<SchemaOptions, 'customTags' | 'resolveKnownTags' | 'schema'> {
  /** `1.1` is what Kubernetes and helm use; the default is `1.2`. */
  version?: '1.1' | '1.2';
  /** Receives the line starts of the text. */
  lines?: LineCounter;
  /** With `false`, the caller checks for duplicate keys. */
  uniqueKeys?: boolean;
}

/** `DocumentCheck` finds duplicate keys, in linear time. */
const LIBRARY_OPTIONS = { prettyErrors: false, strict: true, logLevel: 'error', uniqueKeys: false } as const;

/**
 * Parses a single document. Its `errors` are in the order of the text. They include duplicate keys, maps or lists as
 * keys, aliases that repeat too much (`BAD_ALIAS`), and more than 100 levels or 60,000 values (`RESOURCE_EXHAUSTION`).
 * `toValue` converts a document without errors.
 *
 * All YAML is parsed here, in linear time. The library alone compares all keys with each other, and needs minutes for
 * 2 kB of `{{{{…`.
 * @throws Error outside a work process for a text above `MAX_ON_MAIN_THREAD`. `WorkProcess.forAnySize` parses those.
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed {
  const { document, others } = parseFirstYaml(text, options);
  const second = others.find(hasContent);
  if (second) {
    const [start, end] = second.range;
    document.errors.push(
      new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'There is more than one document'),
    );
  }
  return document;
}

/** Whether a document is more than a closing `---` and comments. */
export function hasContent({ contents, errors }: Document.Parsed): boolean {
  const isEmpty = contents === null || (isScalar(contents) && contents.range[0] === contents.range[1]);
  return !isEmpty || errors.length > 0;
}

/** The same for the first document of a text that may have more. @returns the others, which may have errors. */
export function parseFirstYaml(
  text: string,
  options: ParseYamlOptions = {},
): { document: Document.Parsed; others: Document.Parsed[] } {
  const [document, ...others] = documentsOf(text, options, true);
  if (!document) throw new Error('the library has parsed no document');
  return { document, others };
}

/** The same for several documents. An empty text has no documents. */
export function parseAllYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed[] {
  return documentsOf(text, options, false);
}

/**
 * Parses the value of a single document.
 * @throws Error for the first problem in the text.
 */
export function yamlValue(text: string, options: ParseYamlOptions = {}): unknown {
  const document = parseYaml(text, options);
  const [error] = document.errors;
  if (error) throw error;
  return toValue(document);
}

/** The value of a document without errors. */
export function toValue(document: Document): unknown {
  // `DocumentCheck` has limited the aliases; the library would visit the whole document for each of them.
  return document.toJS({ maxAliasCount: -1 });
}

function documentsOf(text: string, options: ParseYamlOptions, atLeastOne: boolean): Document.Parsed[] {
  if (!isWorkProcess() && Buffer.byteLength(text) > MAX_ON_MAIN_THREAD) {
    throw new Error(`YAML above ${MAX_ON_MAIN_THREAD} bytes must be parsed in a work process`);
  }
  const { lines, uniqueKeys = true, ...given } = options;
  const { tokens, problem } = tokensOf(withLineFeeds(text), lines);
  const cut = tokens.flatMap((token) => (token.type === 'document' ? cutHugeValue(token) : []));
  if (problem) cut.push(problem);
  const composer = new Composer<ParsedNode>({ ...given, ...LIBRARY_OPTIONS });
  const documents = withoutStackTraces(() => [
    ...composer.compose(tokens, atLeastOne || problem !== undefined, text.length),
  ]);
  for (const { offset, message } of cut) {
    documents
      .findLast(({ range }) => range[0] <= offset)
      ?.errors.push(new YAMLParseError([offset, offset + 1], 'RESOURCE_EXHAUSTION', message));
  }
  for (const document of documents) {
    const found = withoutStackTraces(() => DocumentCheck.of(document, uniqueKeys));
    // Not `push(...found)`, since the number of arguments is limited.
    for (const error of found) document.errors.push(error);
    document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  }
  return documents;
}

/** A text of the same length. The library does not know that a lone CR and U+0085 end a line, as they do in Go. */
function withLineFeeds(text: string): string {
  return text.replace(/\r(?!\n)|\u0085/g, '\n');
}

/** The same with the characters that also end a line for go-yaml, which keeps them in values. */
export function withGoLineFeeds(text: string): string {
  return withLineFeeds(text).replace(/[\u2028\u2029]/g, '\n');
}

/** The syntax of a text, up to a limit. */
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

/** Removes the value of a document that nests too deeply or has too many values. @returns the problem, if any. */
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

/** A text can have an error at each character, and stack traces would take most of the time. */
function withoutStackTraces<TResult>(work: () => TResult): TResult {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function nodeAt(document: Document.Parsed, path: (string | number)[]): unknown {
  return path.reduce<unknown>((node, key) => {
    if (isSeq(node)) return node.items[Number(key)];
    const fields = isMap(node) ? node.items : [];
    // Of a repeated key, the last one counts.
    return fields.findLast(({ key: own }) => isScalar(own) && own.value === key)?.value;
  }, document.contents);
}
