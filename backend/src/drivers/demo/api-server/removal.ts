import { storageKey } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import type { ApiObject, OwnerReference, Pod } from './shapes.js';
import { wholeSeconds } from './timeline.js';

export interface RemovalOptions {
  propagation?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
}

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';
const USUAL_GRACE_SECONDS = 30;

/** Takes objects away as the API server and its garbage collector do. */
export class Removal {
  constructor(private readonly state: ClusterState) {
    state.store.subscribe(({ type, kind, object, before }) => {
      if (kind === 'DELETED') this.collect(object);
      else if (object.metadata.deletionTimestamp !== undefined && before) this.finish(type, object);
    });
  }

  /** What becomes of an object that is to go; the last of it where it is gone at once. */
  marked(type: string, object: ApiObject, options: RemovalOptions = {}): ApiObject | undefined {
    const { metadata } = object;
    const finalizers = [
      ...(metadata.finalizers ?? []),
      ...(options.propagation === 'Foreground' && this.dependents(object).length > 0 ? [FOREGROUND] : []),
      ...(options.propagation === 'Orphan' && this.dependents(object).length > 0 ? [ORPHAN] : []),
    ];
    const grace = type === 'pods' ? graceOf(object, options.gracePeriodSeconds) : 0;
    if (finalizers.length === 0 && grace === 0 && type !== 'namespaces') return undefined;
    const already = metadata.deletionTimestamp !== undefined;
    if (already && (metadata.deletionGracePeriodSeconds ?? 0) <= grace) return object;
    return {
      ...object,
      metadata: {
        ...metadata,
        ...(finalizers.length > 0 ? { finalizers: [...new Set(finalizers)] } : {}),
        generation: metadata.generation === undefined ? undefined : metadata.generation + 1,
        deletionTimestamp: wholeSeconds(this.state.timeline.now + grace * 1000),
        deletionGracePeriodSeconds: grace,
      },
    };
  }

  /** @returns the object while it is on its way, or undefined once it is gone. */
  remove(type: string, object: ApiObject, options: RemovalOptions = {}): ApiObject | undefined {
    const marked = this.marked(type, object, options);
    if (marked === undefined) {
      this.state.store.remove(type, object);
      return undefined;
    }
    return marked === object ? object : this.state.store.put(type, marked);
  }

  /** An object on its way: what its finalizers wait for, and its end when the last of them is gone. */
  private finish(type: string, object: ApiObject): void {
    const { finalizers = [], uid } = object.metadata;
    if (finalizers.includes(ORPHAN)) {
      for (const dependent of this.dependents(object)) {
        const ownerReferences = dependent.object.metadata.ownerReferences?.filter(
          (owner) => owner.uid !== uid,
        );
        this.state.store.put(dependent.type, {
          ...dependent.object,
          metadata: { ...dependent.object.metadata, ownerReferences },
        });
      }
      this.release(type, object, ORPHAN);
    } else if (finalizers.includes(FOREGROUND)) {
      const dependents = this.dependents(object);
      for (const dependent of dependents) {
        if (dependent.object.metadata.deletionTimestamp === undefined) {
          this.remove(dependent.type, dependent.object, { propagation: 'Foreground' });
        }
      }
      if (this.dependents(object).length === 0) this.release(type, object, FOREGROUND);
    } else if (finalizers.length === 0 && type !== 'pods' && type !== 'namespaces') {
      this.state.store.remove(type, object);
    }
  }

  private release(type: string, object: ApiObject, finalizer: string): void {
    const current = this.state.current(type, object);
    if (!current) return;
    const finalizers = (current.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    this.state.store.put(type, { ...current, metadata: { ...current.metadata, finalizers } });
  }

  /** What belonged to an object that has gone goes too, and owners that waited for that are gone with it. */
  private collect({ metadata }: ApiObject): void {
    for (const { type, object } of this.state.store.ownedBy(metadata.uid)) {
      const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== metadata.uid);
      if (others.length > 0) {
        this.state.store.put(type, { ...object, metadata: { ...object.metadata, ownerReferences: others } });
      } else if (object.metadata.deletionTimestamp === undefined) this.remove(type, object);
    }
    for (const owner of metadata.ownerReferences ?? []) this.tellOwner(owner, metadata.namespace);
  }

  private tellOwner({ apiVersion, kind, name, uid }: OwnerReference, namespace: string | undefined): void {
    const type = this.state.types.findKind(apiVersion, kind);
    if (!type) return;
    const key = storageKey(type);
    const owner = this.state.store.get(key, type.namespaced ? namespace : undefined, name);
    if (owner === undefined || owner.metadata.uid !== uid || !owner.metadata.deletionTimestamp) {
      return;
    }
    this.finish(key, owner);
  }

  private dependents({ metadata }: ApiObject): { type: string; object: ApiObject }[] {
    return this.state.store.ownedBy(metadata.uid);
  }
}

/** A pod that never ran, or has ended, needs no grace. */
function graceOf({ spec, status }: Pod, asked: number | undefined): number {
  if (spec?.nodeName === undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  return asked ?? spec.terminationGracePeriodSeconds ?? USUAL_GRACE_SECONDS;
}
