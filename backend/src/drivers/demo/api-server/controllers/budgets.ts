import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import { selects } from '../selectors.js';
import type { ApiObject, Budget, Pod } from '../shapes.js';
import type { Controller } from './controller.js';
import { isActive, isReady, withConditions } from './pod-state.js';

/** Counts how many pods of each disruption budget may be evicted. */
export class Budgets implements Controller {
  readonly type = 'poddisruptionbudgets.policy';

  constructor(private readonly state: ClusterState) {}

  concerned({ type, object }: Change): ApiObject[] {
    if (type !== 'pods') return [];
    const { namespace, labels } = object.metadata;
    return this.state.store
      .list(this.type, namespace)
      .filter((budget) => selects((budget as Budget).spec?.selector, labels));
  }

  reconcile(object: ApiObject): void {
    const budget = object as Budget;
    const { spec = {}, metadata } = budget;
    const pods = this.state.store
      .list<Pod>('pods', metadata.namespace)
      .filter((pod) => selects(spec.selector, pod.metadata.labels))
      .filter(isActive);
    const healthy = pods.filter(isReady).length;
    const desired =
      spec.maxUnavailable !== undefined
        ? pods.length - counted(spec.maxUnavailable, pods.length)
        : counted(spec.minAvailable ?? 0, pods.length);
    const allowed = Math.max(0, healthy - desired);
    const condition = {
      type: 'DisruptionAllowed',
      status: allowed > 0 ? 'True' : 'False',
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
    this.state.update<Budget>(this.type, budget, {
      status: {
        currentHealthy: healthy,
        desiredHealthy: Math.max(0, desired),
        disruptionsAllowed: allowed,
        expectedPods: pods.length,
        observedGeneration: metadata.generation ?? 1,
        conditions: withConditions(budget.status?.conditions, [condition], this.state.timeline.time),
      },
    });
  }
}

function counted(value: number | string, of: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseFloat(value) / 100) * of);
}
