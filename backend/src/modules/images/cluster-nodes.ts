import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../core/errors/index.js';
import {
  RuntimeRegistry,
  type NodeContainer,
  type RuntimeDriver,
  assertAvailable,
} from '../../drivers/runtime/index.js';
import { ClustersService, type Cluster } from '../clusters/index.js';

/** A cluster with its engine and its Kubernetes nodes, without the load balancer. */
export interface ClusterNodes {
  cluster: Cluster;
  runtime: RuntimeDriver;
  nodes: NodeContainer[];
}

@Injectable()
export class ClusterNodesService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly runtimes: RuntimeRegistry,
  ) {}

  /** @throws DomainError `cluster_not_found`, `cluster_ambiguous` or `runtime_unavailable` */
  async find(name: string, runtimeId?: string): Promise<ClusterNodes> {
    const cluster = await this.clusters.get(name, runtimeId);
    const runtime = this.runtimes.get(cluster.runtime);
    await assertAvailable(runtime);
    const own = new Set(cluster.nodes.map((node) => node.name));
    const nodes = (await runtime.listNodes())
      .filter((node) => node.cluster === cluster.name && own.has(node.name))
      .filter((node) => node.role !== 'external-load-balancer')
      .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
    return { cluster, runtime, nodes };
  }

  /**
   * The nodes to load images into: the requested ones, or all running ones.
   * @throws DomainError `invalid_input` for a node of another cluster, `cluster_state` if a node is not running.
   */
  choose({ cluster, nodes }: ClusterNodes, names: readonly string[] | undefined): NodeContainer[] {
    const foreign = (names ?? []).flatMap((name, index) =>
      nodes.some((node) => node.name === name)
        ? []
        : [
            {
              field: `nodes[${index}]`,
              problem: `is not a node of ${cluster.name}. Available: ${nodes.map((node) => node.name).join(', ') || 'none'}`,
            },
          ],
    );
    if (foreign.length > 0) throw invalidInput(foreign);
    const wanted = nodes.filter((node) => names === undefined || names.includes(node.name));
    const idle = wanted.filter((node) => node.state !== 'running');
    if (wanted.length === idle.length || (names !== undefined && idle.length > 0)) {
      const which = idle.map((node) => `${node.name} is ${node.state}`).join(', ');
      throw new DomainError(
        'cluster_state',
        `Images can only be loaded into running nodes, but ${which || `${cluster.name} has no nodes`}. Start the cluster first.`,
        { state: cluster.state },
      );
    }
    return wanted.filter((node) => node.state === 'running');
  }
}
