import {
  isMap,
  isScalar,
  type Node,
  parseFirstYaml,
  stringify,
  type YAMLMap,
} from '../../core/yaml/index.js';
import { AS_TEXT, KindConfigDecoder } from './decode-kind-config.js';
import type { KindConfig } from './kind-config.js';
import { kindConfigSchema } from './kind-config.schema.js';

type Path = (string | number)[];
type Pairs = YAMLMap<Node, Node | null>;

interface Edit {
  start: number;
  end: number;
  inserted: string;
}

/** A change can also change what is read from its aliases, which then get values of their own. */
const MAX_ROUNDS = 10;

/** The config in a text without errors. */
export function decodeKindConfig(text: string): KindConfig {
  return decoderOf(text)?.value as KindConfig;
}

/**
 * Changes the text of a valid config where it differs from a wanted one, which has further or other fields. Every other
 * byte stays. A text whose aliases prevent that is replaced.
 */
export function editKindConfig(text: string, wanted: KindConfig): string {
  let edited = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoder = decoderOf(edited);
    if (!decoder) break;
    const changes = differences(wanted, decoder.value, []);
    if (changes.length === 0) return edited;
    edited = withEdits(edited, decoder, changes);
  }
  return stringify(wanted, { lineWidth: 0 });
}

function decoderOf(text: string): KindConfigDecoder | undefined {
  const { document } = parseFirstYaml(text, AS_TEXT);
  return document.errors.length === 0 ? new KindConfigDecoder(document, kindConfigSchema) : undefined;
}

function differences(wanted: unknown, present: unknown, path: Path): [Path, unknown][] {
  if (wanted === present) return [];
  const isList = Array.isArray(wanted);
  if (!isObject(wanted) || !isObject(present) || (isList && wanted.length !== Object.keys(present).length)) {
    return [[path, wanted]];
  }
  return Object.entries(wanted).flatMap(([key, value]) =>
    differences(value, present[key], [...path, isList ? Number(key) : key]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withEdits(text: string, decoder: KindConfigDecoder, changes: [Path, unknown][]): string {
  // Aliases of a map have the same edits.
  const edits = new Map<string, Edit>();
  for (const [path, value] of changes) {
    const edit = editOf(text, decoder.nodeOf(path.slice(0, -1)), String(path.at(-1)), value);
    edits.set(JSON.stringify(edit), edit);
  }
  // From the end, and of several at one place the first one last, so that it comes first.
  return [...edits.values()]
    .reverse()
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end, inserted }) => rest.slice(0, start) + inserted + rest.slice(end), text);
}

function editOf(text: string, map: unknown, name: string, value: unknown): Edit {
  if (!isMap<Node, Node | null>(map)) throw new Error(`${name} is not in a map`);
  const own = map.items.find(({ key }) => isScalar(key) && key.source === name);
  return own ? replacement(text, own, value) : insertion(text, map, name, value);
}

/** A value for one line, or a key. */
function inLine(value: unknown, isQuoted: boolean): string {
  return isQuoted
    ? JSON.stringify(value)
    : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

function isJson(text: string): boolean {
  return /^\s*\{\s*"/.test(text);
}

function replacement(text: string, { key, value }: Pairs['items'][number], wanted: unknown): Edit {
  const isQuoted = isScalar(value) && value.type === 'QUOTE_DOUBLE' && value.source !== '';
  const written = inLine(wanted, isQuoted || isJson(text));
  const afterKey = key.range?.[1] ?? 0;
  const colon = /^\s*:/.exec(text.slice(afterKey))?.[0];
  const start = afterKey + (colon?.length ?? 0);
  // A key in a flow map, such as `{image}`, may have no colon.
  if (colon === undefined || !value?.range) return at(start, `${colon === undefined ? ':' : ''} ${written}`);
  const [from, end] = value.range;
  const anchor = isScalar(value) && value.anchor !== undefined ? `&${value.anchor} ` : '';
  // A tag may not fit the new value.
  if (isScalar(value) && value.tag !== undefined) return { start, end, inserted: ` ${anchor}${written}` };
  if (isScalar(value) && value.source === '' && value.type === 'PLAIN') {
    return {
      start,
      end: Math.max(end, start),
      inserted: ` ${anchor}${written}${text[end] === '#' ? ' ' : ''}`,
    };
  }
  return { start: from, end, inserted: written };
}

/** Inserts below the texts and numbers that a map begins with, such as `role`, or else before its first field. */
function insertion(text: string, map: Pairs, name: string, value: unknown): Edit {
  const start = map.range?.[0] ?? 0;
  if (map.flow) {
    const field = `${inLine(name, isJson(text))}: ${inLine(value, isJson(text))}`;
    const blank = /^\{\s*/.exec(text.slice(start))?.[0].length ?? 1;
    return at(start + blank, map.items.length > 0 ? `${field}, ` : field);
  }
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const newLine = lineBreak + ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const field = stringify({ [name]: value }, { lineWidth: 0, indentSeq: false })
    .trimEnd()
    .replaceAll('\n', newLine);
  const first = map.items.findIndex(
    ({ value: other }) => !isScalar(other) || other.type?.startsWith('BLOCK'),
  );
  if (first === 0) return at(start, field + newLine);
  const [, end = 0] = map.items.at(first === -1 ? -1 : first - 1)?.value?.range ?? [];
  const rest = /\r?\n|$/.exec(text.slice(end))?.index ?? 0;
  return at(end + rest, newLine + field);
}

function at(start: number, inserted: string): Edit {
  return { start, end: start, inserted };
}
