import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../core/errors/domain-error.js';
import { pathText } from '../../core/values/index.js';
import {
  Document,
  editYaml,
  goBoolean,
  goValue,
  isMap,
  isNode,
  isSeq,
  LineCounter,
  nodeAt,
  parseGoYaml,
  toValue,
  visit,
  withEdit,
} from '../../core/yaml/index.js';
import {
  isKubeconfig,
  problemOf,
  type Fields,
  type Kubeconfig,
  type NamedItem,
  type Section,
} from './kubeconfig.schema.js';

/** Our own messages for syntax errors: those of the parser quote the text, which may contain a key. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'has a directive other than %YAML 1.1',
  BAD_DQ_ESCAPE: 'has an escape that kubectl does not know',
  BAD_ALIAS: 'has an alias that is undefined or expands to too much',
  BAD_INDENT: 'has a wrong indentation',
  NON_STRING_KEY: 'has a map or a list as a key',
  RESOURCE_EXHAUSTION: 'nests too deeply or has too many values',
  TAB_AS_INDENT: 'is indented with a tab',
};

/** Fields of a cluster that would contradict the values of Slipway. */
const CONTRADICTING = ['certificate-authority', 'insecure-skip-tls-verify', 'tls-server-name'];

export interface KubeconfigContext {
  name: string;
  server: string | null;
  /** Base64 of PEM; null if the entry refers to a file. */
  authority: string | null;
}

/** The context, cluster and user of a Slipway cluster in a kubeconfig. */
export interface KubeconfigEntry {
  name: string;
  server: string;
  authority: string;
  user: Fields;
}

/** The content of a kubeconfig as plain data, for use across processes. */
export interface KubeconfigView {
  contexts: KubeconfigContext[];
  currentContext: string;
  /** Names in use. Excludes clusters and users without a context, which `kubectl config delete-context` leaves. */
  names: string[];
}

export type KubeconfigEdit =
  | { type: 'put'; entry: KubeconfigEntry }
  | { type: 'remove'; context: string }
  | { type: 'use'; context: string }
  /** Unsets the current context if it is this one. */
  | { type: 'leave'; context: string };

interface Parsed {
  text: string;
  document: Document.Parsed;
  content: Kubeconfig;
}

/** A value for a place in the content; `undefined` cuts. */
type Change = [path: (string | number)[], value: unknown];

/** @throws DomainError as `changeUserKubeconfig` */
export function readUserKubeconfig(source: string): KubeconfigView {
  const { clusters, contexts, 'current-context': current } = parse(source).content;
  const endpoints = new Map(clusters?.map((item) => [nameOf(item), item?.cluster]));
  const entries = (contexts ?? []).map((item) => ({ name: nameOf(item), ...partsOf(item) }));
  return {
    contexts: entries.map(({ name, cluster }) => {
      const endpoint = endpoints.get(cluster);
      const authority = textOf(endpoint?.['certificate-authority-data']);
      return { name, server: textOf(endpoint?.['server']), authority };
    }),
    currentContext: current ?? '',
    names: [...new Set(entries.flatMap(({ name, cluster, user }) => [name, cluster, user]))].filter(Boolean),
  };
}

/**
 * Changes a kubeconfig by inserting and cutting text. Every other byte stays, and removing an entry restores the text from
 * before it was added, except for what docs/kubeconfig.md lists.
 * @param earlier versions of the text. A removal restores the one to which only the entry was added, byte for byte.
 * @throws DomainError `kubeconfig_unusable` or `kubeconfig_taken` if the file cannot be changed safely. The caller puts the
 *   file name in front of the message.
 */
export function changeUserKubeconfig(
  source: string,
  edits: readonly KubeconfigEdit[],
  earlier: readonly string[] = [],
): string {
  let parsed = parse(source);
  const additions = edits.flatMap((edit) => inverseOf(parsed, edit));
  const before = additions.length > 0 ? earlier.find((text) => isBefore(text, additions, source)) : undefined;
  if (before !== undefined) {
    const isCurrent = additions.some(({ type }) => type === 'use');
    return isCurrent ? changeUserKubeconfig(before, [{ type: 'use', context: '' }]) : before;
  }
  for (const edit of edits) {
    for (const change of changesOf(parsed, edit)) parsed = changed(parsed, change);
  }
  return parsed.text;
}

