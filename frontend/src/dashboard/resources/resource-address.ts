import { clusterPage, type ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto } from '../../shared/api/api-types';

/** A kind as paths name it; the core group is `core`. */
export interface TypeName {
  group: string;
  version: string;
  plural: string;
}

/** One object. The namespace is null for kinds that have none. */
export interface ObjectName extends TypeName {
  namespace: string | null;
  name: string;
}

export type PanelPart = 'details' | 'yaml' | 'events' | 'logs';

/** What a table shows: kept in the address, so that it can be linked, reloaded and gone back to. */
export interface TableView {
  /** One namespace only; empty for all. */
  namespace: string;
  text: string;
  /** A label selector. */
  labels: string;
  /** The title of a column, and whether the other way round. */
  sort: { column: string; reversed: boolean } | null;
  /** What the panel beside the table shows. */
  object: Pick<ObjectName, 'namespace' | 'name'> | null;
  part: PanelPart;
}

const LONGEST_TEXT = 200;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Of kinds that are not stricter: what can be a segment of a path. */
const NAME = /^[^/%\s]{1,253}$/;
const PARTS: readonly PanelPart[] = ['details', 'yaml', 'events', 'logs'];

/** Reads an address; what it holds that makes no sense is left out. */
export function readTableView(read: (name: string) => string | null | undefined): TableView {
  const namespace = read('namespace') ?? '';
  const sort = read('sort') ?? '';
  return {
    namespace: NAMESPACE.test(namespace) ? namespace : '',
    text: (read('filter') ?? '').slice(0, LONGEST_TEXT),
    labels: (read('labels') ?? '').slice(0, 2 * LONGEST_TEXT),
    sort: sort === '' ? null : { column: sort.replace(/^-/, ''), reversed: sort.startsWith('-') },
    object: readObject(read('object') ?? ''),
    part: PARTS.find((part) => part === read('part')) ?? 'details',
  };
}

/** The address of a view; null for what is as it is without being asked for. */
export function tableParams({
  namespace,
  text,
  labels,
  sort,
  object,
  part,
}: TableView): Record<string, string | null> {
  return {
    namespace: namespace || null,
    filter: text.trim() || null,
    labels: labels.trim() || null,
    sort: sort === null ? null : `${sort.reversed ? '-' : ''}${sort.column}`,
    object: object === null ? null : writeObject(object),
    part: object === null || part === 'details' ? null : part,
  };
}

/** `shop/web-0`; without a namespace, the name alone. */
export function writeObject({ namespace, name }: Pick<ObjectName, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

function readObject(text: string): TableView['object'] {
  const parts = text.split('/');
  if (parts.length > 2) return null;
  const name = parts.at(-1) ?? '';
  const namespace = parts.length === 2 ? (parts[0] ?? '') : null;
  if (!NAME.test(name) || (namespace !== null && !NAMESPACE.test(namespace))) return null;
  return { namespace, name };
}

/** Where a router link leads. */
export interface PageAddress {
  path: string[];
  query: Record<string, string>;
}

/** The table of a kind. */
export function tablePage(key: ClusterKey, { group, version, plural }: TypeName): PageAddress {
  const { path, query } = clusterPage(key);
  return { path: [...path, 'resources', group, version, plural], query };
}

/** The table of an object's kind, with the panel that shows it. */
export function objectPage(key: ClusterKey, object: ObjectName): PageAddress {
  const { path, query } = tablePage(key, object);
  return { path, query: { ...query, object: writeObject(object) } };
}

/** The same as the address of a plain link, which a row in a long list can afford. */
export function hrefOf({ path, query }: PageAddress): string {
  const [root = '', ...rest] = path;
  return `${[root, ...rest.map(encodeURIComponent)].join('/')}?${new URLSearchParams(query).toString()}`;
}

export function nameOf({ type, namespace, name }: ResourceObjectDto): ObjectName {
  const { group, version, plural } = type;
  return { group, version, plural, namespace, name };
}
