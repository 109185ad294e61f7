import { apiVersionOf, storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ObjectStore } from './object-store.js';
import { keyOf } from './object-store.js';
import type { Included, TablePrinter } from './printing/table.js';
import { fieldTest, labelTest, type Test } from './selectors.js';
import type { ApiObject } from './shapes.js';
import { badRequest, expired, notFound } from './status.js';
import { without } from './writing/merge-keys.js';

/** In which form objects are answered. */
export interface Form {
  table: boolean;
  included: Included;
}

interface Token {
  v: 'meta.k8s.io/v1';
  rv: number;
  start: string;
}

/** `Accept`, and for Tables what they carry. @throws ApiFailure 400 */
export function formOf(accept: string, query: URLSearchParams): Form {
  const included = query.get('includeObject') ?? 'Metadata';
  if (!['None', 'Metadata', 'Object'].includes(included)) {
    throw badRequest(`unrecognized includeObject value: "${included}"`);
  }
  return { table: accept.includes('as=Table'), included: included as Included };
}

/** The selectors of a list or a watch as one test. @throws ApiFailure 400 */
export function selection({ plural }: ApiType, query: URLSearchParams): Test | undefined {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const tests = [...(labels ? [labelTest(labels)] : []), ...(fields ? [fieldTest(plural, fields)] : [])];
  return tests.length === 0 ? undefined : (object) => tests.every((test) => test(object));
}

/** Lists and single objects. */
export class Reading {
  constructor(
    private readonly store: ObjectStore,
    private readonly printerOf: (type: ApiType) => TablePrinter,
    private readonly now: () => number,
  ) {}

  /** @throws ApiFailure 404 */
  find({ type, namespace, name = '' }: ResourcePath): ApiObject {
    const object = this.store.get(storageKey(type), namespace, name);
    if (!object) throw notFound(type, name);
    return object;
  }

  one(path: ResourcePath, form: Form): object {
    const object = this.find(path);
    if (!form.table) return inVersion(object, path.type);
    const { resourceVersion } = object.metadata;
    return this.table(path.type, [object], form, { resourceVersion });
  }

  /** @throws ApiFailure 400, 410 */
  list({ type, namespace }: ResourcePath, query: URLSearchParams, form: Form): object {
    const matches = selection(type, query);
    const limit = Number(query.get('limit') ?? 0);
    const token = this.tokenOf(query.get('continue'));
    const all = this.store.list(storageKey(type), namespace);
    const begin = token ? all.findIndex((object) => keyIn(object) > token.start) : 0;
    const rest = begin === -1 ? [] : all.slice(begin);
    const found = matches ? rest.filter(matches) : rest;
    const page = limit > 0 ? found.slice(0, limit) : found;
    const version = token?.rv ?? this.store.version;
    const last = page.at(-1);
    const more = last !== undefined && page.length < found.length;
    const metadata = {
      resourceVersion: String(version),
      ...(more ? { continue: encoded({ v: 'meta.k8s.io/v1', rv: version, start: keyIn(last) }) } : {}),
      // What is behind a selector is not counted.
      ...(more && !matches ? { remainingItemCount: found.length - page.length } : {}),
    };
    if (form.table) return this.table(type, page, form, metadata);
    return {
      kind: `${type.kind}List`,
      apiVersion: apiVersionOf(type),
      metadata,
      // In a list, items do not repeat what they are.
      items: page.map((object) =>
        type.custom ? inVersion(object, type) : without(object, 'apiVersion', 'kind'),
      ),
    };
  }

  table(type: ApiType, objects: readonly ApiObject[], { included }: Form, metadata: object): object {
    const printer = this.printerOf(type);
    const now = this.now();
    return {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: printer.columns,
      rows: objects.map((object) => printer.row(object, included, now)),
    };
  }

  private tokenOf(text: string | null): Token | undefined {
    if (text === null || text === '') return undefined;
    let token: Token | undefined;
    try {
      token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Token;
    } catch {
      // Said below.
    }
    if (token?.v !== 'meta.k8s.io/v1' || !Number.isInteger(token.rv) || typeof token.start !== 'string') {
      throw badRequest('invalid continue token: continue key is not valid');
    }
    if (this.store.version - token.rv > KEPT_VERSIONS) {
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.',
      );
    }
    return token;
  }
}

/** How many changes a page's token survives; etcd compacts every five minutes. */
const KEPT_VERSIONS = 10_000;

export function inVersion(object: ApiObject, type: ApiType): ApiObject {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}

function keyIn({ metadata }: ApiObject): string {
  return keyOf(metadata.namespace, metadata.name);
}

function encoded(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}