/** The edits that could have added what an edit removes. */
function inverseOf({ content }: Parsed, { type, ...edit }: KubeconfigEdit): KubeconfigEdit[] {
  if (!('context' in edit)) return [];
  const { context } = edit;
  if (type === 'leave' && content['current-context'] === context) return [{ type: 'use', context }];
  const item = content.contexts?.find((each) => nameOf(each) === context);
  if (type !== 'remove' || !item) return [];
  const { cluster, user } = partsOf(item);
  const endpoint = content.clusters?.find((each) => nameOf(each) === cluster)?.cluster;
  const entry = {
    name: context,
    server: textOf(endpoint?.['server']) ?? '',
    authority: textOf(endpoint?.['certificate-authority-data']) ?? '',
    user: content.users?.find((each) => nameOf(each) === user)?.user ?? {},
  };
  return [{ type: 'put', entry }];
}

/** Whether additions to a text, which does not have the entry, result in another. */
function isBefore(text: string, additions: readonly KubeconfigEdit[], after: string): boolean {
  try {
    const { contexts } = parse(text).content;
    const names = additions.map((edit) => (edit.type === 'put' ? edit.entry.name : undefined));
    const isNew = !contexts?.some((item) => names.includes(nameOf(item)));
    return isNew && changeUserKubeconfig(text, additions) === after;
  } catch {
    return false;
  }
}

function unusable(problem: string): DomainError {
  return new DomainError('kubeconfig_unusable', problem);
}

/** @throws DomainError with the line, and without any part of the text, if kubectl cannot read it */
function parse(text: string): Parsed {
  // Writing replacement characters back would destroy the original bytes.
  if (text.includes('\ufffd')) throw unusable('it is not UTF-8');
  const lines = new LineCounter();
  const lineAt = (offset = 0): string => `line ${lines.linePos(offset).line}`;
  const { document, errors } = parseGoYaml(text, {
    schema: 'failsafe',
    customTags: ['merge'],
    resolveKnownTags: false,
    uniqueKeys: false,
    lines,
  });
  const [error] = errors;
  if (error) throw unusable(`${lineAt(error.pos[0])} ${SYNTAX[error.code] ?? 'is not valid YAML'}`);
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key') return;
      const value = node.type === 'PLAIN' && node.tag === undefined ? goBoolean(node) : goValue(node);
      const isValid = value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
      if (!isValid) throw unusable(`${lineAt(node.range?.[0])} has a value that JSON does not allow`);
      node.value = value;
    },
  });
  const content = toValue(document) ?? {};
  const lineOf = (path: (string | number)[]): string => {
    const node = nodeAt(document, path);
    return lineAt(isNode(node) ? node.range?.[0] : undefined);
  };
  if (!isKubeconfig(content)) {
    const { path, problem } = problemOf(isKubeconfig);
    if (path.length === 0) throw unusable('it is not a kubeconfig');
    // A key of digits is text.
    throw unusable(`${lineOf(path.map(String))}: ${pathText(path)} ${problem}`);
  }
  for (const section of ['clusters', 'contexts', 'users'] as const) {
    const names = (content[section] ?? []).map(nameOf);
    if (new Set(names).size === names.length) continue;
    const twice = names.find((name, index) => names.includes(name, index + 1)) ?? '';
    const found = names.flatMap((name, index) => (name === twice ? [lineOf([section, index])] : []));
    const message = `${section} has the name ${twice || '""'} more than once: ${found.join(', ')}. kubectl cannot read such a file. Remove the entries that you do not need`;
    throw new DomainError('kubeconfig_taken', message);
  }
  return { text, document, content };
}

function changesOf(parsed: Parsed, edit: KubeconfigEdit): Change[] {
  const current = parsed.content['current-context'];
  switch (edit.type) {
    case 'put':
      return put(parsed, edit.entry);
    case 'remove':
      return remove(parsed, edit.context);
    case 'use':
      return (current ?? '') === edit.context ? [] : [[['current-context'], edit.context]];
    case 'leave':
      return current === edit.context ? [[['current-context'], '']] : [];
  }
}

