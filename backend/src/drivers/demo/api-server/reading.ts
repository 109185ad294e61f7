import { apiVersionOf, storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import { keyOf } from './object-store.js';
import { fieldTest, labelTest, type Test } from './selectors.js';
import type { ApiObject } from './shapes.js';
import { badRequest, notFound } from './status.js';

/** A page token: the version of the first page, and the key after which the next one starts. */
interface Token {
  rv: number;
  start: string;
}

/** The label and field selectors of a request as one test. @throws ApiFailure 400 */
export function selection(query: URLSearchParams): Test | undefined {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const tests = [...(labels ? [labelTest(labels)] : []), ...(fields ? [fieldTest(fields)] : [])];
  return tests.length === 0 ? undefined : (object) => tests.every((test) => test(object));
}

export class Reading {
  constructor(private readonly state: ClusterState) {}

  /** @throws ApiFailure 404 */
  find({ type, namespace, name = '' }: ResourcePath): ApiObject {
    const object = this.state.store.get(storageKey(type), namespace, name);
    if (!object) throw notFound(type, name);
    return object;
  }

  /** @throws ApiFailure 400 */
  list({ type, namespace }: ResourcePath, query: URLSearchParams, accept: string): object {
    const matches = selection(query);
    const limit = Number(query.get('limit') ?? 0);
    const token = this.tokenOf(query.get('continue'));
    const all = this.state.store.list(storageKey(type), namespace);
    const start = token ? all.findIndex((object) => keyIn(object) > token.start) : 0;
    const rest = start === -1 ? [] : all.slice(start);
    const found = matches ? rest.filter(matches) : rest;
    const page = limit > 0 ? found.slice(0, limit) : found;
    const version = token?.rv ?? this.state.store.version;
    const last = page.at(-1);
    const more = last !== undefined && page.length < found.length;
    const metadata = {
      resourceVersion: String(version),
      ...(more ? { continue: encoded({ rv: version, start: keyIn(last) }) } : {}),
      // The server does not count the rest of a selection.
      ...(more && !matches ? { remainingItemCount: found.length - page.length } : {}),
    };
    if (acceptsTable(accept)) return this.table(type, page, metadata);
    return {
      kind: `${type.kind}List`,
      apiVersion: apiVersionOf(type),
      metadata,
      items: page.map((object) => inVersion(object, type)),
    };
  }

  table(type: ApiType, objects: readonly ApiObject[], metadata: object): object {
    const printer = this.state.types.printer(type);
    const { now } = this.state.timeline;
    return {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: printer.columns,
      rows: objects.map((object) => printer.row(object, now)),
    };
  }

  private tokenOf(text: string | null): Token | undefined {
    if (text === null || text === '') return undefined;
    const [, rv = '', start] = /^(\d+) (.+)$/.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
    if (start === undefined) throw badRequest('invalid continue token: continue key is not valid');
    return { rv: Number(rv), start };
  }
}

export function acceptsTable(accept: string): boolean {
  return accept.includes('as=Table');
}

export function inVersion(object: ApiObject, type: ApiType): ApiObject {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}

function keyIn({ metadata }: ApiObject): string {
  return keyOf(metadata.namespace, metadata.name);
}

function encoded({ rv, start }: Token): string {
  return Buffer.from(`${rv} ${start}`).toString('base64url');
}
