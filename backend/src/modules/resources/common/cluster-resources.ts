import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  type ClusterTarget,
  GatewaySelector,
  type KubernetesGateway,
  type PodLogs,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { KubeconfigService } from '../../kubeconfig/index.js';
import {
  ClusterKubeconfigs,
  ClustersService,
  type Cluster,
  type ClusterState,
} from '../../clusters/index.js';

export interface OpenCluster {
  cluster: Cluster;
  api: ResourceApi;
}

/** The user's next step if a cluster is in a state without a reachable API server. */
const REMEDIES: Readonly<Partial<Record<ClusterState, string>>> = {
  creating: 'Wait until it has been created.',
  starting: 'Wait until it has started.',
  stopping: 'Wait until it has stopped, then start it.',
  stopped: 'Start it first.',
  paused: 'Resume it first.',
  failed: 'Recreate or delete it.',
  missing: 'Its nodes no longer exist. Recreate or delete it.',
};

@Injectable()
export class ClusterResources {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly access: ClusterKubeconfigs,
    private readonly gateways: GatewaySelector,
  ) {}

  /**
   * @throws DomainError `cluster_not_found`, `cluster_ambiguous`, `cluster_state` if it is not running,
   * `cluster_unreachable` if its state is unknown, or an error of its kubeconfig
   */
  async open(name: string, runtime?: string): Promise<OpenCluster> {
    const cluster = await this.get(name, runtime);
    return { cluster, api: await this.apiOf(cluster) };
  }

  /** @throws as `open` */
  async podLogs(name: string, runtime?: string): Promise<PodLogs> {
    const { gateway, target } = await this.reach(await this.get(name, runtime));
    return await gateway.podLogs(target);
  }

  /** The clusters whose API server should respond. */
  async running(): Promise<Cluster[]> {
    return (await this.clusters.list()).filter((cluster) => unavailableError(cluster) === undefined);
  }

  /** Like `open`, without a check of the state. */
  async apiOf(cluster: Cluster): Promise<ResourceApi> {
    const { gateway, target } = await this.reach(cluster);
    return await gateway.resources(target);
  }

  private async get(name: string, runtime: string | undefined): Promise<Cluster> {
    const cluster = await this.clusters.get(name, runtime);
    const refusal = unavailableError(cluster);
    if (refusal) throw refusal;
    return cluster;
  }

  private async reach(cluster: Cluster): Promise<{ gateway: KubernetesGateway; target: ClusterTarget }> {
    const target = await this.access.target(cluster, () => this.kubeconfigs.cached(cluster));
    return { gateway: this.gateways.for(this.access.driversOf(cluster)), target };
  }
}

export function unavailableError({ name, state, state_reason }: Cluster): DomainError | undefined {
  if (state === 'running' || state === 'degraded') return undefined;
  const why = state_reason === null ? '' : `: ${state_reason}`;
  if (state === 'unknown') {
    return new DomainError('cluster_unreachable', `Could not reach ${name}${why}.`, { state });
  }
  const message = `${name} is ${state}${why}. ${REMEDIES[state] ?? ''}`.trim();
  return new DomainError('cluster_state', message, { state });
}
