import type { ResourceType } from '../../kubernetes/index.js';
import { recordedJson } from '../recorded.js';

export interface ApiType extends ResourceType {
  /** `status`, `scale`, `eviction`, `log`. */
  subresources: string[];
  /** Fields that a new object gets where it does not set them. */
  defaults?: object;
}

export const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** Built-in kinds, in the order in which an API server lists their groups. */
export const BUILT_IN_TYPES: readonly ApiType[] = recordedJson<Omit<ApiType, 'verbs' | 'custom'>[]>(
  'api-types.json',
).map((type) => ({ ...type, verbs: VERBS, custom: false }));

/** Identifies the objects of a type in the store. All versions of a type share them. */
export function storageKey({ group, plural }: Pick<ApiType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<ApiType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
