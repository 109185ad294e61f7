import type { DemoNode } from '../../demo-node.js';
import { readyAt, wasStartedAgain } from '../../node-readiness.js';
import type { ClusterState } from '../cluster-state.js';
import type { Condition, KubeNode } from '../shapes.js';
import { withConditions } from './pod-state.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const CAPACITY = { cpu: '16', 'ephemeral-storage': '257582212Ki', memory: '62500000Ki', pods: '110' };

/** Keeps the cluster's Node objects as the machine's containers are. */
export class NodeKeeper {
  /** The start of each node that was taken note of. */
  private readonly seen = new Map<string, string>();

  constructor(private readonly state: ClusterState) {}

  /** What changed on the machine since it was last asked. */
  look(): void {
    const members = this.state.machine.nodes().filter(({ role }) => role !== 'external-load-balancer');
    members.forEach((node, index) => {
      const now = `${node.state} ${node.stateSince}`;
      const known = this.seen.get(node.name);
      if (known === now) return;
      this.seen.set(node.name, now);
      // What came between is not known of a world that was read from its file; it ran at first.
      const first = { ...node, state: 'running' as const, stateSince: node.createdAt };
      if (known === undefined && wasStartedAgain(node)) this.plan(first, index, members.length);
      this.plan(node, index, members.length);
    });
    for (const object of this.state.store.list('nodes')) {
      const { name } = object.metadata;
      if (this.seen.has(name) && !members.some((node) => node.name === name)) {
        this.seen.delete(name);
        this.state.store.remove('nodes', object);
      }
    }
  }

  private plan(node: DemoNode, index: number, members: number): void {
    this.state.timeline.at(Date.parse(node.stateSince), () => this.show(node, index, members));
    if (node.state !== 'running') return;
    this.state.timeline.at(readyAt(node, this.state.machine.speed), () => this.show(node, index, members));
  }

  private show(node: DemoNode, index: number, members: number): void {
    const { time, now } = this.state.timeline;
    const found = this.state.store.get<KubeNode>('nodes', undefined, node.name);
    const ready = node.state === 'running' && now >= readyAt(node, this.state.machine.speed);
    const conditions = withConditions(found?.status?.conditions, conditionsOf(node, ready), time);
    const status = {
      capacity: CAPACITY,
      allocatable: CAPACITY,
      addresses: [
        { type: 'InternalIP', address: node.address },
        { type: 'Hostname', address: node.name },
      ],
      conditions,
      nodeInfo: nodeInfo(node),
    };
    if (found) {
      const wasReady = found.status?.conditions?.some(
        ({ type, status: value }) => type === 'Ready' && value === 'True',
      );
      const changed = this.state.update<KubeNode>('nodes', found, { status });
      if (wasReady !== ready) {
        const reason = ready ? 'NodeReady' : 'NodeNotReady';
        this.state.event(changed, {
          reason,
          message: `Node ${node.name} status is now: ${reason}`,
          by: ready ? 'kubelet' : 'node-controller',
          host: ready ? node.name : undefined,
        });
      }
      return;
    }
    const controlPlane = node.role === 'control-plane';
    this.state.create<KubeNode>('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: node.name,
        labels: {
          'beta.kubernetes.io/arch': 'amd64',
          'beta.kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/hostname': node.name,
          'kubernetes.io/os': 'linux',
          ...(controlPlane ? { [CONTROL_PLANE]: '' } : {}),
        },
        annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
      },
      spec: {
        podCIDR: `10.244.${index}.0/24`,
        // kind lets a control plane that is alone carry everything.
        ...(controlPlane && members > 1 ? { taints: [{ key: CONTROL_PLANE, effect: 'NoSchedule' }] } : {}),
      },
      status,
    });
  }
}

function conditionsOf(node: DemoNode, ready: boolean): Condition[] {
  const fine = (type: string, reason: string, message: string): Condition => ({
    type,
    status: 'False',
    reason,
    message,
  });
  const readyCondition: Condition = ready
    ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : node.state === 'running'
      ? {
          type: 'Ready',
          status: 'False',
          reason: 'KubeletNotReady',
          message: 'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady',
        }
      : {
          type: 'Ready',
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
        };
  return [
    fine('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    fine('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    fine('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    readyCondition,
  ];
}

function nodeInfo({ image, id, stateSince }: DemoNode): Record<string, string> {
  const version = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  return {
    architecture: 'amd64',
    // Of this run, as a machine's is.
    bootID: `${id.slice(-8)} ${stateSince}`,
    containerRuntimeVersion: 'containerd://2.1.3',
    kernelVersion: '6.12.48',
    kubeProxyVersion: '',
    kubeletVersion: version,
    machineID: id.slice(-32),
    operatingSystem: 'linux',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    systemUUID: id.slice(-32),
  };
}
