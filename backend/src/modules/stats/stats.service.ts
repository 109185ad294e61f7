import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import {
  RuntimeRegistry,
  type NodeContainer,
  type RuntimeStatus,
  freeDisk,
} from '../../drivers/runtime/index.js';
import {
  ClustersService,
  ClusterStore,
  NodeInventory,
  type Cluster,
  type ClusterState,
} from '../clusters/index.js';
import {
  NodeStatsDto,
  type ClusterCountsDto,
  type ClusterStatsDto,
  type HostStatsDto,
  type RuntimeStatsDto,
  type StatsDto,
} from './stats.dto.js';
import { UsageHistory } from './usage-history.js';
import { UsageTrends } from './usage-trends.js';

/** Interval between samples while there are viewers. */
const INTERVAL_MS = 2000;
/** A request keeps the sampler running for this long, so that a page can poll every few seconds. */
const REQUEST_MS = 10_000;
/** How long a round waits for the figures of an engine. Later ones count for the next round. */
const SAMPLE_TIMEOUT_MS = 2000;
/** Between the two samples of a first response. */
const FIRST_INTERVAL_MS = 250;

/** Usage of all nodes. Samples once for all viewers, and not at all without viewers. */
@Injectable()
export class StatsService implements OnApplicationShutdown {
  private readonly history = new UsageHistory();
  private readonly trends = new UsageTrends();
  private readonly sampled = new Subject<StatsDto>();
  private readonly viewers = new Set<symbol>();
  private requestedUntil = 0;
  private latest: StatsDto | undefined;
  private loop: Promise<void> | undefined;
  private firstRound: Promise<StatsDto> | undefined;
  private stopped = false;

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly inventory: NodeInventory,
    private readonly runtimes: RuntimeRegistry,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {}

  get samples(): Observable<StatsDto> {
    return this.sampled.asObservable();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.sampled.complete();
  }

  /** The newest figures. Without a running sampler, this takes two samples within a quarter of a second. */
  async read(): Promise<StatsDto> {
    this.requestedUntil = performance.now() + REQUEST_MS;
    if (this.latest && this.loop) return this.latest;
    this.firstRound ??= this.takeFirst().finally(() => (this.firstRound = undefined));
    return await this.firstRound;
  }

  /** Keeps the sampler running until the returned function is called. */
  watch(): () => void {
    const viewer = Symbol('viewer');
    this.viewers.add(viewer);
    void this.read().catch((error: unknown) =>
      this.logger.failure('the first figures could not be sampled', error),
    );
    return () => this.viewers.delete(viewer);
  }

  private async takeFirst(): Promise<StatsDto> {
    this.history.clear();
    await this.sampleNodes();
    await delay(FIRST_INTERVAL_MS);
    const stats = await this.takeRound();
    this.loop ??= this.runLoop().finally(() => {
      this.loop = undefined;
      this.latest = undefined;
    });
    return stats;
  }

  private async runLoop(): Promise<void> {
    for (;;) {
      await delay(INTERVAL_MS, undefined, { ref: false });
      if (this.stopped || (this.viewers.size === 0 && performance.now() > this.requestedUntil)) return;
      try {
        await this.takeRound();
      } catch (error) {
        this.logger.failure('figures could not be sampled', error);
      }
    }
  }

  private async takeRound(): Promise<StatsDto> {
    const nodes = await this.sampleNodes();
    const [clusters, metas] = await Promise.all([this.clusters.list(), this.store.list()]);
    const runtimes = await Promise.all(
      this.runtimes.statuses().map((status) => this.describeRuntime(status)),
    );
    const active = this.runtimes.active()?.id;
    const { runtime: chosen } = this.configuration.values;
    const stats: StatsDto = {
      container_cli:
        chosen === 'auto'
          ? (active ?? runtimes.find(({ version }) => version !== null)?.id ?? 'none')
          : chosen,
      total_workers_from_meta: metas.reduce((sum, meta) => sum + meta.workers, 0),
      clusters: countClusters(clusters),
      cluster_resources: clusters.map((cluster) => this.describeCluster(cluster, nodes)),
      host: runtimes.find(({ id }) => id === active)?.host ?? {
        cpu_cores: null,
        memory_bytes: null,
        disk_free_bytes: null,
      },
      runtimes,
      sampled_at: new Date().toISOString(),
    };
    this.latest = stats;
    this.sampled.next(stats);
    return stats;
  }

