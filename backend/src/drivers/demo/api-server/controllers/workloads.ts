import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { Change } from '../object-store.js';
import type { Removal } from '../removal.js';
import type { ApiObject, KubeNode, Pod, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { createPod, isActive, isReady, podsOf } from './pod-state.js';
import { mismatch } from './scheduler.js';

const HASH = 'controller-revision-hash';

/** A pod that a workload should have. */
interface Slot {
  /** Ends with `-` where pods have random names. */
  name: string;
  nodeName?: string;
}

/** Keeps the pods of ReplicaSets, StatefulSets and DaemonSets. */
export class Workloads implements Controller {
  constructor(
    readonly type: 'replicasets.apps' | 'statefulsets.apps' | 'daemonsets.apps',
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  concerned({ type }: Change): ApiObject[] {
    return type === 'nodes' && this.type === 'daemonsets.apps' ? this.state.store.list(this.type) : [];
  }

  reconcile(object: ApiObject): void {
    const workload = object as Workload;
    if (workload.metadata.deletionTimestamp !== undefined) return;
    const slots = this.slots(workload);
    const free = [...slots];
    // Ready pods keep their slots; of the others, the oldest do.
    for (const pod of podsOf(this.state, workload).filter(isActive).sort(mostUseful)) {
      const index = free.findIndex((slot) => fits(slot, pod));
      if (index === -1) this.delete(workload, pod);
      else free.splice(index, 1);
    }
    for (const slot of free) this.fill(workload, slot);
    const pods = podsOf(this.state, workload).filter(isActive);
    const hash = templateHash(workload.spec?.template);
    const outdated = pods.filter(({ metadata }) => (metadata.labels?.[HASH] ?? hash) !== hash);
    // A rollout replaces one pod at a time, and waits until all others are ready.
    const [next] = outdated;
    if (next && free.length === 0 && pods.every(isReady)) this.delete(workload, next);
    this.report(workload, slots.length);
  }

  private slots({ metadata, spec }: Workload): Slot[] {
    if (this.type === 'daemonsets.apps') {
      return this.state.store
        .list<KubeNode>('nodes')
        .filter((node) => mismatch(spec?.template?.spec, node, true) === undefined)
        .map((node) => ({ name: `${metadata.name}-`, nodeName: node.metadata.name }));
    }
    const ordinal = (index: number): string => (this.type === 'statefulsets.apps' ? String(index) : '');
    return Array.from({ length: spec?.replicas ?? 1 }, (_, index) => ({
      name: `${metadata.name}-${ordinal(index)}`,
    }));
  }

  private fill({ spec = {}, ...workload }: Workload, { name, nodeName }: Slot): void {
    const { template, serviceName } = spec;
    const claims = (spec.volumeClaimTemplates ?? []) as ApiObject[];
    // A terminating pod still has its name.
    if (this.state.store.get('pods', workload.metadata.namespace, name)) return;
    const volumes = claims.map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
    }));
    createPod(this.state, workload, template, {
      name,
      labels: this.type === 'replicasets.apps' ? {} : { [HASH]: templateHash(template) },
      spec: {
        ...(nodeName === undefined ? {} : { nodeName }),
        ...(serviceName === undefined ? {} : { hostname: name, subdomain: serviceName }),
        ...(volumes.length > 0 ? { volumes } : {}),
      },
    });
  }

  private delete(workload: Workload, pod: Pod): void {
    this.removal.remove('pods', pod);
    const by = `${workload.kind.toLowerCase()}-controller`;
    const message = `Deleted pod: ${pod.metadata.name}`;
    this.state.event(workload, { reason: 'SuccessfulDelete', message, by });
  }

  private report(workload: Workload, desired: number): void {
    const pods = podsOf(this.state, workload).filter(isActive);
    const ready = pods.filter(isReady).length;
    const counts =
      this.type === 'daemonsets.apps'
        ? {
            desiredNumberScheduled: desired,
            currentNumberScheduled: pods.length,
            updatedNumberScheduled: pods.length,
            numberReady: ready,
            numberAvailable: ready,
          }
        : {
            replicas: pods.length,
            updatedReplicas: pods.length,
            readyReplicas: ready,
            availableReplicas: ready,
          };
    const observedGeneration = workload.metadata.generation ?? 1;
    this.state.update<Workload>(this.type, workload, { status: { ...counts, observedGeneration } });
  }
}

function fits({ name, nodeName }: Slot, { metadata, spec }: Pod): boolean {
  const isNamed = name.endsWith('-') || name === metadata.name;
  return isNamed && (nodeName === undefined || nodeName === spec?.nodeName);
}

function mostUseful(one: Pod, other: Pod): number {
  const readyFirst = Number(isReady(other)) - Number(isReady(one));
  if (readyFirst !== 0) return readyFirst;
  return (
    Date.parse(one.metadata.creationTimestamp ?? '') - Date.parse(other.metadata.creationTimestamp ?? '')
  );
}
