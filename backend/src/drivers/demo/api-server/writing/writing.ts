import type { ResourcePath } from '../api-path.js';
import { apiVersionOf, storageKey, type ApiType } from '../api-types.js';
import type { ClusterState } from '../cluster-state.js';
import { inVersion } from '../reading.js';
import type { Removal } from '../removal.js';
import type { ApiObject, Metadata } from '../shapes.js';
import { alreadyExists, ApiFailure, badRequest, conflict, forbidden, invalid, notFound } from '../status.js';
import { checkShape, decode, kindIn, unknownFields } from './decoding.js';
import { firstStatus, withDefaults } from './defaults.js';
import { afterUpdate, applied, type Writer } from './field-managers.js';
import { isFields, sorted, without, type Fields } from './merge-keys.js';
import { patchedBy } from './patches.js';
import { validate, validateChange, warningsFor } from './validation.js';

/** What a request that changes something says beside its path. */
export interface Change {
  body: string | undefined;
  contentType: string;
  query: URLSearchParams;
}

export interface Written {
  status: 200 | 201;
  object: object;
  warnings: string[];
}

/** Namespaces without which the cluster is none. */
const OWN_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const TOO_OLD = 'the object has been modified; please apply your changes to the latest version and try again';

/** Creates, replaces, patches and applies objects, with what the server checks before it does. */
export class Writing {
  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  /** @throws ApiFailure 400, 404, 409, 422 */
  create(path: ResourcePath, change: Change): Written {
    const { type } = path;
    const { object, warnings } = this.read(path, change);
    const { name, generateName } = object.metadata;
    const named = name === '' && generateName ? `${generateName}${this.state.names.suffix()}` : name;
    const draft = { ...object, metadata: { ...object.metadata, name: named } };
    return this.add(path, draft, change, 'Update', [...warnings, ...warningsFor(draft, type)]);
  }

  /** @throws ApiFailure 400, 404, 409, 422 */
  replace(path: ResourcePath, change: Change): Written {
    const before = this.existing(path);
    const { object, warnings } = this.read(path, change);
    this.checkIdentity(path, before, object);
    return this.put(path, before, object, change, warnings);
  }

  /** @throws ApiFailure 400, 404, 409, 415, 422 */
  patch(path: ResourcePath, change: Change): Written {
    const { type, name = '' } = path;
    const mediaType = change.contentType.split(';')[0]?.trim();
    if (mediaType === 'application/apply-patch+yaml') return this.apply(path, change);
    const before = this.existing(path);
    const patched = patchedBy(mediaType, inVersion(before, type), change.body, type);
    if (!isFields(patched)) throw badRequest('the patch leaves no object');
    const object = patched as unknown as ApiObject;
    checkShape(object, type);
    this.checkIdentity({ ...path, name }, before, object);
    return this.put(path, before, object, change, []);
  }

