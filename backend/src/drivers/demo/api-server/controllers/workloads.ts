import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { Change } from '../object-store.js';
import type { Removal } from '../removal.js';
import type { ApiObject, KubeNode, Pod, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { createPod, isActive, isReady, podsOf } from './pod-state.js';
import { mismatch } from './scheduler.js';

const HASH = 'controller-revision-hash';
/** More creations of one owner are not worth an event each. */
const MAX_EVENTS = 50;

/** A pod that a workload should have. */
interface Slot {
  /** Ends with `-` where pods have random names. */
  name: string;
  nodeName?: string;
  labels?: Record<string, string>;
}

/** Keeps the pods of a ReplicaSet, StatefulSet or DaemonSet: as many, with the names and on the nodes that it wants. */
abstract class Workloads implements Controller {
  abstract readonly type: string;

  constructor(
    protected readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  /** The pods that should exist. */
  protected abstract slots(workload: Workload): Slot[];
  protected abstract status(slots: number, pods: readonly Pod[]): object;
  /** Whether a pod of an earlier template must go. ReplicaSets have one template. */
  protected isOutdated(_workload: Workload, _pod: Pod): boolean {
    return false;
  }

  reconcile(object: ApiObject): void {
    const workload = object as Workload;
    if (workload.metadata.deletionTimestamp !== undefined) return;
    const slots = this.slots(workload);
    const free = [...slots];
    const surplus: Pod[] = [];
    // Ready pods keep their places; of the others, the oldest do.
    for (const pod of podsOf(this.state, workload).filter(isActive).sort(mostUseful)) {
      const index = free.findIndex((slot) => fits(slot, pod));
      if (index === -1) surplus.push(pod);
      else free.splice(index, 1);
    }
    for (const slot of free.filter(({ name }) => !this.isTaken(workload, name))) this.fill(workload, slot);
    const outdated = podsOf(this.state, workload).filter(
      (pod) => isActive(pod) && this.isOutdated(workload, pod),
    );
    const complete = free.length === 0 && podsOf(this.state, workload).every(isReady);
    for (const pod of [...surplus, ...(complete ? outdated.slice(-1) : [])]) this.delete(workload, pod);
    const pods = podsOf(this.state, workload).filter(isActive);
    const status = {
      ...this.status(slots.length, pods),
      observedGeneration: workload.metadata.generation ?? 1,
    };
    this.state.update<Workload>(this.type, workload, { status });
  }

  /** A terminating pod still has its name. */
  private isTaken({ metadata }: Workload, name: string): boolean {
    return !name.endsWith('-') && this.state.store.get('pods', metadata.namespace, name) !== undefined;
  }

  private fill(workload: Workload, { name, nodeName, labels }: Slot): void {
    const { template, serviceName, volumeClaimTemplates = [] } = workload.spec ?? {};
    const volumes = volumeClaimTemplates.map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
    }));
    createPod(this.state, workload, template, {
      name,
      labels,
      spec: {
        ...(nodeName === undefined ? {} : { nodeName }),
        ...(serviceName === undefined ? {} : { hostname: name, subdomain: serviceName }),
        ...(volumes.length > 0 ? { volumes } : {}),
      },
    });
  }

  private delete(workload: Workload, pod: Pod): void {
    this.removal.remove('pods', pod);
    if ((workload.spec?.replicas ?? 0) > MAX_EVENTS) return;
    const by = `${workload.kind.toLowerCase()}-controller`;
    this.state.event(workload, {
      reason: 'SuccessfulDelete',
      message: `Deleted pod: ${pod.metadata.name}`,
      by,
    });
  }
}

export class ReplicaSets extends Workloads {
  readonly type = 'replicasets.apps';

  protected override slots({ metadata, spec }: Workload): Slot[] {
    return Array.from({ length: spec?.replicas ?? 1 }, () => ({ name: `${metadata.name}-` }));
  }

  protected override status(_slots: number, pods: readonly Pod[]): object {
    const ready = pods.filter(isReady).length;
    return {
      replicas: pods.length,
      fullyLabeledReplicas: pods.length,
      readyReplicas: ready,
      availableReplicas: ready,
    };
  }
}

abstract class RevisedWorkloads extends Workloads {
  protected override isOutdated({ spec }: Workload, pod: Pod): boolean {
    return pod.metadata.labels?.[HASH] !== templateHash(spec?.template);
  }

  protected revisionLabel({ spec }: Workload): Record<string, string> {
    return { [HASH]: templateHash(spec?.template) };
  }
}

export class StatefulSets extends RevisedWorkloads {
  readonly type = 'statefulsets.apps';

  protected override slots(set: Workload): Slot[] {
    return Array.from({ length: set.spec?.replicas ?? 1 }, (_, ordinal) => {
      const name = `${set.metadata.name}-${ordinal}`;
      const labels = { ...this.revisionLabel(set), 'statefulset.kubernetes.io/pod-name': name };
      return { name, labels };
    });
  }

  protected override status(_slots: number, pods: readonly Pod[]): object {
    const ready = pods.filter(isReady).length;
    return {
      replicas: pods.length,
      readyReplicas: ready,
      availableReplicas: ready,
      currentReplicas: pods.length,
      updatedReplicas: pods.length,
    };
  }
}

export class DaemonSets extends RevisedWorkloads {
  readonly type = 'daemonsets.apps';

  concerned({ type }: Change): ApiObject[] {
    return type === 'nodes' ? this.state.store.list(this.type) : [];
  }

  protected override slots(set: Workload): Slot[] {
    return this.state.store
      .list<KubeNode>('nodes')
      .filter((node) => mismatch({ ...set, spec: set.spec?.template?.spec }, node, true) === undefined)
      .map(({ metadata: { name: nodeName } }) => ({
        name: `${set.metadata.name}-`,
        nodeName,
        labels: this.revisionLabel(set),
      }));
  }

  protected override status(slots: number, pods: readonly Pod[]): object {
    const ready = pods.filter(isReady).length;
    return {
      desiredNumberScheduled: slots,
      currentNumberScheduled: pods.length,
      numberReady: ready,
      numberAvailable: ready,
      numberMisscheduled: 0,
      updatedNumberScheduled: pods.length,
    };
  }
}

function fits({ name, nodeName }: Slot, { metadata, spec }: Pod): boolean {
  return (
    (name.endsWith('-') || name === metadata.name) && (nodeName === undefined || nodeName === spec?.nodeName)
  );
}

function mostUseful(one: Pod, other: Pod): number {
  const readyFirst = Number(isReady(other)) - Number(isReady(one));
  if (readyFirst !== 0) return readyFirst;
  return (
    Date.parse(one.metadata.creationTimestamp ?? '') - Date.parse(other.metadata.creationTimestamp ?? '')
  );
}
