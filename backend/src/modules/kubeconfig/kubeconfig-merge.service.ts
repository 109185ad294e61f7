import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterEndpoint, ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import { type Cluster, ClustersService } from '../clusters/index.js';
import { KubeconfigService } from './kubeconfig.service.js';
import type { KubeconfigMergeDto } from './kubeconfig.dto.js';
import { UserKubeconfig } from './user-kubeconfig.js';

@Injectable()
export class KubeconfigMergeService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly kubeconfigs: KubeconfigService,
    private readonly user: UserKubeconfig,
  ) {}

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async state(name: string, runtime?: string): Promise<KubeconfigMergeDto> {
    const cluster = await this.clusters.get(name, runtime);
    return await this.user.state(cluster, await this.endpointOf(cluster));
  }

  /** @throws DomainError of the cluster's kubeconfig or the user's file */
  async add(name: string, setCurrent: boolean, runtime?: string): Promise<KubeconfigMergeDto> {
    const cluster = await this.clusters.get(name, runtime);
    const namesake = (await this.clusters.list()).some(
      (other) => other.name === name && other.runtime !== cluster.runtime,
    );
    const read = async (): Promise<ClusterKubeconfig> =>
      await this.kubeconfigs.of(await this.clusters.get(name, cluster.runtime));
    await this.user.add(cluster, read, { setCurrent, namesake });
    return await this.state(name, cluster.runtime);
  }

  /** @throws DomainError of the user's file */
  async remove(name: string, runtime?: string): Promise<KubeconfigMergeDto> {
    const cluster = await this.clusters.get(name, runtime);
    await this.user.remove(cluster, await this.endpointOf(cluster));
    return await this.state(name, cluster.runtime);
  }

  /** Undefined if the kubeconfig is not available, for example of a stopped cluster. */
  private async endpointOf(cluster: Cluster): Promise<ClusterEndpoint | undefined> {
    try {
      return (await this.kubeconfigs.of(cluster)).endpoint;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