  /** @throws ApiFailure 400, 403, 404, 409 */
  remove(path: ResourcePath, options: Fields, query: URLSearchParams): object {
    const { type, name = '' } = path;
    const object = this.existing(path);
    const { uid, resourceVersion } = (options['preconditions'] ?? {}) as {
      uid?: string;
      resourceVersion?: string;
    };
    if (uid !== undefined && uid !== object.metadata.uid) {
      throw conflict(
        type,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid ?? ''}`,
      );
    }
    if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
      throw conflict(type, name, TOO_OLD);
    }
    if (type.plural === 'namespaces' && OWN_NAMESPACES.includes(name)) {
      throw forbidden(type, name, 'this namespace may not be deleted');
    }
    const grace = options['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds') ?? undefined;
    const removal = {
      propagation: (options['propagationPolicy'] ?? query.get('propagationPolicy') ?? undefined) as undefined,
      gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    };
    const dry = isDry(query) || (Array.isArray(options['dryRun']) && options['dryRun'].length > 0);
    const left = dry
      ? this.removal.marked(storageKey(type), object, removal)
      : this.removal.remove(storageKey(type), object, removal);
    if (left) return inVersion(left, type);
    // A pod is answered as it was; of anything else only that it is gone.
    if (type.plural === 'pods') {
      const { time } = this.state.timeline;
      return inVersion(
        {
          ...object,
          metadata: { ...object.metadata, deletionTimestamp: time, deletionGracePeriodSeconds: 0 },
        },
        type,
      );
    }
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name,
        ...(type.group === '' ? {} : { group: type.group }),
        kind: type.plural,
        uid: object.metadata.uid,
      },
    };
  }

  private apply(path: ResourcePath, change: Change): Written {
    const { type, name = '', namespace } = path;
    const manager = change.query.get('fieldManager') ?? '';
    if (manager === '') {
      const message = 'Required value: is required for apply patch';
      throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        { field: 'fieldManager', message, reason: 'FieldValueRequired' },
      ]);
    }
    const fields = decode(change.body, type);
    const { apiVersion, kind } = kindIn(fields);
    if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
      const [version, group] = apiVersion.split('/').reverse();
      throw badRequest(`invalid object type: ${group ?? ''}/${version ?? ''}, Kind=${kind}`);
    }
    const metadata = (isFields(fields['metadata']) ? fields['metadata'] : {}) as Partial<Metadata>;
    if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
    if (metadata.name !== undefined && metadata.name !== name) {
      throw badRequest(otherName(metadata.name, name));
    }
    const [unknown] = unknownFields(fields, type);
    if (unknown !== undefined) {
      const what = `${namespace ?? ''}/${name}; ${type.group}/${type.version}, Kind=${type.kind}`;
      throw new ApiFailure(
        500,
        '',
        `failed to create typed patch object (${what}): .${unknown}: field not declared in schema`,
      );
    }
    const configuration = {
      ...fields,
      metadata: { ...metadata, name, ...(namespace ? { namespace } : {}) },
    } as unknown as ApiObject;
    checkShape(configuration, type);
    const found = this.state.store.get(storageKey(type), namespace, name);
    if (!found) return this.add(path, configuration, change, 'Apply', warningsFor(configuration, type));
    if (
      metadata.resourceVersion !== undefined &&
      metadata.resourceVersion !== found.metadata.resourceVersion
    ) {
      throw conflict(type, name, TOO_OLD);
    }
    const force = change.query.get('force') === 'true';
    const result = applied(inVersion(found, type), configuration, this.writer(path, change), force);
    return this.put(
      path,
      found,
      result.object,
      change,
      warningsFor(configuration, type),
      result.managedFields,
    );
  }

  private add(
    path: ResourcePath,
    draft: ApiObject,
    change: Change,
    operation: 'Apply' | 'Update',
    warnings: string[],
  ): Written {
    const { type, namespace } = path;
    if (namespace !== undefined) this.checkNamespace(path, namespace, draft.metadata.name);
    const key = storageKey(type);
    const { labels, annotations, generateName, name, ownerReferences, finalizers } = draft.metadata;
    const metadata: Metadata = {
      name,
      ...(generateName ? { generateName } : {}),
      ...(namespace ? { namespace } : {}),
      uid: this.state.names.uid(),
      creationTimestamp: this.state.timeline.time,
      ...(type.subresources.includes('status') && type.plural !== 'namespaces' ? { generation: 1 } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(ownerReferences ? { ownerReferences } : {}),
      ...(type.plural === 'persistentvolumeclaims'
        ? { finalizers: [...new Set([...(finalizers ?? []), 'kubernetes.io/pvc-protection'])] }
        : finalizers
          ? { finalizers }
          : {}),
    };
    const status = firstStatus(type);
    const complete = withDefaults({ ...withoutStatus(draft, type), metadata }, type, this.state);
    const object = { ...complete, ...(status ? { status } : {}) } as ApiObject;
    this.check(validate(object, type), type, name);
    if (this.state.store.get(key, namespace, name)) throw alreadyExists(type, name);
    const writer = this.writer(path, change);
    const managedFields =
      operation === 'Apply'
        ? applied({ ...object, metadata: { ...metadata, managedFields: [] } }, draft, writer, true)
            .managedFields
        : afterUpdate(undefined, withoutStatus(object, type), writer);
    const owned = { ...object, metadata: { ...object.metadata, managedFields } };
    const kept = isDry(change.query) ? owned : this.state.store.put(key, owned);
    return { status: 201, object: inVersion(kept, type), warnings };
  }

  private put(
    path: ResourcePath,
    before: ApiObject,
    draft: ApiObject,
    change: Change,
    warnings: string[],
    managedFields?: Metadata['managedFields'],
  ): Written {
    const { type, subresource } = path;
    const was = before.metadata;
    const onlyStatus = subresource === 'status';
    const own: Metadata = {
      ...was,
      labels: draft.metadata.labels,
      annotations: draft.metadata.annotations,
      ownerReferences: draft.metadata.ownerReferences,
      finalizers: draft.metadata.finalizers,
    };
    const statusOf = (object: ApiObject): object => {
      const { status } = object as ApiObject & { status?: object };
      return status === undefined ? {} : { status };
    };
    const complete = onlyStatus
      ? { ...before, ...statusOf(draft) }
      : {
          ...withDefaults({ ...withoutStatus(draft, type), metadata: defined(own) }, type, this.state),
          ...(hasStatus(type) ? statusOf(before) : {}),
        };
    const specChanged = JSON.stringify(specIn(complete)) !== JSON.stringify(specIn(before));
    const generation =
      was.generation === undefined ? {} : { generation: was.generation + (specChanged ? 1 : 0) };
    const object = { ...complete, metadata: { ...complete.metadata, ...generation } };
    const errors = [...validate(object, type), ...validateChange(before, object, type)];
    this.check(errors, type, was.name);
    const managers = managedFields ?? afterUpdate(before, object, this.writer(path, change));
    const next = { ...object, metadata: { ...object.metadata, managedFields: managers } };
    // What changes nothing is no change: the version stays, and no watch hears of it.
    if (same(next, before)) return { status: 200, object: inVersion(before, type), warnings };
    const kept = isDry(change.query) ? next : this.state.store.put(storageKey(type), next);
    return {
      status: 200,
      object: inVersion(kept, type),
      warnings: [...warnings, ...warningsFor(next, type)],
    };
  }

  private read(path: ResourcePath, { body, query }: Change): { object: ApiObject; warnings: string[] } {
    const { type, namespace } = path;
    const fields = decode(body, type);
    const { apiVersion, kind } = kindIn(fields);
    const { metadata } = fields;
    if (apiVersion !== apiVersionOf(type) || kind !== type.kind) {
      throw badRequest(
        `${kind} in version "${apiVersion}" cannot be handled as a ${type.kind}: no kind "${kind}" is registered for version "${apiVersion}"`,
      );
    }
    const named: Metadata = { name: '', ...(isFields(metadata) ? metadata : {}) };
    if (namespace !== undefined && named.namespace !== undefined && named.namespace !== namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    const unknown = unknownFields(fields, type).map((field) => `unknown field ${JSON.stringify(field)}`);
    if (unknown.length > 0 && query.get('fieldValidation') === 'Strict') {
      throw badRequest(
        `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${unknown.join(', ')}`,
      );
    }
    const known = Object.fromEntries(
      Object.entries(fields).filter(([field]) => !unknown.includes(`unknown field ${JSON.stringify(field)}`)),
    );
    const object = {
      ...known,
      metadata: { ...named, ...(namespace ? { namespace } : {}) },
    } as unknown as ApiObject;
    checkShape(object, type);
    return { object, warnings: query.get('fieldValidation') === 'Ignore' ? [] : unknown };
  }

  private existing({ type, namespace, name = '' }: ResourcePath): ApiObject {
    const found = this.state.store.get(storageKey(type), namespace, name);
    if (!found) throw notFound(type, name);
    return found;
  }

  private checkIdentity({ type, name = '' }: ResourcePath, before: ApiObject, { metadata }: ApiObject): void {
    if (metadata.name !== name) throw badRequest(otherName(metadata.name, name));
    if (metadata.resourceVersion && metadata.resourceVersion !== before.metadata.resourceVersion) {
      throw conflict(type, name, TOO_OLD);
    }
    if (metadata.uid && metadata.uid !== before.metadata.uid) {
      throw conflict(
        type,
        name,
        `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${before.metadata.uid ?? ''}`,
      );
    }
  }

  private checkNamespace({ type }: ResourcePath, name: string, object: string): void {
    const namespace = this.state.store.get('namespaces', undefined, name);
    if (!namespace) throw notFound({ group: '', plural: 'namespaces' }, name);
    if (namespace.metadata.deletionTimestamp !== undefined) {
      throw forbidden(
        type,
        object,
        `unable to create new content in namespace ${name} because it is being terminated`,
      );
    }
  }

  private check(errors: readonly Parameters<typeof invalid>[2][number][], type: ApiType, name: string): void {
    if (errors.length > 0) throw invalid(type, name, errors);
  }

  private writer({ type, subresource }: ResourcePath, { query }: Change): Writer {
    return {
      manager: query.get('fieldManager') ?? 'unknown',
      apiVersion: apiVersionOf(type),
      time: this.state.timeline.time,
      subresource,
    };
  }
}

function isDry(query: URLSearchParams): boolean {
  return query.get('dryRun') === 'All';
}

function otherName(given: string, expected: string): string {
  return `the name of the object (${given}) does not match the name on the URL (${expected})`;
}

function hasStatus(type: ApiType): boolean {
  return type.subresources.includes('status');
}

/** A status is the controllers' to write: on its own path. */
function withoutStatus(object: ApiObject, type: ApiType): ApiObject {
  if (!hasStatus(type)) return object;
  return without<ApiObject, string>(object, 'status') as ApiObject;
}

function specIn(object: ApiObject): unknown {
  return (object as ApiObject & { spec?: unknown }).spec;
}

function defined(metadata: Metadata): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== undefined),
  ) as unknown as Metadata;
}

/** Apart from who wrote it when. */
function same(one: ApiObject, other: ApiObject): boolean {
  const compared = ({ metadata, ...rest }: ApiObject): string =>
    JSON.stringify(
      sorted({
        ...rest,
        metadata: {
          ...metadata,
          managedFields: (metadata.managedFields ?? []).map(({ time: _time, ...entry }) => entry),
        },
      }),
    );
  return compared(one) === compared(other);
}
