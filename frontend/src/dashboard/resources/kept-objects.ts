import type { ClusterKey } from '../../shared/api/api';
import { readStored, store } from '../../shared/browser/browser-storage';
import type { ObjectName } from '../resource-model/resource-address';

/** An object that the browser remembers. Its fields are those of the search results of the API. */
export interface KeptObject extends ObjectName {
  cluster: string;
  runtime: string;
  kind: string;
}

/** Favorites are in the order in which they were chosen; of the opened objects, the last one comes first. */
export type KeptList = 'favorites' | 'recent';

const KEYS: Readonly<Record<KeptList, string>> = {
  favorites: 'slipway.favorites',
  recent: 'slipway.recent-objects',
};
/** The oldest are forgotten. */
const MAX_FAVORITES = 50;
const MAX_RECENT = 10;
const FIELDS = ['cluster', 'runtime', 'group', 'version', 'plural', 'kind', 'name'] as const;

export function keptObject(key: ClusterKey, object: ObjectName, kind: string): KeptObject {
  const { group, version, plural, namespace, name } = object;
  return { cluster: key.name, runtime: key.runtime, group, version, plural, kind, namespace, name };
}

export function readKept(list: KeptList): readonly KeptObject[] {
  const stored = readStored(KEYS[list]);
  return Array.isArray(stored) ? stored.filter(isKeptObject) : [];
}

export function isSame(one: KeptObject, other: KeptObject): boolean {
  return idOf(one) === idOf(other);
}

/** @returns whether it is a favorite afterwards */
export function toggleFavorite(object: KeptObject): boolean {
  const others = readKept('favorites').filter((one) => !isSame(one, object));
  const wasFavorite = others.length < readKept('favorites').length;
  store(KEYS.favorites, wasFavorite ? others : [...others, object].slice(-MAX_FAVORITES));
  return !wasFavorite;
}

export function isFavorite(object: KeptObject): boolean {
  return readKept('favorites').some((one) => isSame(one, object));
}

export function rememberOpened(object: KeptObject): void {
  const others = readKept('recent').filter((one) => !isSame(one, object));
  store(KEYS.recent, [object, ...others].slice(0, MAX_RECENT));
}

/** Unique among all clusters. The version of the API does not matter. */
export function idOf({ runtime, cluster, group, plural, namespace, name }: KeptObject): string {
  return `${runtime}/${cluster} ${plural}.${group} ${namespace ?? ''}/${name}`;
}

function isKeptObject(value: unknown): value is KeptObject {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    FIELDS.every((field) => typeof fields[field] === 'string') &&
    (fields['namespace'] === null || typeof fields['namespace'] === 'string')
  );
}
