import { jsonValue } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import type { ResourceType } from './resource-api.js';
import { listPath } from './resource-paths.js';

/** The index of the OpenAPI v3 documents, one for each version of a group. Kubernetes 1.24 and later have it. */
export const OPENAPI_INDEX = '/openapi/v3';

/** The index of 200 groups has 40 kB. A longer one is not read, because parsing it would block the server. */
const MAX_INDEX = 1_000_000;

/** The path of the document. It is never the URL of the index, which could lead anywhere. */
export function documentPath(type: ResourceType): string {
  return `${OPENAPI_INDEX}${versionPath(type)}`;
}

/** @returns the hash of a document; empty without one, undefined if there is no such document */
export function hashOf(index: string, type: ResourceType): string | undefined {
  if (index.length > MAX_INDEX) return undefined;
  const { paths } = recordOf(jsonValue(index));
  const path = versionPath(type).slice(1);
  if (!Object.hasOwn(recordOf(paths), path)) return undefined;
  const { serverRelativeURL: url } = recordOf(recordOf(paths)[path]);
  return (typeof url === 'string' ? /[?&]hash=([\w-]{1,200})(&|$)/.exec(url)?.[1] : undefined) ?? '';
}

/** `/apis/apps/v1` */
function versionPath(type: ResourceType): string {
  return listPath(type).split('/').slice(0, -1).join('/');
}
