import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterEndpoint, ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import { type Cluster, ClustersService } from '../clusters/index.js';
import { KubeconfigService } from './kubeconfig.service.js';
import { UserKubeconfig, type MergeState } from './user-kubeconfig.js';

/** Puts clusters into the user's own kubeconfig and takes them out, when they are asked to. */
@Injectable()
export class KubeconfigMergeService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly user: UserKubeconfig,
  ) {}

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async state(name: string, runtime?: string): Promise<MergeState> {
    const cluster = await this.clusters.get(name, runtime);
    return await this.user.state(cluster, await this.endpointOf(cluster));
  }

  /** @throws DomainError of the kubeconfig itself, or of the file that it should go into */
  async add(name: string, setCurrent: boolean, runtime?: string): Promise<MergeState> {
    const cluster = await this.clusters.get(name, runtime);
    const namesake = (await this.clusters.list()).some(
      (other) => other.name === name && other.runtime !== cluster.runtime,
    );
    const bring = async (): Promise<ClusterKubeconfig> =>
      await this.kubeconfigs.of(await this.clusters.get(name, cluster.runtime));
    await this.user.add(cluster, bring, { setCurrent, namesake });
    return await this.state(name, cluster.runtime);
  }

  /** @throws DomainError of the file that it is in */
  async take(name: string, runtime?: string): Promise<MergeState> {
    const cluster = await this.clusters.get(name, runtime);
    await this.user.take(cluster, await this.endpointOf(cluster));
    return await this.state(name, cluster.runtime);
  }

  /** Undefined for a cluster that cannot tell now: it stopped, or never ran. */
  private async endpointOf(cluster: Cluster): Promise<ClusterEndpoint | undefined> {
    try {
      return (await this.kubeconfigs.of(cluster)).endpoint;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
