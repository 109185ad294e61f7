import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DomainError } from '../../../core/errors/index.js';
import { EXTERNAL_RUNTIME } from '../../../core/security/index.js';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import type { ClusterMeta } from './cluster-meta.js';
import { ClusterStore, type ClusterKey } from './cluster.store.js';
import type { ClusterDto, PodCounts } from './cluster.dto.js';
import { byNumber, describeCluster } from './describe-cluster.js';
import { describeExternal, type ExternalFacts } from './describe-external.js';
import { LastChanges } from './last-changes.js';
import { NodeInventory } from './node-inventory.js';

@Injectable()
export class ClustersService {
  /** Emits the result of each call of `list`. */
  readonly reads = new Subject<readonly ClusterDto[]>();
  /** Whether kind still creates a cluster of which Slipway has no record. Set by the part that inspects clusters. */
  isCreatingOutside: (key: ClusterKey, nodes: readonly NodeContainer[]) => Promise<boolean> = () =>
    Promise.resolve(false);
  /** The clusters of kubeconfigs. Set by the part that reads them. */
  external: () => Promise<readonly ExternalFacts[]> = () => Promise.resolve([]);
  private readonly problems = new Map<string, number>();
  private readonly pods = new Map<string, PodCounts>();

  constructor(
    private readonly store: ClusterStore,
    private readonly inventory: NodeInventory,
    private readonly jobs: JobsService,
    private readonly changes: LastChanges,
  ) {}

  /** Sets how many workloads of a cluster do not work; null if unknown. */
  countProblems({ name, runtime }: ClusterKey, count: number | null): void {
    const key = `${runtime}/${name}`;
    if (count === null) this.problems.delete(key);
    else this.problems.set(key, count);
  }

  /** Sets the Pods of a cluster; null if unknown. @returns whether they differ from before */
  countPods({ name, runtime }: ClusterKey, pods: PodCounts | null): boolean {
    const key = `${runtime}/${name}`;
    const isSame = isDeepStrictEqual(this.pods.get(key) ?? null, pods);
    if (pods === null) this.pods.delete(key);
    else this.pods.set(key, pods);
    return !isSame;
  }

  /** All clusters of all engines, all saved ones, and those of kubeconfigs. Not cached. */
  async list(): Promise<ClusterDto[]> {
    const [engines, metas, external] = await Promise.all([
      this.inventory.read(),
      this.store.list(),
      this.external(),
    ]);
    const active = this.jobs.active();
    const clusters: ClusterDto[] = [];
    const described = new Set<string>();
    const add = async (name: string, runtime: string, meta: ClusterMeta | undefined): Promise<void> => {
      const key = `${runtime}/${name}`;
      if (described.has(key)) return;
      described.add(key);
      const engine = engines.find((candidate) => candidate.runtime === runtime);
      const nodes = (engine?.nodes ?? []).filter((node) => node.cluster === name);
      const isUnknown = meta === undefined && engine?.reason === null;
      const creatingOutside = isUnknown && (await this.isCreatingOutside({ name, runtime }, nodes));
      clusters.push(
        describeCluster({
          name,
          runtime,
          nodes,
          meta,
          creatingOutside,
          job: active.find((job) => job.cluster === name && job.runtime === runtime),
          engineReason: engine ? engine.reason : `${runtime} is not installed on the host`,
          engineSince: engine?.since ?? null,
          problems: this.problems.get(key) ?? null,
          pods: this.pods.get(key) ?? null,
          lastChange: this.changes.of(name, runtime),
        }),
      );
    };
    await Promise.all([
      ...metas.map((meta) => add(meta.name, meta.runtime, meta)),
      ...engines.flatMap(({ runtime, nodes }) =>
        nodes.map(({ cluster }) => add(cluster, runtime, undefined)),
      ),
    ]);
    for (const facts of external) {
      const key = `${EXTERNAL_RUNTIME}/${facts.name}`;
      const job = active.find(({ cluster, runtime }) => `${runtime}/${cluster}` === key);
      clusters.push(
        describeExternal({
          ...facts,
          activeJobId: job?.id ?? null,
          problems: this.problems.get(key) ?? null,
          pods: this.pods.get(key) ?? null,
          lastChange: this.changes.of(facts.name, EXTERNAL_RUNTIME),
        }),
      );
    }
    clusters.sort(
      (one, other) => byNumber.compare(one.name, other.name) || byNumber.compare(one.runtime, other.runtime),
    );
    this.reads.next(clusters);
    return clusters;
  }

  /** @throws DomainError `cluster_not_found`, or `cluster_ambiguous` if several engines have a cluster of this name. */
  async get(name: string, runtime?: string): Promise<ClusterDto> {
    const found = (await this.list()).filter(
      (cluster) => cluster.name === name && (runtime === undefined || cluster.runtime === runtime),
    );
    const [first, second] = found;
    if (!first) {
      throw new DomainError(
        'cluster_not_found',
        `Cluster ${name} does not exist${runtime ? ` in ${runtime}` : ''}.`,
      );
    }
    if (second) {
      const runtimes = found.map((cluster) => cluster.runtime);
      throw new DomainError(
        'cluster_ambiguous',
        `${runtimes.join(' and ')} each have a cluster named ${name}. Choose one with ?runtime=.`,
        { runtimes },
      );
    }
    return first;
  }
}
