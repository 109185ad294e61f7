import { DomainError } from '../../core/errors/index.js';
import {
  API_GROUP,
  API_VERSION,
  NAMESPACE_NAME,
  OBJECT_NAME,
  RESOURCE_PLURAL,
} from '../../core/security/index.js';
import type { ResourceReference, TypeName } from './resource-api.js';

type QueryValue = string | number | boolean;
/** A list repeats its parameter. */
type Query = Record<string, QueryValue | readonly QueryValue[] | undefined>;

/** The path of a list. Validates and encodes every component, so that no input can lead to another path. */
export function listPath(
  { group, version, plural }: TypeName,
  namespace?: string | null,
  query: Query = {},
): string {
  return withQuery(
    [
      ...(group === '' ? ['/api'] : ['/apis', part(group, API_GROUP, 'resource_type_not_found', 'group')]),
      part(version, API_VERSION, 'resource_type_not_found', 'version'),
      ...(namespace === null || namespace === undefined
        ? []
        : ['namespaces', part(namespace, NAMESPACE_NAME, 'resource_not_found', 'namespace')]),
      part(plural, RESOURCE_PLURAL, 'resource_type_not_found', 'resource type'),
    ].join('/'),
    query,
  );
}

export function objectPath(
  { namespace, name, ...type }: ResourceReference,
  query: Query = {},
  subresource?: string,
): string {
  const path = `${listPath(type, namespace)}/${part(name, OBJECT_NAME, 'resource_not_found', 'resource')}`;
  return withQuery(subresource === undefined ? path : `${path}/${subresource}`, query);
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    [value ?? []].flat().map((one): [string, string] => [key, String(one)]),
  );
  const wanted = given.filter(([, value]) => value !== '');
  return wanted.length === 0 ? path : `${path}?${new URLSearchParams(wanted).toString()}`;
}

function part(
  value: string,
  grammar: RegExp,
  code: 'resource_type_not_found' | 'resource_not_found',
  what: string,
): string {
  if (!grammar.test(value)) {
    throw new DomainError(code, `${JSON.stringify(value.slice(0, 100))} is not a valid name of a ${what}.`);
  }
  return encodeURIComponent(value);
}
