import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { GatewaySelector, type ClusterWorkloads } from '../../../drivers/kubernetes/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import { ClusterKubeconfigs } from '../inventory/cluster-kubeconfigs.js';
import { countedParts } from '../inventory/counted-parts.js';
import type { LossesDto } from './recreation.dto.js';

export const NOTHING_LOST: LossesDto = {
  containers: [],
  volumes: [],
  pods: null,
  volume_claims: null,
  summary: null,
};

/** Finds what is deleted with the nodes of a cluster, including its workloads if the cluster is available. */
@Injectable()
export class ImpactAnalysis {
  constructor(
    private readonly gateways: GatewaySelector,
    private readonly kubeconfigs: ClusterKubeconfigs,
  ) {}

  async find(cluster: Cluster, runtime: RuntimeDriver): Promise<LossesDto> {
    const [{ containers, volumes }, workloads] = await Promise.all([
      runtime.objectsOf(cluster.name),
      this.workloadsOf(cluster, runtime),
    ]);
    return {
      containers: containers.map(({ name }) => name),
      volumes: volumes.map(({ name }) => name),
      pods: workloads?.pods ?? null,
      volume_claims: workloads?.volumeClaims ?? null,
      summary: describeLosses(
        countedParts([containers.length, 'container'], [volumes.length, 'volume']),
        workloads,
      ),
    };
  }

  private async workloadsOf(
    { name, runtime: id, state }: Cluster,
    runtime: RuntimeDriver,
  ): Promise<ClusterWorkloads | null> {
    if (state !== 'running' && state !== 'degraded') return null;
    try {
      const kubeconfig = await this.kubeconfigs.read({ name, runtime: id });
      const gateway = this.gateways.for(runtime.info().capabilities.provisioner);
      return await gateway.workloads({ name, runtime: id, kubeconfig });
    } catch (error) {
      // A missing kubeconfig must not prevent the cluster from being recreated.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

/** `Lost with the old nodes: 2 containers and 2 volumes, 3 Pods and 1 volume claim, and all data in them.` */
function describeLosses(objects: string, workloads: ClusterWorkloads | null): string | null {
  if (objects === '') return null;
  const what = `Lost with the old nodes: ${objects}`;
  if (workloads === null) return `${what}, and all workloads and data in them.`;
  const inside = countedParts([workloads.pods, 'Pod'], [workloads.volumeClaims, 'volume claim']);
  if (inside === '') return `${what}, and all data in them. The cluster runs no Pods except its system Pods.`;
  return `${what}, ${inside}, and all data in them.`;
}
