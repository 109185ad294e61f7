import { hasCode } from '../../core/errors/index.js';
import type { KubernetesObject } from './object-fields.js';
import type { ResourceApi, ResourceReference } from './resource-api.js';

/** The group of an `apiVersion`, empty for the core group, and the version. */
export function groupVersion(apiVersion: string): { group: string; version: string } {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** Catches the error of a read: null if the object does not exist. */
export function nullIfGone(error: unknown): null {
  if (hasCode(error, 'resource_not_found')) return null;
  throw error;
}

/** The reference of an object; undefined if the cluster does not serve its kind, or prefers another version. */
export async function referenceOf(
  api: ResourceApi,
  { apiVersion, kind, metadata }: KubernetesObject,
): Promise<ResourceReference | undefined> {
  const { group, version } = groupVersion(apiVersion);
  const type = await api.typeOfKind(group, kind);
  if (type?.version !== version) return undefined;
  return { group, version, plural: type.plural, namespace: metadata.namespace ?? null, name: metadata.name };
}
