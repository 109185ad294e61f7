import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  parseDocument,
  YAMLParseError,
  type Document,
  type DocumentOptions,
  type LineCounter,
  type Node,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';

export interface ParseYamlOptions extends Pick<SchemaOptions, 'customTags' | 'schema'> {
  /** `1.1` as Kubernetes and helm read it, `1.2` where nothing is said. */
  version?: '1.1' | '1.2';
  /** Filled with the lines of the text. */
  lines?: LineCounter;
  /** With `false`, the caller checks for duplicate keys. */
  uniqueKeys?: boolean;
}

const MAX_ALIASES = 100;

type LibraryOptions = ParseOptions & DocumentOptions & SchemaOptions;

/**
 * Parses a text of one document. Errors, also keys that are there twice, are in `errors` of the document, the first in
 * the text first.
 *
 * This is the one way to parse YAML: the library alone compares each key with each other one, which takes seconds for
 * 80 kB and hours for 5 MB (its option `uniqueKeys`).
 */
export function parseYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed {
  return checked(parseDocument(text, libraryOptions(options)), options);
}

/** The same for a text of several documents. There are none in an empty text. */
export function parseAllYaml(text: string, options: ParseYamlOptions = {}): Document.Parsed[] {
  const documents = parseAllDocuments(text, libraryOptions(options));
  return Array.isArray(documents) ? documents.map((document) => checked(document, options)) : [];
}

/**
 * The value of a text of one document.
 * @throws Error with the first thing that is wrong with the text, or that it repeats itself by aliases until it is too large.
 */
export function yamlValue(text: string, options: ParseYamlOptions = {}): unknown {
  const document = parseYaml(text, options);
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

function libraryOptions({ version, schema, customTags, lines }: ParseYamlOptions): LibraryOptions {
  return {
    ...(version === undefined ? {} : { version }),
    ...(schema === undefined ? {} : { schema }),
    ...(customTags === undefined ? {} : { customTags }),
    ...(lines === undefined ? {} : { lineCounter: lines }),
    prettyErrors: false,
    strict: true,
    logLevel: 'error',
    uniqueKeys: false,
  };
}

function checked(document: Document.Parsed, { uniqueKeys = true }: ParseYamlOptions): Document.Parsed {
  if (!uniqueKeys) return document;
  document.errors.push(
    ...repeatedKeys(document.contents).map(
      ({ range }) =>
        new YAMLParseError([range?.[0] ?? 0, range?.[1] ?? 0], 'DUPLICATE_KEY', 'Map keys must be unique'),
    ),
  );
  document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  return document;
}

/** Keys that their maps have already, found in one pass and without recursion. */
function repeatedKeys(contents: unknown): Node[] {
  const repeated: Node[] = [];
  const waiting: unknown[] = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) waiting.push(node.key, node.value);
    // One by one: the arguments of a call have a limit.
    else if (isSeq(node)) for (const item of node.items) waiting.push(item);
    else if (isMap(node)) {
      const seen = new Set<unknown>();
      for (const { key, value } of node.items) {
        waiting.push(key, value);
        // Several merges are several keys `<<`.
        if (!isNode(key) || !isScalar(key) || key.value === '<<' || typeof key.value === 'symbol') continue;
        if (seen.has(key.value)) repeated.push(key);
        seen.add(key.value);
      }
    }
  }
  return repeated;
}
