import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, KubeNode, Pod } from '../shapes.js';
import type { Controller } from './controller.js';
import { hasEnded, withConditions } from './pod-state.js';

const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';
const NOT_READY = 'node.kubernetes.io/not-ready';

/** Gives pods their nodes: of those that fit, the one with the fewest pods. */
export class Scheduler implements Controller {
  readonly type = 'pods';
  private readonly waiting = new Set<string>();
  private readonly load = new Map<string, number>();

  constructor(private readonly state: ClusterState) {
    state.store.subscribe(({ type, kind, object, before }) => {
      if (type !== 'pods') return;
      const [was, is] = [nodeOf(before), nodeOf(object)];
      if (kind !== 'DELETED' && was !== is) this.count(is, 1);
      if (kind === 'DELETED' || (was !== undefined && was !== is)) this.count(was, -1);
    });
  }

  concerned({ type }: Change): ApiObject[] {
    if (type !== 'nodes' || this.waiting.size === 0) return [];
    return this.state.store.list('pods').filter(({ metadata }) => this.waiting.has(metadata.uid ?? ''));
  }

  removed({ metadata }: ApiObject): void {
    this.waiting.delete(metadata.uid ?? '');
  }

  reconcile(object: ApiObject): void {
    const pod = object as Pod;
    const { spec, metadata } = pod;
    if (spec?.nodeName !== undefined || hasEnded(pod) || metadata.deletionTimestamp !== undefined) return;
    // Another scheduler's pod, which waits for it for ever where there is none.
    if ((spec?.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return;
    const nodes = this.state.store.list<KubeNode>('nodes');
    const refusals = nodes.map((node) => ({ node, why: refusal(pod, node) }));
    const [chosen] = refusals
      .filter(({ why }) => why === undefined)
      .map(({ node }) => node.metadata.name)
      .sort((one, other) => (this.load.get(one) ?? 0) - (this.load.get(other) ?? 0));
    if (chosen === undefined) {
      this.refuse(
        pod,
        refusals.map(({ why = '' }) => why),
      );
    } else this.bind(pod, chosen);
  }

  private bind(pod: Pod, nodeName: string): void {
    const { namespace = '', name, uid = '' } = pod.metadata;
    this.waiting.delete(uid);
    const scheduled = { type: 'PodScheduled', status: 'True' };
    this.state.update<Pod>('pods', pod, {
      spec: { ...pod.spec, nodeName },
      status: {
        ...pod.status,
        conditions: withConditions(pod.status?.conditions, [scheduled], this.state.timeline.time),
      },
    });
    this.state.event(pod, {
      reason: 'Scheduled',
      message: `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      by: 'default-scheduler',
    });
  }

  private refuse(pod: Pod, reasons: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const said = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
    const message =
      reasons.length === 0
        ? 'no nodes available to schedule pods'
        : `0/${reasons.length} nodes are available: ${said.join(', ')}.`;
    const first = !this.waiting.has(pod.metadata.uid ?? '');
    this.waiting.add(pod.metadata.uid ?? '');
    const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    const changed = this.state.update<Pod>('pods', pod, {
      status: {
        ...pod.status,
        phase: 'Pending',
        conditions: withConditions(pod.status?.conditions, [refused], this.state.timeline.time),
      },
    });
    if (first) {
      this.state.event(changed, {
        type: 'Warning',
        reason: 'FailedScheduling',
        message,
        by: 'default-scheduler',
      });
    }
  }

  private count(node: string | undefined, by: 1 | -1): void {
    if (node !== undefined) this.load.set(node, (this.load.get(node) ?? 0) + by);
  }
}

function nodeOf(pod: Pod | undefined): string | undefined {
  return pod?.spec?.nodeName;
}

/** Why a pod does not fit a node, as the scheduler says it; undefined where it does. */
export function refusal(pod: Pod, node: KubeNode): string | undefined {
  const { spec } = pod;
  if (node.spec?.unschedulable === true && !tolerates(pod, { key: UNSCHEDULABLE, effect: 'NoSchedule' })) {
    return 'node(s) were unschedulable';
  }
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  const taints = [...(node.spec?.taints ?? []), ...(ready ? [] : [{ key: NOT_READY, effect: 'NoSchedule' }])];
  const taint = taints.find((one) => one.effect !== 'PreferNoSchedule' && !tolerates(pod, one));
  if (taint) return 'node(s) had untolerated taint(s)';
  const labels = node.metadata.labels ?? {};
  const wanted = Object.entries(spec?.nodeSelector ?? {});
  if (wanted.some(([key, value]) => labels[key] !== value)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return undefined;
}

function tolerates({ spec }: Pod, taint: { key: string; effect: string; value?: string }): boolean {
  return (spec?.tolerations ?? []).some(
    ({ key, operator = 'Equal', effect, value = '' }) =>
      (key === undefined || key === taint.key) &&
      (effect === undefined || effect === '' || effect === taint.effect) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
}