/** Adds or updates an entry. Keeps other fields of an existing one. A new section is inserted before the previous one. */
function put(parsed: Parsed, { name, server, authority, user: wanted }: KubeconfigEntry): Change[] {
  const context = partsOf(parsed.content.contexts?.find((item) => nameOf(item) === name));
  const [cluster, user] = [context.cluster || name, context.user || name];
  const endpoint = { 'certificate-authority-data': authority, server };
  return [
    ...putItem(parsed, 'users', { name: user, user: wanted }, (field) => !Object.hasOwn(wanted, field)),
    ...putItem(parsed, 'contexts', { context: { cluster, user }, name }),
    ...putItem(parsed, 'clusters', { cluster: endpoint, name: cluster }, (field) =>
      CONTRADICTING.includes(field),
    ),
  ];
}

function putItem(
  { document, content }: Parsed,
  section: Section,
  item: NamedItem,
  isGone: (field: string) => boolean = () => false,
): Change[] {
  const items = content[section];
  const index = items?.findIndex((each) => nameOf(each) === nameOf(item)) ?? -1;
  if (index < 0) return [items ? [[section, items.length], item] : [[section], [item]]];
  const part = section.slice(0, -1) as 'cluster' | 'context' | 'user';
  const path = [section, index, part];
  const wanted: Fields = item[part] ?? {};
  const present: Fields = items?.[index]?.[part] ?? {};
  // An alias gets a value of its own.
  if (!isMap(nodeAt(document, path))) return [[path, wanted]];
  const changing = Object.keys(wanted).filter((field) => present[field] !== wanted[field]);
  return [...changing, ...Object.keys(present).filter(isGone)].map((field) => [
    [...path, field],
    wanted[field],
  ]);
}

/** Removes a context, with its cluster and user unless another context uses them. */
function remove(parsed: Parsed, name: string): Change[] {
  const contexts = parsed.content.contexts ?? [];
  const context = contexts.find((item) => nameOf(item) === name);
  if (context === undefined) return [];
  const others = contexts.filter((item) => nameOf(item) !== name).map(partsOf);
  const { cluster, user } = partsOf(context);
  return [
    ...removeItem(parsed, 'contexts', name),
    ...(others.some((other) => other.cluster === cluster) ? [] : removeItem(parsed, 'clusters', cluster)),
    ...(others.some((other) => other.user === user) ? [] : removeItem(parsed, 'users', user)),
  ];
}

/** Its only item leaves a section as it was before `put`: a block was missing, `[ {` was null, and `[{` was empty. */
function removeItem({ text, document, content }: Parsed, section: Section, name: string): Change[] {
  const index = content[section]?.findIndex((item) => nameOf(item) === name) ?? -1;
  if (index < 0 || name === '') return [];
  const list = nodeAt(document, [section]);
  if (!isSeq(list) || list.items.length > 1) return [[[section, index], undefined]];
  if (!list.flow) return [[[section], undefined]];
  return [text.startsWith('[ {', list.range?.[0]) ? [[section], null] : [[section, index], undefined]];
}

/** @throws DomainError if that would change anything else */
function changed(before: Parsed, [path, value]: Change): Parsed {
  const { text, document, content } = isMap(before.document.contents) ? before : withHeader(before);
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent) && !isSeq(parent)) throw unusable('its aliases cannot be changed safely');
  const after = parse(withEdit(text, editYaml(text, parent, path.at(-1) ?? '', value)));
  const wanted = new Document(content, null, { aliasDuplicateObjects: false });
  if (value === undefined) wanted.deleteIn(path);
  else wanted.setIn(path, value);
  // An alias can change more.
  if (isDeepStrictEqual(after.content, toValue(wanted))) return after;
  throw unusable('its YAML cannot be changed safely');
}

/** Gives a text without content the fields that every kubeconfig has. */
function withHeader({ text, document }: Parsed): Parsed {
  const [start, end] = document.contents?.range ?? [text.length, text.length];
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  const inserted = `${before}apiVersion: v1\nkind: Config${end === text.length ? '\n' : ''}`;
  return parse(withEdit(text, { start, end, inserted }));
}

function nameOf(item: NamedItem | null | undefined): string {
  return item?.name ?? '';
}

/** The names that a context refers to; empty for none. */
function partsOf(item: NamedItem | null | undefined): { cluster: string; user: string } {
  const { cluster, user } = item?.context ?? {};
  return { cluster: textOf(cluster) ?? '', user: textOf(user) ?? '' };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
