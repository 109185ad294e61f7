import { type ClusterKey, clusterPage } from '../../shared/api/api';
import type { ResourceHealth, ResourceObjectDto, ResourceTypeDto } from '../../shared/api/api-types';
import { HEALTH_ORDER } from './kind-labels';
import { isNamespace } from './namespaces';

/** A kind in URLs. The core group is `core`. */
export type TypeName = Pick<ResourceTypeDto, 'group' | 'version' | 'plural'>;

/** Identifies an object. The namespace is null for cluster-scoped kinds. */
export interface ObjectName extends TypeName {
  namespace: string | null;
  name: string;
}

/** The path of an object, which is the beginning of those of its parts and actions. */
export const OBJECT = '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}/{object}';

/** The parameters of requests for a kind. */
export function typeParams(
  { name, runtime }: ClusterKey,
  { group, version, plural }: TypeName,
): ClusterKey & TypeName {
  return { name, runtime, group, version, plural };
}

/** The parameters of requests for an object. */
export function objectParams(
  key: ClusterKey,
  object: ObjectName,
): ClusterKey & TypeName & { object: string; namespace: string | undefined } {
  return { ...typeParams(key, object), object: object.name, namespace: object.namespace ?? undefined };
}

export function isPodType({ group, plural }: Pick<TypeName, 'group' | 'plural'>): boolean {
  return group === 'core' && plural === 'pods';
}

export type PanelPart = 'details' | 'yaml' | 'events' | 'rollout' | 'logs';

/** State of a table in the URL, so that it can be linked, reloaded and navigated. */
export interface TableView {
  text: string;
  labels: string;
  /** Null for all. */
  status: ResourceHealth | null;
  /** Title of the sorted column. */
  sort: { column: string; reversed: boolean } | null;
  object: Pick<ObjectName, 'namespace' | 'name'> | null;
  part: PanelPart;
}

const LONGEST_TEXT = 200;
/** The loosest rule for names of any kind: a valid path segment. */
const NAME = /^[^/%\s]{1,253}$/;
const PARTS: readonly PanelPart[] = ['details', 'yaml', 'events', 'rollout', 'logs'];

export function readTableView(read: (name: string) => string | null | undefined): TableView {
  const sort = read('sort') ?? '';
  return {
    text: (read('filter') ?? '').slice(0, LONGEST_TEXT),
    labels: (read('labels') ?? '').slice(0, 2 * LONGEST_TEXT),
    status: HEALTH_ORDER.find((status) => status === read('status')) ?? null,
    sort: sort === '' ? null : { column: sort.replace(/^-/, ''), reversed: sort.startsWith('-') },
    object: readObject(read('object') ?? ''),
    part: PARTS.find((part) => part === read('part')) ?? 'details',
  };
}

/** Query parameters of a state; null for defaults. */
export function tableParams({
  text,
  labels,
  status,
  sort,
  object,
  part,
}: TableView): Record<string, string | null> {
  return {
    filter: text.trim() || null,
    labels: labels.trim() || null,
    status,
    sort: sort === null ? null : `${sort.reversed ? '-' : ''}${sort.column}`,
    object: object === null ? null : writeObject(object),
    part: object === null || part === 'details' ? null : part,
  };
}

/** `shop/web-0`; the name alone without a namespace. */
export function writeObject({ namespace, name }: Pick<ObjectName, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

function readObject(text: string): TableView['object'] {
  const parts = text.split('/');
  if (parts.length > 2) return null;
  const name = parts.at(-1) ?? '';
  const namespace = parts.length === 2 ? (parts[0] ?? '') : null;
  if (!NAME.test(name) || (namespace !== null && !isNamespace(namespace))) return null;
  return { namespace, name };
}

export function tablePage(
  key: ClusterKey,
  { group, version, plural }: TypeName,
  view: Partial<Record<'namespace' | 'labels' | 'object', string>> = {},
): string {
  const query = Object.entries(view).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  return clusterPage(key, 'resources', group, version, plural) + query.join('');
}

/** URL of the table of an object's kind, with the object in the panel. */
export function objectPage(key: ClusterKey, object: ObjectName): string {
  return tablePage(key, object, { object: writeObject(object) });
}

export function nameOf({ type, namespace, name }: ResourceObjectDto): ObjectName {
  const { group, version, plural } = type;
  return { group, version, plural, namespace, name };
}
