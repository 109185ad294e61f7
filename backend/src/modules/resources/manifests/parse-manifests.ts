import { isRecord, recordOf } from '../../../core/values/index.js';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  kubernetesYaml,
  LineCounter,
  nodeAt,
  parseAllYaml,
  toValue,
  type Document,
  type Node,
} from '../../../core/yaml/index.js';
import { asSentence } from '../../../core/errors/reason-of.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';

export interface Manifest {
  /** Position among the objects of the text, from 1. */
  index: number;
  /** First line, from 1. */
  line: number;
  object: KubernetesObject;
}

interface BrokenManifest {
  index: number;
  line: number;
  /** A sentence that starts with document and line. */
  problem: string;
  kind: string | null;
  name: string | null;
}

export type ParsedManifest = Manifest | BrokenManifest;

export const MAX_OBJECTS = 500;
const API_VERSION = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?v[a-z0-9]{1,62}$/;
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/;
/** Explicit tags of the types that plain YAML has too. */
const PLAIN_TAGS = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq|merge))$/;

export function isBroken(manifest: ParsedManifest): manifest is BrokenManifest {
  return 'problem' in manifest;
}

export interface WantedFields {
  index: number;
  /** Such as `spec.replicas`, the most specific one first. */
  fields: readonly string[];
}

/** Parses all objects of a text. Lists are expanded. An invalid document does not affect the others. */
export function parseManifests(text: string): ParsedManifest[] {
  return readEntries(text).map((entry): ParsedManifest => {
    if ('problem' in entry) return entry;
    const { index, line, object } = entry;
    return { index, line, object };
  });
}

/** The line of the first existing field for each object; undefined if it has no such field. */
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

type ReadManifest = Manifest & { lineOf: (field: string) => number | undefined };
type Entry = Omit<ReadManifest, 'index'> | Omit<BrokenManifest, 'index'>;

function readEntries(given: string): (ReadManifest | BrokenManifest)[] {
  // Windows editors write a byte order mark.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const lines = new LineCounter();
  const found: (ReadManifest | BrokenManifest)[] = [];
  // `keyHazard` finds duplicate keys, with Kubernetes' comparison.
  for (const document of parseAllYaml(text, { ...kubernetesYaml, lines, uniqueKeys: false })) {
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
      // One more than allowed shows that there are too many.
      if (found.length > MAX_OBJECTS) return found;
    }
  }
  return found;
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

