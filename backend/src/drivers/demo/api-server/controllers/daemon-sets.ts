import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { Change } from '../object-store.js';
import type { Removal } from '../removal.js';
import type { ApiObject, KubeNode, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { isActive, isReady, makePod, podsOf } from './pod-state.js';
import { refusal } from './scheduler.js';

const HASH = 'controller-revision-hash';
/** What every daemon puts up with. */
const TOLERATIONS = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** One pod on each node that fits. */
export class DaemonSets implements Controller {
  readonly type = 'daemonsets.apps';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  concerned({ type }: Change): ApiObject[] {
    return type === 'nodes' ? this.state.store.list(this.type) : [];
  }

  reconcile(object: ApiObject): void {
    const set = object as Workload;
    if (set.metadata.deletionTimestamp !== undefined) return;
    const { template, updateStrategy } = set.spec ?? {};
    const hash = templateHash(template);
    const spec = { ...template?.spec, tolerations: [...(template?.spec?.tolerations ?? []), ...TOLERATIONS] };
    const nodes = this.state.store
      .list<KubeNode>('nodes')
      .filter((node) => refusal({ ...set, spec }, node) === undefined);
    const pods = podsOf(this.state, set).filter(isActive);
    for (const { metadata } of nodes) {
      const { name } = metadata;
      if (podsOf(this.state, set).some((pod) => pod.spec?.nodeName === name)) continue;
      makePod(this.state, set, template, {
        name: `${set.metadata.name}-`,
        labels: { [HASH]: hash },
        spec: { ...spec, nodeName: name },
      });
    }
    for (const pod of pods) {
      if (!nodes.some(({ metadata }) => metadata.name === pod.spec?.nodeName)) {
        this.removal.remove('pods', pod);
      }
    }
    // One after the other: the next is replaced when all the others are ready.
    const outdated = pods.filter(({ metadata }) => metadata.labels?.[HASH] !== hash);
    if (
      updateStrategy?.type !== 'OnDelete' &&
      outdated[0] &&
      pods.length === nodes.length &&
      pods.every(isReady)
    ) {
      this.removal.remove('pods', outdated[0]);
    }
    const kept = podsOf(this.state, set).filter(isActive);
    const ready = kept.filter(isReady).length;
    this.state.update<Workload>(this.type, set, {
      status: {
        desiredNumberScheduled: nodes.length,
        currentNumberScheduled: kept.length,
        numberReady: ready,
        numberAvailable: ready,
        numberMisscheduled: 0,
        updatedNumberScheduled: kept.filter(({ metadata }) => metadata.labels?.[HASH] === hash).length,
        observedGeneration: set.metadata.generation ?? 1,
      },
    });
  }
}
