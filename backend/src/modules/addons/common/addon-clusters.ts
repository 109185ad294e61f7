import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  GatewaySelector,
  type ClusterTarget,
  type PodLogs,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { PackageManagerSelector, type PackageManager } from '../../../drivers/package-manager/index.js';
import { KubeconfigService } from '../../kubeconfig/index.js';
import { ClusterKubeconfigs, ClustersService, type Cluster, type ClusterKey } from '../../clusters/index.js';

export interface AddonCluster extends ClusterKey {
  target: ClusterTarget;
  manager: PackageManager;
  api: () => Promise<ResourceApi>;
  podLogs: () => Promise<PodLogs>;
}

export type RunningCluster = AddonCluster & { details: Cluster };

@Injectable()
export class AddonClusters {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly clusterKubeconfigs: ClusterKubeconfigs,
    private readonly gateways: GatewaySelector,
    private readonly managers: PackageManagerSelector,
  ) {}

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  get(name: string, runtime?: string): Promise<Cluster> {
    return this.clusters.get(name, runtime);
  }

  /** @throws DomainError as `get`, `cluster_state` if the cluster is not running, or why its kubeconfig is unreadable. */
  async running(name: string, runtime?: string): Promise<RunningCluster> {
    const details = await this.clusters.get(name, runtime);
    const { state } = details;
    if (state !== 'running' && state !== 'degraded') {
      throw new DomainError(
        state === 'unknown' ? 'cluster_unreachable' : 'cluster_state',
        `Cluster ${details.name} is ${state}. Its addons are available while it is running.`,
        { state },
      );
    }
    return {
      details,
      ...this.access(await this.clusterKubeconfigs.target(details, () => this.kubeconfigs.of(details))),
    };
  }

  /** For the job that holds the cluster. @throws DomainError as `ClusterKubeconfigs.read` */
  async forJob(key: ClusterKey): Promise<AddonCluster> {
    return this.access(await this.clusterKubeconfigs.target(key, undefined, true));
  }

  managerOf(runtime: string): PackageManager {
    return this.managers.for(this.clusterKubeconfigs.driversOf({ runtime }));
  }

  private access(target: ClusterTarget): AddonCluster {
    const { name, runtime } = target;
    const drivers = this.clusterKubeconfigs.driversOf(target);
    return {
      name,
      runtime,
      target,
      manager: this.managers.for(drivers),
      api: () => this.gateways.for(drivers).resources(target),
      podLogs: () => this.gateways.for(drivers).podLogs(target),
    };
  }
}
