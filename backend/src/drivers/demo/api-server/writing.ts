import type { DeleteOptions } from 'kubernetes-types/meta/v1.js';
import { jsonValue } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import type { Propagation } from '../../kubernetes/index.js';
import { apiVersionOf, storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import { withDefaults } from './defaults.js';
import { canonicalJson, mergePatch, type Fields } from './json-merge.js';
import { inVersion } from './reading.js';
import type { Removal } from './removal.js';
import type { ApiObject, Metadata } from './shapes.js';
import { alreadyExists, badRequest, conflict, forbidden, notFound } from './status.js';

export interface Change {
  body: string | undefined;
  contentType: string;
  query: URLSearchParams;
}

export interface Written {
  status: number;
  object: ApiObject;
}

const SYSTEM_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Creates, replaces, patches and deletes objects. Every patch is a JSON merge patch and fields have no owners: contract
 * tests prove server-side apply and validation on real clusters.
 */
export class Writing {
  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  /** Adds an object as it is, its status included. */
  seed(type: ApiType, object: ApiObject): ApiObject {
    return this.state.create(storageKey(type), withDefaults(object, type, this.state));
  }

  /** @throws ApiFailure 400, 403, 404, 409 */
  create(path: ResourcePath, { body, query }: Change): Written {
    return this.add(path, this.decode(body, path), query);
  }

  /** @throws ApiFailure 400, 404, 409 */
  replace(path: ResourcePath, { body, query }: Change): Written {
    return this.put(path, this.existing(path), this.decode(body, path), query);
  }

  /** @throws ApiFailure 400, 403, 404, 409 */
  patch(path: ResourcePath, { body, contentType, query }: Change): Written {
    if (contentType.startsWith('application/apply-patch')) {
      const object = this.decode(body, path);
      const found = this.find(path);
      if (!found) return this.add(path, object, query);
      return this.put(path, found, mergePatch(found, object) as ApiObject, query);
    }
    const before = this.existing(path);
    return this.put(path, before, mergePatch(before, parse(body)) as ApiObject, query);
  }

  /** @throws ApiFailure 403, 404, 409 */
  remove(path: ResourcePath, body: string | undefined, query: URLSearchParams): object {
    const { type, name = '' } = path;
    const object = this.existing(path);
    const { preconditions, gracePeriodSeconds, propagationPolicy, dryRun } = (
      body ? parse(body) : {}
    ) as DeleteOptions & { propagationPolicy?: Propagation };
    this.checkVersion(path, object, { ...preconditions, name });
    if (type.plural === 'namespaces' && SYSTEM_NAMESPACES.includes(name)) {
      throw forbidden(type, name, 'this namespace may not be deleted');
    }
    const options = { propagation: propagationPolicy, gracePeriodSeconds };
    const left =
      isDryRun(query) || dryRun !== undefined
        ? this.removal.marked(storageKey(type), object, options)
        : this.removal.remove(storageKey(type), object, options);
    if (left) return inVersion(left, type);
    const details = { name, kind: type.plural, uid: object.metadata.uid };
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  }

  private add(path: ResourcePath, object: ApiObject, query: URLSearchParams): Written {
    const { type, namespace } = path;
    const { name } = object.metadata;
    if (namespace !== undefined) this.checkNamespace(type, namespace, name);
    if (this.find({ ...path, name })) throw alreadyExists(type, name);
    const metadata: Metadata = {
      ...object.metadata,
      ...(type.subresources.includes('status') ? { generation: 1 } : {}),
    };
    const complete = withDefaults({ ...withoutStatus(object, type), metadata }, type, this.state);
    const key = storageKey(type);
    const kept = isDryRun(query) ? this.state.draft(complete) : this.state.create(key, complete);
    return { status: 201, object: inVersion(kept, type) };
  }

  private put(path: ResourcePath, before: ApiObject, draft: ApiObject, query: URLSearchParams): Written {
    const { type } = path;
    this.checkVersion(path, before, draft.metadata);
    const { labels, annotations, ownerReferences, finalizers } = draft.metadata;
    const own = { ...before.metadata, labels, annotations, ownerReferences, finalizers };
    const next: Fields = {
      ...withDefaults({ ...withoutStatus(draft, type), metadata: own }, type, this.state),
      ...statusOf(before, type),
    };
    const specChanged = canonicalJson(next['spec']) !== canonicalJson((before as unknown as Fields)['spec']);
    const generation = (own.generation ?? 0) + (specChanged ? 1 : 0);
    const object = {
      ...next,
      metadata: { ...own, ...(own.generation === undefined ? {} : { generation }) },
    } as ApiObject;
    // Without a difference the version stays, and watches get no event.
    const unchanged = canonicalJson(object) === canonicalJson(before);
    const kept = unchanged || isDryRun(query) ? object : this.state.store.put(storageKey(type), object);
    return { status: 200, object: inVersion(kept, type) };
  }

  /** @throws ApiFailure 400 where the body is no object of the path's kind, name and namespace. */
  private decode(body: string | undefined, { type, namespace, name }: ResourcePath): ApiObject {
    const { kind, apiVersion, metadata, ...fields } = parse(body);
    if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
      throw badRequest(`no kind "${String(kind)}" is registered for version "${String(apiVersion)}"`);
    }
    const given: Metadata = { name: name ?? '', ...(isRecord(metadata) ? metadata : {}) };
    return { apiVersion, kind, metadata: { ...given, ...(namespace ? { namespace } : {}) }, ...fields };
  }

  private find({ type, namespace, name = '' }: ResourcePath): ApiObject | undefined {
    return this.state.store.get(storageKey(type), namespace, name);
  }

  private existing(path: ResourcePath): ApiObject {
    const found = this.find(path);
    if (!found) throw notFound(path.type, path.name ?? '');
    return found;
  }

  private checkVersion({ type, name = '' }: ResourcePath, before: ApiObject, sent: Partial<Metadata>): void {
    if (sent.name !== name) {
      throw badRequest(`the name of the object (${sent.name}) does not match the name on the URL (${name})`);
    }
    if (sent.resourceVersion && sent.resourceVersion !== before.metadata.resourceVersion) {
      throw conflict(type, name, MODIFIED);
    }
    if (sent.uid && sent.uid !== before.metadata.uid) {
      const uids = `UID in precondition: ${sent.uid}, UID in object meta: ${before.metadata.uid}`;
      throw conflict(type, name, `Precondition failed: ${uids}`);
    }
  }

  private checkNamespace(type: ApiType, name: string, object: string): void {
    const namespace = this.state.store.get('namespaces', undefined, name);
    if (!namespace) throw notFound({ group: '', plural: 'namespaces' }, name);
    if (namespace.metadata.deletionTimestamp === undefined) return;
    const why = `unable to create new content in namespace ${name} because it is being terminated`;
    throw forbidden(type, object, why);
  }
}

/** @throws ApiFailure 400 */
export function parse(body: string | undefined): Fields {
  const value = jsonValue(body ?? '');
  if (isRecord(value)) return value;
  throw badRequest('the object provided is unrecognized: it is not a JSON object');
}

export function isDryRun(query: URLSearchParams): boolean {
  return query.get('dryRun') === 'All';
}

function statusOf(object: ApiObject, type: ApiType): { status?: object } {
  const { status } = object as ApiObject & { status?: object };
  return status !== undefined && type.subresources.includes('status') ? { status } : {};
}

function withoutStatus(object: ApiObject, type: ApiType): ApiObject {
  if (!type.subresources.includes('status')) return object;
  return { ...object, status: undefined } as ApiObject;
}
