import { parseOwnJson } from '../../../../core/parsing/index.js';
import type { DemoNode } from '../../demo-node.js';
import { readyAt, wasRestarted } from '../../node-readiness.js';
import { recordedText } from '../../recorded.js';
import type { ClusterState } from '../cluster-state.js';
import type { Condition, KubeNode } from '../shapes.js';
import { hasCondition, withConditions } from './pod-state.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Keeps the Node objects in step with the node containers. */
export class NodeController {
  /** State and start of each node at the last check. */
  private readonly seen = new Map<string, string>();

  constructor(private readonly state: ClusterState) {}

  sync(): void {
    const members = this.state.machine.nodes().filter(({ role }) => role !== 'external-load-balancer');
    members.forEach((node, index) => {
      const now = `${node.state} ${node.stateSince}`;
      const known = this.seen.get(node.name);
      if (known === now) return;
      this.seen.set(node.name, now);
      // A node that was restarted before this process started ran before that.
      const first = { ...node, state: 'running' as const, stateSince: node.createdAt };
      if (known === undefined && wasRestarted(node)) this.plan(first, index, members.length);
      this.plan(node, index, members.length);
    });
    for (const object of this.state.store.list('nodes')) {
      const { name } = object.metadata;
      if (members.some((node) => node.name === name)) continue;
      if (this.seen.delete(name)) this.state.store.remove('nodes', object);
    }
  }

  private plan(node: DemoNode, index: number, members: number): void {
    const { timeline, machine } = this.state;
    timeline.at(Date.parse(node.stateSince), () => this.show(node, index, members));
    if (node.state === 'running') {
      timeline.at(readyAt(node, machine.speed), () => this.show(node, index, members));
    }
  }

  private show(node: DemoNode, index: number, members: number): void {
    const { timeline, machine, store } = this.state;
    const found = store.get<KubeNode>('nodes', undefined, node.name);
    const ready = node.state === 'running' && timeline.now >= readyAt(node, machine.speed);
    const version = /:(v\d+\.\d+\.\d+)/.exec(node.image)?.[1] ?? 'v1.34.4';
    const recorded = parseOwnJson<KubeNode>(
      recordedText('node.json')
        .replaceAll('NODE', node.name)
        .replace('ADDRESS', node.address)
        .replace('VERSION', version)
        // Changes with each start.
        .replace('BOOT_ID', `${node.id.slice(-8)} ${node.stateSince}`)
        .replace('MACHINE_ID', node.id.slice(-32)),
    );
    const changes = [...(recorded.status?.conditions ?? []), readyCondition(node, ready)];
    const conditions = withConditions(found?.status?.conditions, changes, timeline.time);
    const status = { ...recorded.status, conditions };
    if (found) {
      this.state.update<KubeNode>('nodes', found, { status });
      const reason = ready ? 'NodeReady' : 'NodeNotReady';
      if (hasCondition(found.status?.conditions, 'Ready') === ready) return;
      this.state.event(found, {
        reason,
        message: `Node ${node.name} status is now: ${reason}`,
        by: 'kubelet',
      });
      return;
    }
    const isControlPlane = node.role === 'control-plane';
    const labels = { ...recorded.metadata.labels, ...(isControlPlane ? { [CONTROL_PLANE]: '' } : {}) };
    // kind leaves out the taint where the control plane is the only node.
    const taints = isControlPlane && members > 1 ? [{ key: CONTROL_PLANE, effect: 'NoSchedule' }] : [];
    this.state.create<KubeNode>('nodes', {
      ...recorded,
      metadata: { ...recorded.metadata, labels },
      spec: { podCIDR: `10.244.${index}.0/24`, ...(taints.length > 0 ? { taints } : {}) },
      status,
    });
  }
}

const READY = {
  ready: ['True', 'KubeletReady', 'kubelet is posting ready status'],
  starting: ['False', 'KubeletNotReady', 'container runtime network not ready'],
  down: ['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.'],
} as const;

function readyCondition({ state }: DemoNode, ready: boolean): Condition {
  const [status, reason, message] = READY[ready ? 'ready' : state === 'running' ? 'starting' : 'down'];
  return { type: 'Ready', status, reason, message };
}
