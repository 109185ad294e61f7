import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { GatewaySelector, type ClusterWorkloads } from '../../../drivers/kubernetes/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import { counted, type RemovedObjects } from '../deletion/index.js';
import { type Cluster, ClusterKubeconfigs } from '../inventory/index.js';

/** What goes with the nodes of a cluster. */
export interface Losses extends RemovedObjects {
  /** Null where the cluster could not be asked. */
  workloads: ClusterWorkloads | null;
}

export const NOTHING_LOST: Losses = { containers: [], volumes: [], workloads: null };

/** Finds what is lost with the nodes of a cluster: by the engine, and by the cluster itself where it answers. */
@Injectable()
export class ImpactAnalysis {
  constructor(
    private readonly gateways: GatewaySelector,
    private readonly kubeconfigs: ClusterKubeconfigs,
  ) {}

  async find(cluster: Cluster, runtime: RuntimeDriver): Promise<Losses> {
    const [{ containers, volumes }, workloads] = await Promise.all([
      runtime.objectsOf(cluster.name),
      this.workloadsOf(cluster, runtime),
    ]);
    return {
      containers: containers.map(({ name }) => name),
      volumes: volumes.map(({ name }) => name),
      workloads,
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
      // Without its kubeconfig nobody can ask it; that must not keep it from being made again.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

/** "Lost with the old nodes: 2 containers and 2 volumes, with 3 pods, 1 volume claim and all data in them." */
export function describeLosses({ containers, volumes, workloads }: Losses): string | null {
  const parts = [counted(containers.length, 'container'), counted(volumes.length, 'volume')].filter(
    (part) => part !== '',
  );
  if (parts.length === 0) return null;
  const what = `Lost with the old nodes: ${parts.join(' and ')}`;
  if (workloads === null) return `${what}, with all workloads and data in them.`;
  const inside = [counted(workloads.pods, 'pod'), counted(workloads.volumeClaims, 'volume claim')].filter(
    (part) => part !== '',
  );
  if (inside.length === 0) return `${what}, with all data in them. No pods but the cluster’s own are there.`;
  return `${what}, with ${inside.join(', ')} and all data in them.`;
}
