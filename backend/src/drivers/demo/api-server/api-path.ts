import type { ApiType } from './api-types.js';
import { unknownResource } from './status.js';
import type { TypeCatalog } from './type-catalog.js';

/** A parsed path below `/api` or `/apis`. */
export interface ResourcePath {
  type: ApiType;
  /** Absent for cluster-scoped kinds and for all namespaces. */
  namespace?: string;
  /** Absent for the collection. */
  name?: string;
  subresource?: string;
}

/** @returns undefined for an unknown API group, which has no Status response. @throws ApiFailure 404 */
export function parsePath(parts: readonly string[], types: TypeCatalog): ResourcePath | undefined {
  const [root, ...rest] = parts;
  const [group = '', version = ''] = root === 'api' ? ['', rest.shift()] : [rest.shift(), rest.shift()];
  const known = types.all().some((type) => type.group === group && type.version === version);
  if (!known || rest.some((part) => part === '')) return undefined;

  // `namespaces/{name}` is a namespace. More segments are an object in it.
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = inNamespace ? rest[1] : undefined;
  const [plural = '', name, subresource, ...more] = inNamespace ? rest.slice(2) : rest;
  const type = types.find(group, version, plural);
  const placed = type?.namespaced === true ? namespace !== undefined || name === undefined : !inNamespace;
  const partKnown = subresource === undefined || type?.subresources.includes(subresource) === true;
  if (!type || more.length > 0 || !placed || !partKnown) throw unknownResource();
  return { type, namespace, name, subresource };
}
