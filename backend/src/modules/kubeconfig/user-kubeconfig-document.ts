import { isDeepStrictEqual } from 'node:util';
import { Document, editYaml, isMap, isSeq, nodeAt, toValue, withEdit } from '../../core/yaml/index.js';
import {
  nameOf,
  parseKubeconfig,
  partsOf,
  textOf,
  unusable,
  type Fields,
  type NamedItem,
  type ParsedKubeconfig,
  type Section,
} from '../../core/kubeconfig/index.js';

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

/** A value for a place in the content; `undefined` cuts. */
type Change = [path: (string | number)[], value: unknown];

/** @throws DomainError as `changeUserKubeconfig` */
export function readUserKubeconfig(source: string): KubeconfigView {
  const { clusters, contexts, 'current-context': current } = parseKubeconfig(source).content;
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
  let parsed = parseKubeconfig(source);
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
function inverseOf({ content }: ParsedKubeconfig, { type, ...edit }: KubeconfigEdit): KubeconfigEdit[] {
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
    const { contexts } = parseKubeconfig(text).content;
    const names = additions.map((edit) => (edit.type === 'put' ? edit.entry.name : undefined));
    const isNew = !contexts?.some((item) => names.includes(nameOf(item)));
    return isNew && changeUserKubeconfig(text, additions) === after;
  } catch {
    return false;
  }
}

function changesOf(parsed: ParsedKubeconfig, edit: KubeconfigEdit): Change[] {
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
function put(parsed: ParsedKubeconfig, { name, server, authority, user: wanted }: KubeconfigEntry): Change[] {
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
  { document, content }: ParsedKubeconfig,
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
function remove(parsed: ParsedKubeconfig, name: string): Change[] {
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
function removeItem({ text, document, content }: ParsedKubeconfig, section: Section, name: string): Change[] {
  const index = content[section]?.findIndex((item) => nameOf(item) === name) ?? -1;
  if (index < 0 || name === '') return [];
  const list = nodeAt(document, [section]);
  if (!isSeq(list) || list.items.length > 1) return [[[section, index], undefined]];
  if (!list.flow) return [[[section], undefined]];
  return [text.startsWith('[ {', list.range?.[0]) ? [[section], null] : [[section, index], undefined]];
}

/** @throws DomainError if that would change anything else */
function changed(before: ParsedKubeconfig, [path, value]: Change): ParsedKubeconfig {
  const { text, document, content } = isMap(before.document.contents) ? before : withHeader(before);
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent) && !isSeq(parent)) throw unusable('its aliases cannot be changed safely');
  const after = parseKubeconfig(withEdit(text, editYaml(text, parent, path.at(-1) ?? '', value)));
  const wanted = new Document(content, null, { aliasDuplicateObjects: false });
  if (value === undefined) wanted.deleteIn(path);
  else wanted.setIn(path, value);
  // An alias can change more.
  if (isDeepStrictEqual(after.content, toValue(wanted))) return after;
  throw unusable('its YAML cannot be changed safely');
}

/** Gives a text without content the fields that every kubeconfig has. */
function withHeader({ text, document }: ParsedKubeconfig): ParsedKubeconfig {
  const [start, end] = document.contents?.range ?? [text.length, text.length];
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  const inserted = `${before}apiVersion: v1\nkind: Config${end === text.length ? '\n' : ''}`;
  return parseKubeconfig(withEdit(text, { start, end, inserted }));
}
