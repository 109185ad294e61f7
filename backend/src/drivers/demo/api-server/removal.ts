import type { RemoveOptions } from '../../kubernetes/index.js';
import type { ClusterState } from './cluster-state.js';
import type { ApiObject, Pod } from './shapes.js';
import { toSeconds } from './timeline.js';

/** Foreground deletes like background: the tour has no use for the difference. */
type RemovalOptions = Pick<RemoveOptions, 'propagation' | 'gracePeriodSeconds'>;

const DEFAULT_GRACE_SECONDS = 30;

/** Deletes objects like the API server and its garbage collector. */
export class Removal {
  constructor(private readonly state: ClusterState) {
    state.store.subscribe(({ type, kind, object }) => {
      if (kind === 'DELETED') this.collect(object);
      else if (object.metadata.deletionTimestamp !== undefined) this.finish(type, object);
    });
  }

  /** @returns the object marked as terminating, or undefined if it can be deleted at once. */
  marked(
    type: string,
    object: ApiObject,
    { gracePeriodSeconds }: RemovalOptions = {},
  ): ApiObject | undefined {
    const { metadata } = object;
    const grace = type === 'pods' ? graceOf(object, gracePeriodSeconds) : 0;
    if ((metadata.finalizers ?? []).length === 0 && grace === 0 && type !== 'namespaces') return undefined;
    if (metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) <= grace) {
      return object;
    }
    return {
      ...object,
      metadata: {
        ...metadata,
        deletionTimestamp: toSeconds(this.state.timeline.now + grace * 1000),
        deletionGracePeriodSeconds: grace,
      },
    };
  }

  /** @returns the terminating object, or undefined once it is deleted. */
  remove(type: string, object: ApiObject, options: RemovalOptions = {}): ApiObject | undefined {
    if (options.propagation === 'Orphan') this.disown(object);
    const marked = this.marked(type, object, options);
    if (marked === undefined) {
      this.state.store.remove(type, object);
      return undefined;
    }
    return marked === object ? object : this.state.store.put(type, marked);
  }

  /** Deletes a terminating object once it has no finalizers. The kubelet and the namespace controller delete theirs. */
  private finish(type: string, object: ApiObject): void {
    const waits = (object.metadata.finalizers ?? []).length > 0 || type === 'pods' || type === 'namespaces';
    if (!waits) this.state.store.remove(type, object);
  }

  private disown({ metadata }: ApiObject): void {
    for (const { type, object } of this.state.store.ownedBy(metadata.uid)) {
      const ownerReferences = object.metadata.ownerReferences?.filter(({ uid }) => uid !== metadata.uid);
      this.state.store.put(type, { ...object, metadata: { ...object.metadata, ownerReferences } });
    }
  }

  private collect({ metadata }: ApiObject): void {
    for (const { type, object } of this.state.store.ownedBy(metadata.uid)) {
      if (object.metadata.deletionTimestamp === undefined) this.remove(type, object);
    }
  }
}

/** Pods that never ran or have ended need no grace period. */
function graceOf({ spec, status }: Pod, asked: number | undefined): number {
  if (spec?.nodeName === undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  return asked ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}
