import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { assertAnswers } from '../assert-answers.js';
import { ClusterStore, type ClusterKey } from '../cluster.store.js';
import type { Cluster } from '../cluster.js';
import { ClustersService } from '../clusters.service.js';

export const CONTAINER_VARIANTS = ['host', 'network'] as const;
/** From where a container reaches the API: through the machine, or on the cluster's own network. */
export type ContainerVariant = (typeof CONTAINER_VARIANTS)[number];

const RECENT_MS = 60_000;

/** The kubeconfig of a cluster: for this machine, and for containers. */
@Injectable()
export class KubeconfigService {
  private readonly recent = new Map<string, { readAt: number; kubeconfig: Promise<ClusterKubeconfig> }>();

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
  ) {}

  /** @throws DomainError `cluster_not_found`, `cluster_state`, `kubeconfig_not_found`, `cluster_unreachable` or `runtime_unavailable` */
  async forMachine(name: string, runtime?: string): Promise<ClusterKubeconfig> {
    return await this.of(await this.clusters.get(name, runtime));
  }

  /** @throws DomainError as `forMachine` */
  async forContainers(cluster: Cluster, variant: ContainerVariant): Promise<string> {
    const kubeconfig = await this.of(cluster);
    if (variant === 'network') return kubeconfig.viaNetwork(entryOf(cluster));
    return kubeconfig.viaHost(this.runtimes.get(cluster.runtime).info().capabilities.hostAlias);
  }

  /** That for this machine, of a cluster that was read already. @throws DomainError as `forMachine` */
  async of(cluster: Cluster): Promise<ClusterKubeconfig> {
    return await this.read(cluster, () => this.fromNodes(cluster));
  }

  /**
   * The same for who asks again and again. One that is not saved, as of an adopted cluster, costs a start of
   * kind, and is believed for a minute: until then its cluster has to be another one for it to change.
   * @throws DomainError as `forMachine`
   */
  async lately(cluster: Cluster): Promise<ClusterKubeconfig> {
    return await this.read(cluster, () => {
      const now = performance.now();
      for (const [key, { readAt }] of this.recent) if (now - readAt > RECENT_MS) this.recent.delete(key);
      const key = JSON.stringify([cluster.runtime, cluster.name, cluster.created_at, cluster.api_server]);
      let kept = this.recent.get(key);
      if (!kept) {
        kept = { readAt: now, kubeconfig: this.fromNodes(cluster) };
        this.recent.set(key, kept);
        kept.kubeconfig.catch(() => this.recent.delete(key));
      }
      return kept.kubeconfig;
    });
  }

  /**
   * The same for a job at work, in whatever state its cluster is by then. The engine itself is asked: at a start,
   * when a job is put right that a crash cut short, the list of clusters may not have those of every engine yet.
   * @throws DomainError `cluster_unreachable` or `runtime_unavailable`
   */
  async forJob(key: ClusterKey): Promise<ClusterKubeconfig> {
    return (await this.store.readKubeconfig(key)) ?? (await this.fromNodes(key));
  }

  private async read(
    cluster: Cluster,
    fromNodes: () => Promise<ClusterKubeconfig>,
  ): Promise<ClusterKubeconfig> {
    const { name, state } = cluster;
    if (state === 'creating' || state === 'deleting') {
      throw new DomainError('cluster_state', `${name} is ${state}; its kubeconfig cannot be had now.`, {
        state,
      });
    }
    const saved = await this.saved(cluster);
    if (saved !== undefined) return saved;
    if (cluster.nodes.length === 0) {
      throw new DomainError('kubeconfig_not_found', `${name} has no nodes, and so no kubeconfig.`);
    }
    return await fromNodes();
  }

  private async fromNodes({ name, runtime }: ClusterKey): Promise<ClusterKubeconfig> {
    const driver = this.runtimes.get(runtime);
    await assertAnswers(driver);
    try {
      return await this.provisioners.for(driver).kubeconfig(name, driver);
    } catch (cause) {
      throw new DomainError(
        'cluster_unreachable',
        `The kubeconfig of ${name} could not be read from its control plane: ${reasonOf(cause)}.`,
        undefined,
        { cause },
      );
    }
  }

  private async saved(cluster: Cluster): Promise<ClusterKubeconfig | undefined> {
    if (cluster.nodes.length === 0) return undefined;
    return await this.store.readKubeconfig(cluster);
  }
}

/** The container that takes calls to the API: a load balancer stands before several control planes. */
function entryOf({ name, nodes }: Cluster): string {
  const entry =
    nodes.find(({ role }) => role === 'external-load-balancer') ??
    nodes.find(({ role }) => role === 'control-plane');
  return entry?.name ?? `${name}-control-plane`;
}
