import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllYaml,
  toValue,
  type Document,
  type Node,
} from '../../../core/yaml/index.js';
import { asSentence } from '../../../core/errors/reason-of.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { kubernetesYaml } from './kubernetes-yaml.js';

/** An object out of a text. */
export interface Manifest {
  /** Its place among the objects of the text, from 1. */
  index: number;
  /** Where it begins, from 1. */
  line: number;
  object: KubernetesObject;
}

/** A document that is no object. */
export interface BrokenManifest {
  index: number;
  line: number;
  /** A sentence that names document and line. */
  problem: string;
  /** As far as it can be told. */
  kind: string | null;
  name: string | null;
}

export type ParsedManifest = Manifest | BrokenManifest;

export const MAX_OBJECTS = 500;
const API_VERSION = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?v[a-z0-9]{1,62}$/;
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/;
/** Written out, they mean what the same text means without them. */
const PLAIN_TAGS = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq|merge))$/;

export function isBroken(manifest: ParsedManifest): manifest is BrokenManifest {
  return 'problem' in manifest;
}

/** Fields to find in an object of a text, by its place among the objects. */
export interface WantedFields {
  index: number;
  /** `spec.replicas`, most telling first. */
  fields: readonly string[];
}

/**
 * Reads every object of a text of many documents; lists are taken apart. A document that cannot be read does not
 * hide the others. Without objects there is nothing in it.
 */
export function parseManifests(text: string): ParsedManifest[] {
  return readEntries(text).map((entry): ParsedManifest => {
    if ('problem' in entry) return entry;
    const { index, line, object } = entry;
    return { index, line, object };
  });
}

/** The line of the first field that an object has, by the object's place; undefined where it has none of them. */
export function findFieldLines(
  text: string,
  wanted: readonly WantedFields[],
): Map<number, number | undefined> {
  const entries = readEntries(text);
  return new Map(
    wanted.map(({ index, fields }) => {
      const entry = entries[index - 1];
      const lines = entry && 'lineOf' in entry ? fields.map((field) => entry.lineOf(field)) : [];
      return [index, lines.find((line) => line !== undefined)];
    }),
  );
}

type ReadManifest = Manifest & {
  /** Where a field is; undefined where the text does not have it. */
  lineOf: (field: string) => number | undefined;
};
type Entry = Omit<ReadManifest, 'index'> | Omit<BrokenManifest, 'index'>;

function readEntries(given: string): (ReadManifest | BrokenManifest)[] {
  // Editors of Windows put a byte order mark before the text, which says nothing in UTF-8.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const lines = new LineCounter();
  const found: (ReadManifest | BrokenManifest)[] = [];
  for (const document of documentsOf(text, lines)) {
    const isEmpty =
      document.contents === null || (isScalar(document.contents) && document.contents.value === null);
    if (document.errors.length === 0 && isEmpty) continue;
    for (const entry of objectsOf(document, lines)) {
      const index = found.length + 1;
      found.push(
        'problem' in entry
          ? { ...entry, index, problem: `Document ${index}, line ${entry.line}: ${entry.problem}` }
          : { ...entry, index },
      );
      // One more than are allowed tells that there are too many.
      if (found.length > MAX_OBJECTS) return found;
    }
  }
  return found;
}

function documentsOf(text: string, lines: LineCounter): Document.Parsed[] {
  // The walk below looks for keys that are there twice, as Kubernetes compares them.
  return parseAllYaml(text, { ...kubernetesYaml, lines, uniqueKeys: false });
}

function objectsOf(document: Document.Parsed, lines: LineCounter): Entry[] {
  const start = lineAt(document.contents, lines) ?? lines.linePos(document.range[0]).line;
  const broken = (line: number, problem: string): Entry[] => [{ line, problem, ...guess(document) }];
  const [error] = document.errors;
  if (error) return broken(lines.linePos(error.pos[0]).line, sentenceOf(error));
  const hazard = findHazard(document);
  if (hazard) return broken(lineAt(hazard.node, lines) ?? start, hazard.problem);
  return unfold(toValue(document), [], document, lines, start);
}

