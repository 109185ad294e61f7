import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, Condition, KubeNode, Pod, PodSpec } from '../shapes.js';
import type { Controller } from './controller.js';
import { hasCondition, isActive, withConditions } from './pod-state.js';

/** Assigns each pod to the fitting node with the fewest pods. */
export class Scheduler implements Controller {
  readonly type = 'pods';
  constructor(private readonly state: ClusterState) {}

  concerned({ type }: Change): ApiObject[] {
    if (type !== 'nodes') return [];
    return this.state.store.list<Pod>('pods').filter(({ spec }) => spec?.nodeName === undefined);
  }

  reconcile(object: ApiObject): void {
    const pod = object as Pod;
    const { spec, metadata, status } = pod;
    // A pod of another scheduler waits forever: the demo has no other.
    if (spec?.nodeName !== undefined || !isActive(pod) || spec?.schedulerName !== 'default-scheduler') return;
    const nodes = this.state.store.list<KubeNode>('nodes');
    const [chosen] = nodes
      .filter((node) => mismatch(spec, node) === undefined)
      .map((node) => node.metadata.name)
      .sort((one, other) => this.load(one) - this.load(other));
    const { time } = this.state.timeline;
    const conditions = (condition: Omit<Condition, 'type'>): Pod['status'] => ({
      ...status,
      conditions: withConditions(status?.conditions, [{ type: 'PodScheduled', ...condition }], time),
    });
    const by = 'default-scheduler';
    if (chosen !== undefined) {
      const scheduled = { spec: { ...spec, nodeName: chosen }, status: conditions({ status: 'True' }) };
      this.state.update<Pod>('pods', pod, scheduled);
      const message = `Successfully assigned ${metadata.namespace}/${metadata.name} to ${chosen}`;
      this.state.event(pod, { reason: 'Scheduled', message, by });
      return;
    }
    const message = unschedulable(nodes.map((node) => mismatch(spec, node) ?? ''));
    const unscheduled = conditions({ status: 'False', reason: 'Unschedulable', message });
    const changed = this.state.update<Pod>('pods', pod, { status: unscheduled });
    this.state.event(changed, { type: 'Warning', reason: 'FailedScheduling', message, by });
  }

  private load(node: string): number {
    return this.state.store.list<Pod>('pods').filter(({ spec }) => spec?.nodeName === node).length;
  }
}

function unschedulable(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)].sort();
  const counts = distinct.map((reason) => `${reasons.filter((one) => one === reason).length} ${reason}`);
  return `0/${reasons.length} nodes are available: ${counts.join(', ')}.`;
}

/**
 * Why a pod does not fit a node, in the scheduler's words; undefined where it fits.
 * @param daemon pods of DaemonSets run on nodes that are cordoned or not ready.
 */
export function mismatch(spec: PodSpec | undefined, node: KubeNode, daemon = false): string | undefined {
  if (node.spec?.unschedulable === true && !daemon) return 'node(s) were unschedulable';
  const ready = daemon || hasCondition(node.status?.conditions, 'Ready');
  const taints = [
    ...(node.spec?.taints ?? []),
    ...(ready ? [] : [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]),
  ];
  const tolerated = taints.every((taint) =>
    (spec?.tolerations ?? []).some(
      ({ key, effect }) => (key ?? taint.key) === taint.key && (effect ?? taint.effect) === taint.effect,
    ),
  );
  if (!tolerated) return 'node(s) had untolerated taint(s)';
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  return selected ? undefined : "node(s) didn't match Pod's node affinity/selector";
}
