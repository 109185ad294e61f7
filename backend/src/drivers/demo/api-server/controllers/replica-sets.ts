import type { ClusterState } from '../cluster-state.js';
import type { ApiObject, Pod, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { isActive, isReady, makePod, podsOf } from './pod-state.js';
import type { Removal } from '../removal.js';

/** Keeps as many pods as a ReplicaSet asks for. */
export class ReplicaSets implements Controller {
  readonly type = 'replicasets.apps';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  reconcile(object: ApiObject): void {
    const set = object as Workload;
    if (set.metadata.deletionTimestamp !== undefined) return;
    const wanted = set.spec?.replicas ?? 1;
    const pods = podsOf(this.state, set).filter(isActive);
    for (let missing = wanted - pods.length; missing > 0; missing -= 1) {
      const pod = makePod(this.state, set, set.spec?.template, { name: `${set.metadata.name}-` });
      this.say(set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    }
    const leaving = pods.sort(leastUseful).slice(0, Math.max(0, pods.length - wanted));
    for (const pod of leaving) {
      this.removal.remove('pods', pod);
      this.say(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    }
    const kept = podsOf(this.state, set).filter(isActive);
    const ready = kept.filter(isReady).length;
    this.state.update<Workload>(this.type, set, {
      status: {
        replicas: kept.length,
        fullyLabeledReplicas: kept.length,
        readyReplicas: ready,
        availableReplicas: ready,
        observedGeneration: set.metadata.generation ?? 1,
      },
    });
  }

  private say(set: Workload, reason: string, message: string): void {
    // Of a crowd, the first are enough: an API server drops events of one source that come too fast, too.
    if ((set.spec?.replicas ?? 0) > MOST_TOLD) return;
    this.state.event(set, { reason, message, by: 'replicaset-controller' });
  }
}

const MOST_TOLD = 50;

/** Those that are not ready go first, then the youngest. */
function leastUseful(one: Pod, other: Pod): number {
  const difference = Number(isReady(one)) - Number(isReady(other));
  if (difference !== 0) return difference;
  return (
    Date.parse(other.metadata.creationTimestamp ?? '') - Date.parse(one.metadata.creationTimestamp ?? '')
  );
}