  /** Takes one sample of every running node. @returns all nodes by runtime and name. */
  private async sampleNodes(): Promise<Map<string, NodeContainer>> {
    const engines = await this.inventory.read();
    const nodes = new Map<string, NodeContainer>();
    const ids = new Set<string>();
    await Promise.all(
      engines.map(async ({ runtime, nodes: found, reason }) => {
        for (const node of found) {
          nodes.set(`${runtime}/${node.name}`, node);
          ids.add(node.id);
        }
        if (reason !== null) return;
        const running = found.filter((node) => node.state === 'running').map((node) => node.id);
        if (running.length === 0) return;
        await Promise.race([
          this.sampleEngine(runtime, running),
          delay(SAMPLE_TIMEOUT_MS, undefined, { ref: false }),
        ]);
      }),
    );
    this.history.keepOnly(ids);
    this.trends.keepOnly(ids);
    return nodes;
  }

  private async sampleEngine(runtime: string, running: readonly string[]): Promise<void> {
    try {
      for (const sample of await this.runtimes.get(runtime).sample(running)) {
        this.history.add(sample);
        const usage = this.history.get(sample.id);
        if (!usage) continue;
        this.trends.add(sample.id, Date.now(), { cpu: usage.cpu_percent, memory: usage.memory_bytes });
      }
    } catch (error) {
      this.runtimes.report(runtime, error);
    }
  }

  private describeCluster(
    { name, runtime, state, nodes }: Cluster,
    containers: ReadonlyMap<string, NodeContainer>,
  ): ClusterStatsDto {
    return {
      cluster: name,
      runtime,
      state,
      nodes: nodes.map(({ name: node, role, state: nodeState }) => {
        const id = containers.get(`${runtime}/${node}`)?.id ?? '';
        const usage = nodeState === 'running' ? this.history.get(id) : undefined;
        const stats = Object.assign(new NodeStatsDto(), { name: node, role, state: nodeState }, usage);
        if (!usage) return stats;
        const trend = this.trends.get(id, Date.now());
        return Object.assign(stats, { cpu_trend: trend.cpu, memory_trend: trend.memory });
      }),
    };
  }

  private async describeRuntime({
    id,
    available,
    reason,
    fix,
    since,
    info,
  }: RuntimeStatus): Promise<RuntimeStatsDto> {
    const host: HostStatsDto = {
      cpu_cores: info?.host.cpuCores ?? null,
      memory_bytes: info?.host.memoryBytes ?? null,
      disk_free_bytes: available ? ((await freeDisk(this.runtimes.get(id))) ?? null) : null,
    };
    return {
      id,
      available,
      version: info?.version ?? null,
      reason,
      fix,
      since,
      memory_includes_cache: info?.capabilities.memoryIncludesCache ?? false,
      rootless: info?.capabilities.rootless ?? false,
      host_alias: info?.capabilities.hostAlias ?? null,
      host,
    };
  }
}

const GROUPS: Partial<Record<ClusterState, 'running' | 'resting' | 'working'>> = {
  running: 'running',
  stopped: 'resting',
  paused: 'resting',
  creating: 'working',
  starting: 'working',
  stopping: 'working',
  deleting: 'working',
};

function countClusters(clusters: readonly Cluster[]): ClusterCountsDto {
  const counts: ClusterCountsDto = {
    total: clusters.length,
    running: 0,
    needs_attention: 0,
    resting: 0,
    working: 0,
    nodes_total: 0,
    nodes_running: 0,
  };
  for (const { state, nodes, needs_attention } of clusters) {
    const group = GROUPS[state];
    if (group) counts[group] += 1;
    if (needs_attention) counts.needs_attention += 1;
    const members = nodes.filter((node) => node.role !== 'external-load-balancer');
    counts.nodes_total += members.length;
    counts.nodes_running +=
      state === 'unknown' ? 0 : members.filter((node) => node.state === 'running').length;
  }
  return counts;
}
