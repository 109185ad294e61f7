import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import {
  GatewaySelector,
  type ClusterKubeconfig,
  type ClusterTarget,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import { PackageManagerSelector, type PackageManager } from '../../drivers/package-manager/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { ClustersService, KubeconfigService, type Cluster, type ClusterKey } from '../clusters/index.js';

/** The ways to what is in a cluster: its package manager, and its own API. */
export interface AddonCluster extends ClusterKey {
  target: ClusterTarget;
  manager: PackageManager;
  api: () => Promise<ResourceApi>;
}

/** Finds the ways to a cluster's addons. */
@Injectable()
export class AddonClusters {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly runtimes: RuntimeRegistry,
    private readonly gateways: GatewaySelector,
    private readonly managers: PackageManagerSelector,
  ) {}

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  get(name: string, runtime?: string): Promise<Cluster> {
    return this.clusters.get(name, runtime);
  }

  /** @throws DomainError as `get`, `cluster_state` where it does not run, or what keeps its kubeconfig from being read. */
  async running(name: string, runtime?: string): Promise<AddonCluster & { cluster: Cluster }> {
    const cluster = await this.clusters.get(name, runtime);
    const { state } = cluster;
    if (state !== 'running' && state !== 'degraded') {
      throw new DomainError(
        state === 'unknown' ? 'cluster_unreachable' : 'cluster_state',
        `${cluster.name} is ${state}. Its addons can be reached while it runs.`,
        { state },
      );
    }
    return { cluster, ...this.ways(cluster, await this.kubeconfigs.of(cluster)) };
  }

  /** For a job at work on the cluster. @throws DomainError as `KubeconfigService.forJob` */
  async atWork(key: ClusterKey): Promise<AddonCluster> {
    return this.ways(key, await this.kubeconfigs.forJob(key));
  }

  managerOf(runtime: string): PackageManager {
    return this.managers.for(this.runtimes.get(runtime).info().capabilities.provisioner);
  }

  private ways({ name, runtime }: ClusterKey, kubeconfig: ClusterKubeconfig): AddonCluster {
    const target = { name, runtime, kubeconfig };
    const { provisioner } = this.runtimes.get(runtime).info().capabilities;
    return {
      name,
      runtime,
      target,
      manager: this.managers.for(provisioner),
      api: () => this.gateways.for(provisioner).resources(target),
    };
  }
}
