import { KubernetesGateway, type ClusterReadiness, type ClusterTarget } from '../kubernetes/index.js';
import type { DemoNode, DemoWorld } from './demo-world.js';

/** Seconds of demo time from a node's making until Kubernetes calls it ready, and the DNS after it. */
const NODE_READY_AFTER = { 'control-plane': 16, worker: 22, 'external-load-balancer': 0 } as const;
const DNS_READY_AFTER = 26;
/** The same from a later start: everything is there already and has only to come up. */
const NODE_READY_AGAIN_AFTER = 4;
const DNS_READY_AGAIN_AFTER = 6;

/** What the API servers of demo clusters would say. */
export class DemoGateway extends KubernetesGateway {
  override readonly kind = 'demo';

  constructor(private readonly world: DemoWorld) {
    super();
  }

  override readiness({ name }: ClusterTarget): Promise<ClusterReadiness> {
    const members = this.world.nodesOf(name).filter((node) => node.role !== 'external-load-balancer');
    const running = members.filter((node) => node.state === 'running');
    if (!running.some((node) => node.role === 'control-plane')) {
      return Promise.resolve({
        apiReady: false,
        nodes: [],
        dnsReady: null,
        reason: 'the API server does not answer',
      });
    }
    const nodes = members.map((node) => {
      const ready = node.state === 'running' && this.world.secondsSince(node.stateSince) >= readyAfter(node);
      return { name: node.name, ready, reason: ready ? null : 'KubeletNotReady' };
    });
    const dnsReady = running.every(
      (node) =>
        this.world.secondsSince(node.stateSince) >=
        (wasStartedAgain(node) ? DNS_READY_AGAIN_AFTER : DNS_READY_AFTER),
    );
    const waiting = nodes.filter(({ ready }) => !ready).map((node) => node.name);
    return Promise.resolve({
      apiReady: true,
      nodes,
      dnsReady,
      reason:
        waiting.length > 0
          ? `${waiting.join(', ')} not ready`
          : dnsReady
            ? null
            : 'no pod of the cluster’s DNS is ready',
    });
  }

  /** Nothing runs in the nodes of the demo, and so nobody counts. */
  override workloads(): Promise<null> {
    return Promise.resolve(null);
  }

  override forget(): void {
    // Nothing is kept: the world itself is at hand.
  }
}

function readyAfter(node: DemoNode): number {
  return wasStartedAgain(node) ? NODE_READY_AGAIN_AFTER : NODE_READY_AFTER[node.role];
}

function wasStartedAgain({ createdAt, stateSince }: DemoNode): boolean {
  return createdAt !== stateSince;
}
