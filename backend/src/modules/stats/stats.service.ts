import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject, type Observable, type Subscription } from 'rxjs';
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
  ClusterWatcher,
  NodeInventory,
  type Cluster,
  type ClusterState,
} from '../clusters/index.js';
import {
  NodeStatsDto,
  type ClusterCountsDto,
  type ClusterHistoryDto,
  type ClusterStatsDto,
  type HostStatsDto,
  type RuntimeStatsDto,
  type StatsDto,
  type TrendsDto,
} from './stats.dto.js';
import { UsageHistory } from './usage-history.js';
import { DAY, HOUR, type Usage, UsageTrends } from './usage-trends.js';

/** Interval between samples while there are viewers. */
const INTERVAL_MS = 2000;
/** Otherwise: often enough that a curve has no gaps when a page opens. */
const IDLE_INTERVAL_MS = 15_000;
/** A request counts as a viewer for this long, so that a page can poll every few seconds. */
const REQUEST_MS = 10_000;
/** How long a round waits for the figures of an engine. Later ones count for the next round. */
const SAMPLE_TIMEOUT_MS = 2000;
/** Between the first two samples, which the first rate of CPU needs. */
const FIRST_INTERVAL_MS = 250;

/** Usage of all nodes. Samples once for all viewers, and less often without viewers. */
@Injectable()
export class StatsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly history = new UsageHistory();
  /** Of nodes by id, and of clusters by `clusterKey`. */
  private readonly hour = new UsageTrends(HOUR);
  private readonly day = new UsageTrends(DAY);
  private readonly sampled = new Subject<StatsDto>();
  private readonly viewers = new Set<symbol>();
  private requestedUntil = 0;
  private latest: StatsDto | undefined;
  /** Whether a cluster may have changed since `latest`. */
  private isOutdated = false;
  private subscription: Subscription | undefined;
  private describing: Promise<StatsDto> | undefined;
  private containers: ReadonlyMap<string, NodeContainer> = new Map();
  private sampledAt = new Date();
  private wake: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly watcher: ClusterWatcher,
    private readonly inventory: NodeInventory,
    private readonly runtimes: RuntimeRegistry,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {}

  get samples(): Observable<StatsDto> {
    return this.sampled.asObservable();
  }

  onApplicationBootstrap(): void {
    this.subscription = this.watcher.touches.subscribe(() => (this.isOutdated = true));
    void this.runLoop();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.subscription?.unsubscribe();
    this.wake?.();
    this.sampled.complete();
  }

  /** The newest figures, without waiting for a sample. Only after a change, the clusters are read again. */
  async read(): Promise<StatsDto> {
    this.requestedUntil = performance.now() + REQUEST_MS;
    this.wake?.();
    if (this.latest && !this.isOutdated) return this.latest;
    this.describing ??= this.describe().finally(() => (this.describing = undefined));
    return await this.describing;
  }

  /** Usage of the last 24 hours. */
  async readHistory(): Promise<ClusterHistoryDto[]> {
    const { cluster_resources: clusters } = await this.read();
    const now = Date.now();
    return clusters.map(({ cluster, runtime, nodes }) => ({
      cluster,
      runtime,
      ...trendsOf(this.day, clusterKey(runtime, cluster), now),
      nodes: nodes.map(({ name }) => ({ name, ...trendsOf(this.day, this.idOf(runtime, name), now) })),
    }));
  }

  /** Samples at the interval of viewers until the returned function is called. */
  watch(): () => void {
    const viewer = Symbol('viewer');
    this.viewers.add(viewer);
    this.wake?.();
    return () => this.viewers.delete(viewer);
  }

  private async runLoop(): Promise<void> {
    for (let isFirst = true; !this.stopped; isFirst = false) {
      try {
        await this.takeRound();
      } catch (error) {
        this.logger.failure('figures could not be sampled', error);
      }
      if (isFirst) await delay(FIRST_INTERVAL_MS, undefined, { ref: false });
      else await this.pause();
    }
  }

  /** Until the next round is due, which a viewer after an idle time brings forward. */
  private async pause(): Promise<void> {
    if (this.stopped) return;
    const began = performance.now();
    const isWatched = this.viewers.size > 0 || began < this.requestedUntil;
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, isWatched ? INTERVAL_MS : IDLE_INTERVAL_MS).unref();
      this.wake = () => {
        if (isWatched && !this.stopped) return;
        clearTimeout(timer);
        const rest = this.stopped ? 0 : began + INTERVAL_MS - performance.now();
        timer = setTimeout(resolve, Math.max(0, rest)).unref();
      };
    });
    this.wake = undefined;
  }

  private async takeRound(): Promise<void> {
    this.containers = await this.sampleNodes();
    this.sampledAt = new Date();
    this.sampled.next(await this.describe());
  }

  private async describe(): Promise<StatsDto> {
    this.isOutdated = false;
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
      cluster_resources: clusters.map((cluster) => this.describeCluster(cluster)),
      host: runtimes.find(({ id }) => id === active)?.host ?? {
        cpu_cores: null,
        memory_bytes: null,
        disk_free_bytes: null,
      },
      runtimes,
      sampled_at: this.sampledAt.toISOString(),
    };
    this.latest = stats;
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
        this.recall(runtime, running, nodes);
        await Promise.race([
          this.sampleEngine(runtime, running),
          delay(SAMPLE_TIMEOUT_MS, undefined, { ref: false }),
        ]);
      }),
    );
    this.history.keepOnly(ids);
    const noted = this.noteTrends(nodes, this.history, Date.now());
    for (const trends of [this.hour, this.day]) trends.keepOnly(noted);
    return nodes;
  }

  private async sampleEngine(runtime: string, running: readonly string[]): Promise<void> {
    try {
      for (const sample of await this.runtimes.get(runtime).sample(running)) {
        this.history.add(sample);
      }
    } catch (error) {
      this.runtimes.report(runtime, error);
    }
  }

  /** Begins the trends of new nodes with what their engine knows of the time before. */
  private recall(runtime: string, ids: readonly string[], nodes: ReadonlyMap<string, NodeContainer>): void {
    const added = ids.filter((id) => !this.hour.has(id));
    if (added.length === 0) return;
    const past = new UsageHistory();
    const own = new Map([...nodes].filter(([, { id }]) => added.includes(id)));
    for (const samples of this.runtimes.get(runtime).pastSamples(added)) {
      for (const sample of samples) past.add(sample);
      if (samples[0]) this.noteTrends(own, past, samples[0].at);
    }
  }

  /** Adds the usage of nodes at a time, and the totals of their clusters, to the trends. @returns the ids of both */
  private noteTrends(
    nodes: ReadonlyMap<string, NodeContainer>,
    history: UsageHistory,
    at: number,
  ): Set<string> {
    const usages = new Map<string, Usage>();
    for (const [key, { id, cluster, state }] of nodes) {
      const ofCluster = clusterKey(key.slice(0, key.indexOf('/')), cluster);
      const known = state === 'running' ? history.get(id) : undefined;
      const usage = { cpu: known?.cpu_percent ?? null, memory: known?.memory_bytes ?? null };
      usages.set(id, usage).set(ofCluster, totalOf(usages.get(ofCluster), usage));
    }
    for (const trends of [this.hour, this.day]) {
      for (const [id, usage] of usages) trends.add(id, at, usage);
    }
    return new Set(usages.keys());
  }

  private idOf(runtime: string, node: string): string {
    return this.containers.get(`${runtime}/${node}`)?.id ?? '';
  }

  private describeCluster({ name, runtime, state, nodes }: Cluster): ClusterStatsDto {
    const now = Date.now();
    return {
      cluster: name,
      runtime,
      state,
      nodes: nodes.map(({ name: node, role, state: nodeState }) => {
        const id = this.idOf(runtime, node);
        const usage = nodeState === 'running' ? this.history.get(id) : undefined;
        const stats = Object.assign(new NodeStatsDto(), { name: node, role, state: nodeState }, usage);
        return usage ? Object.assign(stats, trendsOf(this.hour, id, now)) : stats;
      }),
      ...trendsOf(this.hour, clusterKey(runtime, name), now),
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

/** Other than the key of a node: its name has no second slash. */
function clusterKey(runtime: string, cluster: string): string {
  return `${runtime}/${cluster}/`;
}

function trendsOf(trends: UsageTrends, id: string, now: number): TrendsDto {
  const { cpu, memory } = trends.get(id, now);
  return { cpu_trend: cpu, memory_trend: memory };
}

function totalOf(one: Usage | undefined, other: Usage): Usage {
  const sum = (first: number | null, second: number | null): number | null =>
    first === null ? second : first + (second ?? 0);
  return one ? { cpu: sum(one.cpu, other.cpu), memory: sum(one.memory, other.memory) } : other;
}

const GROUPS: Partial<Record<ClusterState, 'running' | 'resting' | 'working'>> = {
  running: 'running',
  stopped: 'resting',
  cancelled: 'resting',
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
