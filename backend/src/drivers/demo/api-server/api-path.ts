import type { ApiType } from './api-types.js';
import { unknownResource } from './status.js';
import type { TypeCatalogue } from './type-catalogue.js';

/** What a path under `/api` or `/apis` means. */
export interface ResourcePath {
  type: ApiType;
  /** Absent for kinds without namespaces, and for all namespaces. */
  namespace?: string;
  /** Absent for the whole collection. */
  name?: string;
  subresource?: string;
}

/** @returns undefined where no API group is served there, which is not even a Status. @throws ApiFailure 404 */
export function parsePath(parts: readonly string[], types: TypeCatalogue): ResourcePath | undefined {
  const [root, ...rest] = parts;
  const [group = '', version = ''] = root === 'api' ? ['', rest.shift()] : [rest.shift(), rest.shift()];
  const known = types.all().some((type) => type.group === group && type.version === version);
  if (!known || rest.some((part) => part === '')) return undefined;

  // `namespaces/{name}` alone is a namespace; what follows it is something in it, unless it is its own part.
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2 && !isOwnPart(rest);
  const namespace = inNamespace ? rest[1] : undefined;
  const [plural = '', name, subresource, ...more] = inNamespace ? rest.slice(2) : rest;
  const type = types.find(group, version, plural);
  const placed = type?.namespaced === true ? namespace !== undefined || name === undefined : !inNamespace;
  const partKnown = subresource === undefined || type?.subresources.includes(subresource) === true;
  if (!type || more.length > 0 || !placed || !partKnown) throw unknownResource();
  return { type, namespace, name, subresource };
}

function isOwnPart([, , part]: readonly string[]): boolean {
  return part === 'status' || part === 'finalize';
}
