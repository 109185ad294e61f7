import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { ClusterKubeconfigs, ClusterStore, type Cluster } from '../clusters/index.js';

export const CONTAINER_VARIANTS = ['host', 'network'] as const;
/** How a container connects to the API server: through the host, or in the network of the cluster. */
export type ContainerVariant = (typeof CONTAINER_VARIANTS)[number];

const CACHE_MS = 60_000;

@Injectable()
export class KubeconfigService {
  private readonly cache = new Map<string, { readAt: number; kubeconfig: Promise<ClusterKubeconfig> }>();

  constructor(
    private readonly store: ClusterStore,
    private readonly kubeconfigs: ClusterKubeconfigs,
    private readonly runtimes: RuntimeRegistry,
  ) {}

  /** @throws DomainError `cluster_state`, `kubeconfig_not_found`, `cluster_unreachable` or `runtime_unavailable` */
  async of(cluster: Cluster): Promise<ClusterKubeconfig> {
    return await this.read(cluster, () => this.kubeconfigs.readFromNodes(cluster));
  }

  /** @throws DomainError as `of` */
  async forContainers(cluster: Cluster, variant: ContainerVariant): Promise<string> {
    const kubeconfig = await this.of(cluster);
    if (variant === 'network') return kubeconfig.viaNetwork(apiContainerOf(cluster)).text;
    return kubeconfig.viaHost(this.runtimes.get(cluster.runtime).info().capabilities.hostAlias);
  }

  /**
   * Like `of`, for frequent callers. Reading a kubeconfig that is not saved, as of an adopted cluster, starts kind.
   * It is cached for a minute per incarnation of the cluster.
   * @throws DomainError as `of`
   */
  async cached(cluster: Cluster): Promise<ClusterKubeconfig> {
    return await this.read(cluster, () => {
      const now = performance.now();
      for (const [key, { readAt }] of this.cache) if (now - readAt > CACHE_MS) this.cache.delete(key);
      const key = JSON.stringify([cluster.runtime, cluster.name, cluster.created_at, cluster.api_server]);
      let entry = this.cache.get(key);
      if (!entry) {
        entry = { readAt: now, kubeconfig: this.kubeconfigs.readFromNodes(cluster) };
        this.cache.set(key, entry);
        entry.kubeconfig.catch(() => this.cache.delete(key));
      }
      return entry.kubeconfig;
    });
  }

  private async read(
    cluster: Cluster,
    fromNodes: () => Promise<ClusterKubeconfig>,
  ): Promise<ClusterKubeconfig> {
    const { name, state, nodes } = cluster;
    if (state === 'creating' || state === 'deleting') {
      throw new DomainError(
        'cluster_state',
        `The kubeconfig of ${name} is not available while the cluster is ${state}.`,
        { state },
      );
    }
    if (nodes.length === 0) {
      throw new DomainError('kubeconfig_not_found', `${name} has no kubeconfig because it has no nodes.`);
    }
    return (await this.store.readKubeconfig(cluster)) ?? (await fromNodes());
  }
}

/** The container that serves the API: the load balancer if the cluster has several control planes. */
function apiContainerOf({ name, nodes }: Cluster): string {
  const entry =
    nodes.find(({ role }) => role === 'external-load-balancer') ??
    nodes.find(({ role }) => role === 'control-plane');
  return entry?.name ?? `${name}-control-plane`;
}
