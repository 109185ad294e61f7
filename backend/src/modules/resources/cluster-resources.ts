import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import {
  type ClusterTarget,
  GatewaySelector,
  type KubernetesGateway,
  type PodLogs,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { KubeconfigService } from '../kubeconfig/index.js';
import { ClustersService, type Cluster, type ClusterState } from '../clusters/index.js';

/** A cluster that runs, and the way to what is in it. */
export interface OpenCluster {
  cluster: Cluster;
  api: ResourceApi;
}

/** What to do about a cluster whose API server cannot be asked, by its state. */
const WAYS_OUT: Readonly<Partial<Record<ClusterState, string>>> = {
  creating: 'Wait until it is made.',
  starting: 'Wait until it runs.',
  stopping: 'Start it again to look into it.',
  stopped: 'Start it to look into it.',
  paused: 'Resume it to look into it.',
  deleting: 'It will be gone in a moment.',
  failed: 'Make it again, or delete it.',
  missing: 'Its nodes are gone. Make it again, or delete it.',
};

/** Finds the way to a cluster's resources. */
@Injectable()
export class ClusterResources {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly runtimes: RuntimeRegistry,
    private readonly gateways: GatewaySelector,
  ) {}

  /**
   * @throws DomainError `cluster_not_found`, `cluster_ambiguous`, `cluster_state` where it does not run,
   * `cluster_unreachable` where nobody knows, or what keeps its kubeconfig from being read
   */
  async open(name: string, runtime?: string): Promise<OpenCluster> {
    const cluster = await this.running(name, runtime);
    return { cluster, api: await this.apiOf(cluster) };
  }

  /** The way to what its pods write. @throws as `open` */
  async podLogs(name: string, runtime?: string): Promise<PodLogs> {
    const { gateway, target } = await this.reach(await this.running(name, runtime));
    return await gateway.podLogs(target);
  }

  /** The same for a cluster that was read already, whatever its state. */
  async apiOf(cluster: Cluster): Promise<ResourceApi> {
    const { gateway, target } = await this.reach(cluster);
    return await gateway.resources(target);
  }

  private async running(name: string, runtime: string | undefined): Promise<Cluster> {
    const cluster = await this.clusters.get(name, runtime);
    const refusal = unavailableError(cluster);
    if (refusal) throw refusal;
    return cluster;
  }

  private async reach(cluster: Cluster): Promise<{ gateway: KubernetesGateway; target: ClusterTarget }> {
    const kubeconfig = await this.kubeconfigs.cached(cluster);
    const { provisioner } = this.runtimes.get(cluster.runtime).info().capabilities;
    return {
      gateway: this.gateways.for(provisioner),
      target: { name: cluster.name, runtime: cluster.runtime, kubeconfig },
    };
  }
}

/** Why a cluster cannot be looked into, or undefined where it runs. */
export function unavailableError({ name, state, state_reason }: Cluster): DomainError | undefined {
  if (state === 'running' || state === 'degraded') return undefined;
  const why = state_reason === null ? '' : `: ${state_reason}`;
  if (state === 'unknown') {
    return new DomainError('cluster_unreachable', `${name} cannot be asked now${why}.`, { state });
  }
  const message = `${name} is ${state}${why}. ${WAYS_OUT[state] ?? ''}`.trim();
  return new DomainError('cluster_state', message, { state });
}
