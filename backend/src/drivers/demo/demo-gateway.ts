import {
  ConnectionPodLogs,
  ConnectionResources,
  countWorkloads,
  KubernetesGateway,
  type ClusterReadiness,
  type ClusterTarget,
  type ClusterWorkloads,
  type PodLogs,
  type ResourceApi,
} from '../kubernetes/index.js';
import type { DemoWorld } from './demo-world.js';
import { readyAt, wasRestarted } from './node-readiness.js';

/** Seconds of demo time until DNS is ready after its node was created, and after a restart. */
const DNS_READY_AFTER = 26;
const DNS_READY_AGAIN_AFTER = 6;

export class DemoGateway extends KubernetesGateway {
  override readonly kind = 'demo';
  constructor(private readonly world: DemoWorld) {
    super();
  }

  override readiness({ name }: ClusterTarget): Promise<ClusterReadiness> {
    const members = this.world.nodesOf(name).filter((node) => node.role !== 'external-load-balancer');
    const running = members.filter((node) => node.state === 'running');
    if (!running.some((node) => node.role === 'control-plane')) {
      const reason = 'the API server does not respond';
      return Promise.resolve({ apiReady: false, nodes: [], dnsReady: null, reason });
    }
    const nodes = members.map((node) => {
      const ready = node.state === 'running' && Date.now() >= readyAt(node, this.world.speed);
      return { name: node.name, ready, reason: ready ? null : 'KubeletNotReady' };
    });
    const dnsReady = running.every(
      (node) =>
        this.world.secondsSince(node.stateSince) >=
        (wasRestarted(node) ? DNS_READY_AGAIN_AFTER : DNS_READY_AFTER),
    );
    const waiting = nodes.filter(({ ready }) => !ready).map((node) => node.name);
    const dnsReason = dnsReady ? null : 'no Pod of the cluster DNS is ready';
    const reason = waiting.length > 0 ? `${waiting.join(', ')} not ready` : dnsReason;
    return Promise.resolve({ apiReady: true, nodes, dnsReady, reason });
  }

  override version(): Promise<string | null> {
    return Promise.resolve(null);
  }

  override async workloads({ name }: ClusterTarget): Promise<ClusterWorkloads | null> {
    return await countWorkloads(this.world.apiServer(name));
  }

  override resources({ name }: ClusterTarget): Promise<ResourceApi> {
    return Promise.resolve(new ConnectionResources(name, this.world.apiServer(name)));
  }

  override podLogs({ name }: ClusterTarget): Promise<PodLogs> {
    return Promise.resolve(new ConnectionPodLogs(name, this.world.apiServer(name)));
  }

  /** Does nothing, since connections in memory need not be closed. */
  override forget(): void {
    return;
  }
}
