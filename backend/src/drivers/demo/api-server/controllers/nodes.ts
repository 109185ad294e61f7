import type { DemoNode } from '../../demo-node.js';
import { readyAt, wasRestarted } from '../../node-readiness.js';
import type { ClusterState } from '../cluster-state.js';
import type { Condition, KubeNode } from '../shapes.js';
import { hasCondition, withConditions } from './pod-state.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const CAPACITY = { cpu: '16', 'ephemeral-storage': '257582212Ki', memory: '62500000Ki', pods: '110' };

/** Keeps the Node objects in step with the node containers. */
export class NodeController {
  /** State and start of each node at the last check. */
  private readonly seen = new Map<string, string>();

  constructor(private readonly state: ClusterState) {}

  /** Takes over what changed since the last call. */
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
    const status = {
      capacity: CAPACITY,
      allocatable: CAPACITY,
      addresses: [
        { type: 'InternalIP', address: node.address },
        { type: 'Hostname', address: node.name },
      ],
      conditions: withConditions(found?.status?.conditions, conditionsOf(node, ready), timeline.time),
      nodeInfo: nodeInfo(node),
    };
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
    this.state.create<KubeNode>('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: node.name,
        labels: {
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/hostname': node.name,
          'kubernetes.io/os': 'linux',
          ...(isControlPlane ? { [CONTROL_PLANE]: '' } : {}),
        },
      },
      spec: {
        podCIDR: `10.244.${index}.0/24`,
        // kind leaves out the taint where the control plane is the only node.
        ...(isControlPlane && members > 1 ? { taints: [{ key: CONTROL_PLANE, effect: 'NoSchedule' }] } : {}),
      },
      status,
    });
  }
}

function conditionsOf({ state }: DemoNode, ready: boolean): Condition[] {
  const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: 'False',
    reason: `KubeletHasNo${type}`,
  }));
  const [status, reason, message] = ready
    ? ['True', 'KubeletReady', 'kubelet is posting ready status']
    : state === 'running'
      ? ['False', 'KubeletNotReady', 'container runtime network not ready']
      : ['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.'];
  return [...pressures, { type: 'Ready', status, reason, message }];
}

function nodeInfo({ image, id, stateSince }: DemoNode): Record<string, string> {
  return {
    architecture: 'amd64',
    // Changes with each start.
    bootID: `${id.slice(-8)} ${stateSince}`,
    containerRuntimeVersion: 'containerd://2.1.3',
    kernelVersion: '6.12.48',
    kubeletVersion: /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4',
    machineID: id.slice(-32),
    operatingSystem: 'linux',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
  };
}