/** Describes an error without quoting the text, which may be secret. */
function sentenceOf({ code, message }: Document.Parsed['errors'][number]): string {
  switch (code) {
    case 'RESOURCE_EXHAUSTION':
      return `it ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
    case 'NON_STRING_KEY':
      return 'a key is not text.';
    case 'BAD_ALIAS':
      return message.startsWith('Unresolved')
        ? 'invalid YAML: an alias refers to an anchor that does not exist. Text that starts with * needs quotes.'
        : 'its aliases expand to too much text.';
    default:
      return `invalid YAML: ${endSentence(message)}`;
  }
}

/** Expands lists of any kind. */
function unfold(
  value: unknown,
  path: (string | number)[],
  document: Document.Parsed,
  lines: LineCounter,
  line: number,
): Entry[] {
  const { kind, items, metadata } = recordOf(value);
  if (
    path.length < 6 &&
    typeof kind === 'string' &&
    kind.endsWith('List') &&
    Array.isArray(items) &&
    recordOf(metadata)['name'] === undefined
  ) {
    return items.slice(0, MAX_OBJECTS + 1).flatMap((item, index) => {
      const inner = [...path, 'items', index];
      const place = lineAt(nodeAt(document, inner), lines) ?? line;
      return unfold(item, inner, document, lines, place);
    });
  }
  if (!isManifest(value)) return [{ line, problem: problemOf(value) ?? '', ...nameOf(value) }];
  const object = value;
  return [
    {
      line,
      object,
      lineOf: (field) => lineAt(nodeAt(document, [...path, ...pathOf(field)]), lines),
    },
  ];
}

/** Its other fields are the user's, and validated by the API server. */
function isManifest(value: unknown): value is KubernetesObject {
  return problemOf(value) === undefined;
}

/** Why a value is not a Kubernetes object. Everything else is validated by the API server. */
function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is not an object with apiVersion, kind and metadata.';
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || !API_VERSION.test(apiVersion)) {
    return apiVersion === undefined
      ? 'apiVersion is required, such as v1 or apps/v1.'
      : 'apiVersion is invalid. Examples: v1, apps/v1.';
  }
  if (typeof kind !== 'string' || !KIND.test(kind)) {
    return kind === undefined
      ? 'kind is required, such as ConfigMap.'
      : 'kind is invalid. Example: ConfigMap.';
  }
  if (!isRecord(metadata)) return 'metadata.name is required.';
  const { name, generateName, namespace } = metadata;
  if (name === undefined && generateName !== undefined) {
    return 'it has generateName instead of name. Apply requires metadata.name.';
  }
  if (typeof name !== 'string' || name === '') {
    return name === undefined
      ? 'metadata.name is required.'
      : 'metadata.name must be text. Put it in quotes.';
  }
  if (namespace !== undefined && typeof namespace !== 'string') {
    return 'metadata.namespace must be text. Put it in quotes.';
  }
  return undefined;
}

/** Valid YAML that is not allowed in an object. Does not follow aliases. */
function findHazard(document: Document.Parsed): { node: unknown; problem: string } | undefined {
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isNode(node) || isAlias(node)) continue;
    if (node.tag !== undefined && !PLAIN_TAGS.test(node.tag)) {
      return {
        node,
        problem: 'it has a YAML tag that Kubernetes does not support. Text that starts with ! needs quotes.',
      };
    }
    // One by one, since the number of arguments of a call is limited.
    if (isSeq(node)) for (const item of node.items) waiting.push(item);
    if (isMap(node)) {
      const problem = keyHazard(node.items);
      if (problem) return problem;
      for (const { value } of node.items) waiting.push(value);
    }
    if (isScalar(node) && typeof node.value === 'number') {
      const { value } = node;
      if (!Number.isFinite(value)) {
        return { node, problem: 'it has a number that JSON does not have. Put it in quotes if it is text.' };
      }
    }
  }
  return undefined;
}

function keyHazard(items: readonly { key: unknown }[]): { node: unknown; problem: string } | undefined {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) return { node: key, problem: 'a key is not text.' };
    // `<<` may occur several times.
    if (key.value === '<<' || typeof key.value === 'symbol') continue;
    const name = String(key.value);
    if (seen.has(name)) return { node: key, problem: `duplicate key ${name.slice(0, 60)}.` };
    seen.add(name);
  }
  return undefined;
}

/** Parses `spec.containers[0].image`, the format of the API server. Keys with dots are ambiguous. */
function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|\[([^[\]]+)\]|([^.[\]]+)/g)].map(([, index, key, name]) =>
    index === undefined ? (key ?? name ?? '') : Number(index),
  );
}

function lineAt(node: unknown, lines: LineCounter): number | undefined {
  return isNode(node) && (node as Node).range
    ? lines.linePos((node as Node).range?.[0] ?? 0).line
    : undefined;
}

/** Kind and name of an invalid document, as far as they can be read. */
function guess({ contents }: Document.Parsed): Pick<BrokenManifest, 'kind' | 'name'> {
  if (!isMap(contents)) return { kind: null, name: null };
  const kind: unknown = contents.get('kind');
  const metadata: unknown = contents.get('metadata');
  return nameOf({ kind, metadata: isMap(metadata) ? { name: metadata.get('name') } : undefined });
}

function nameOf(value: unknown): Pick<BrokenManifest, 'kind' | 'name'> {
  const { kind, metadata } = recordOf(value);
  const { name } = recordOf(metadata);
  return {
    kind: typeof kind === 'string' ? kind.slice(0, 63) : null,
    name: typeof name === 'string' ? name.slice(0, 253) : null,
  };
}

/** Removes quoted text, which may be a password. */
function endSentence(text: string): string {
  return asSentence((text.split('\n')[0] ?? '').replace(/:? ".*/, ''));
}