/** What is wrong with the text, without a word of it. */
function sentenceOf({ code, message }: Document.Parsed['errors'][number]): string {
  switch (code) {
    case 'RESOURCE_EXHAUSTION':
      return `it ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
    case 'NON_STRING_KEY':
      return 'it has a key that is not text.';
    case 'BAD_ALIAS':
      return message.startsWith('Unresolved')
        ? 'it is not valid YAML: it has an alias of an anchor that is not there. Text that begins with * needs quotes.'
        : 'it repeats itself by aliases until it is too large.';
    default:
      return `it is not valid YAML: ${endSentence(message)}`;
  }
}

/** A list, of whatever kind, stands for what it holds. */
function unfold(
  value: unknown,
  path: (string | number)[],
  document: Document.Parsed,
  lines: LineCounter,
  line: number,
): Entry[] {
  const { kind, items, metadata } = (value ?? {}) as {
    kind?: unknown;
    items?: unknown;
    metadata?: { name?: unknown };
  };
  if (
    path.length < 6 &&
    typeof kind === 'string' &&
    kind.endsWith('List') &&
    Array.isArray(items) &&
    metadata?.name === undefined
  ) {
    return items.slice(0, MAX_OBJECTS + 1).flatMap((item, index) => {
      const inner = [...path, 'items', index];
      const place = lineAt(nodeAt(document, inner), lines) ?? line;
      return unfold(item, inner, document, lines, place);
    });
  }
  const problem = problemOf(value);
  if (problem !== undefined) return [{ line, problem, ...nameOf(value) }];
  const object = value as KubernetesObject;
  return [
    {
      line,
      object,
      lineOf: (field) => lineAt(nodeAt(document, [...path, ...pathOf(field)]), lines),
    },
  ];
}

/** What keeps a value from being an object of Kubernetes at all; the rest is the server's to say. */
function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is not an object: apiVersion, kind and metadata are expected.';
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || !API_VERSION.test(apiVersion)) {
    return apiVersion === undefined
      ? 'it has no apiVersion, such as v1 or apps/v1.'
      : 'its apiVersion is not one, such as v1 or apps/v1.';
  }
  if (typeof kind !== 'string' || !KIND.test(kind)) {
    return kind === undefined
      ? 'it has no kind, such as ConfigMap.'
      : 'its kind is not one, such as ConfigMap.';
  }
  if (!isRecord(metadata)) return 'it has no metadata with a name.';
  const { name, generateName, namespace } = metadata;
  if (name === undefined && generateName !== undefined) {
    return 'it has generateName in place of a name: what is applied needs a name by which it is found again.';
  }
  if (typeof name !== 'string' || name === '') {
    return name === undefined
      ? 'its metadata has no name.'
      : 'its metadata.name is not text; put it between quotes.';
  }
  if (namespace !== undefined && typeof namespace !== 'string') {
    return 'its metadata.namespace is not text; put it between quotes.';
  }
  return undefined;
}

/** What a text may hold and an object may not, found without following aliases. */
function findHazard(document: Document.Parsed): { node: unknown; problem: string } | undefined {
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isNode(node) || isAlias(node)) continue;
    if (node.tag !== undefined && !PLAIN_TAGS.test(node.tag)) {
      return {
        node,
        problem: 'it carries a tag that means nothing to Kubernetes. Text that begins with ! needs quotes.',
      };
    }
    // One by one: the arguments of a call have a limit.
    if (isSeq(node)) for (const item of node.items) waiting.push(item);
    if (isMap(node)) {
      const problem = keyHazard(node.items);
      if (problem) return problem;
      for (const { value } of node.items) waiting.push(value);
    }
    if (isScalar(node) && typeof node.value === 'number') {
      const { value } = node;
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        return {
          node,
          problem: 'it holds a number that cannot be kept exactly. Put it between quotes if text is meant.',
        };
      }
    }
  }
  return undefined;
}

function keyHazard(items: readonly { key: unknown }[]): { node: unknown; problem: string } | undefined {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) return { node: key, problem: 'it has a key that is not text.' };
    // Several merges are several keys `<<`.
    if (key.value === '<<' || typeof key.value === 'symbol') continue;
    const name = String(key.value);
    if (seen.has(name)) return { node: key, problem: `it has the key ${name.slice(0, 60)} twice.` };
    seen.add(name);
  }
  return undefined;
}

/** `spec.containers[0].image`, as the API server writes it. Keys with dots in them are not told apart. */
function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|\[([^\]]+)\]|([^.[\]]+)/g)].map(([, index, key, name]) =>
    index === undefined ? (key ?? name ?? '') : Number(index),
  );
}

function nodeAt(document: Document.Parsed, path: (string | number)[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

function lineAt(node: unknown, lines: LineCounter): number | undefined {
  return isNode(node) && (node as Node).range
    ? lines.linePos((node as Node).range?.[0] ?? 0).line
    : undefined;
}

/** What a broken document is about, so that one finds it. */
function guess({ contents }: Document.Parsed): Pick<BrokenManifest, 'kind' | 'name'> {
  if (!isMap(contents)) return { kind: null, name: null };
  const kind: unknown = contents.get('kind');
  const metadata: unknown = contents.get('metadata');
  return nameOf({ kind, metadata: isMap(metadata) ? { name: metadata.get('name') } : undefined });
}

function nameOf(value: unknown): Pick<BrokenManifest, 'kind' | 'name'> {
  const { kind, metadata } = (value ?? {}) as { kind?: unknown; metadata?: { name?: unknown } | null };
  const name = metadata?.name;
  return {
    kind: typeof kind === 'string' ? kind.slice(0, 63) : null,
    name: typeof name === 'string' ? name.slice(0, 253) : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parser quotes what it stumbled over, which may be a password. */
function endSentence(text: string): string {
  return asSentence((text.split('\n')[0] ?? '').replace(/:? ".*/, ''));
}
