import { DomainError } from '../../core/errors/index.js';
import {
  API_GROUP,
  API_VERSION,
  NAMESPACE_NAME,
  OBJECT_NAME,
  RESOURCE_PLURAL,
} from '../../core/security/index.js';
import type { ResourceReference, TypeName } from './resource-api.js';

type Query = Record<string, string | number | boolean | undefined>;

/**
 * Where a type is listed, or one object is read. Each part is held against its grammar and encoded: what
 * somebody asks for can name a wrong resource, and never another path.
 */
export function listPath(
  { group, version, plural }: TypeName,
  namespace?: string | null,
  query: Query = {},
): string {
  return withQuery(
    [
      ...(group === ''
        ? ['/api']
        : ['/apis', part(group, API_GROUP, 'resource_type_not_found', 'API group')]),
      part(version, API_VERSION, 'resource_type_not_found', 'API version'),
      ...(namespace === null || namespace === undefined
        ? []
        : ['namespaces', part(namespace, NAMESPACE_NAME, 'resource_not_found', 'namespace')]),
      part(plural, RESOURCE_PLURAL, 'resource_type_not_found', 'kind of resource'),
    ].join('/'),
    query,
  );
}

export function objectPath(
  { namespace, name, ...type }: ResourceReference,
  query: Query = {},
  subresource?: string,
): string {
  const path = `${listPath(type, namespace)}/${part(name, OBJECT_NAME, 'resource_not_found', 'object')}`;
  return withQuery(subresource === undefined ? path : `${path}/${subresource}`, query);
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}

function part(
  value: string,
  grammar: RegExp,
  code: 'resource_type_not_found' | 'resource_not_found',
  what: string,
): string {
  if (!grammar.test(value)) {
    throw new DomainError(
      code,
      `No ${what} can be called ${JSON.stringify(value.slice(0, 100))}. Check its spelling.`,
    );
  }
  return encodeURIComponent(value);
}
