import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { DomainError, type ErrorCode } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import { ClusterWatcher, type Cluster } from '../../clusters/index.js';
import { ClusterResources, type OpenCluster } from '../cluster-resources.js';
import { isMeasured, USAGE_INTERVAL_MS, UsageReadings } from '../usage/usage-readings.js';
import { TableReflector } from './table-reflector.js';
import { TableStore } from './table-store.js';

/** A watch outlives its last viewer by this: who reloads a page finds it still there. */
export const LINGER_MS = 30_000;
/** How often somebody who waits for the first list looks. */
const LOOK_MS = 10;

/** Whether every change is heard of, or the whole is listed now and then. */
type Mode = 'watch' | 'poll';

export type ClusterName = Pick<Cluster, 'name' | 'runtime'>;

/** The table of one kind, for as long as it is not released. */
export interface TableLease {
  store: TableStore;
  release: () => void;
}

interface Watched {
  store: TableStore;
  follower: TableReflector;
  viewers: number;
  lingering: NodeJS.Timeout | undefined;
  measuring: NodeJS.Timeout | undefined;
}

interface WatchedCluster {
  name: ClusterName;
  tables: Map<string, Watched>;
  opening: Promise<OpenCluster> | undefined;
}

/** One watch for each kind that somebody looks at, however many look. */
@Injectable()
export class TableWatches implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger: AppLogger;
  private readonly clusters = new Map<string, WatchedCluster>();
  private changes: Subscription | undefined;

  constructor(
    private readonly resources: ClusterResources,
    private readonly usage: UsageReadings,
    private readonly watcher: ClusterWatcher,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: TableWatches.name });
  }

  onApplicationBootstrap(): void {
    this.changes = this.watcher.changes.subscribe(() => {
      for (const cluster of this.clusters.values()) void this.lookAgain(cluster);
    });
  }

  onApplicationShutdown(): void {
    this.changes?.unsubscribe();
    for (const [key, { tables }] of this.clusters) {
      for (const id of tables.keys()) this.end(key, id);
    }
  }

  /**
   * Looks at a kind, until it is released.
   * @param mode `poll` for what changes all the time and is looked at in passing: it is listed twice a minute
   */
  acquire(name: ClusterName, type: ResourceType, mode: Mode = 'watch'): TableLease {
    const id = `${keyOfType(type)} ${mode}`;
    const watched = this.find(name, id) ?? this.begin(name, id, type, mode);
    watched.viewers += 1;
    clearTimeout(watched.lingering);
    this.measure(name, type, watched);
    let isReleased = false;
    return {
      store: watched.store,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        watched.viewers -= 1;
        this.linger(name, id, watched);
      },
    };
  }

  /** What is watched already and up to date, for a look in passing that keeps it a while longer. */
  ready(name: ClusterName, type: ResourceType): TableStore | undefined {
    for (const mode of ['watch', 'poll'] as const) {
      const id = `${keyOfType(type)} ${mode}`;
      const watched = this.find(name, id);
      if (watched?.store.format === undefined || watched.store.error !== null) continue;
      this.linger(name, id, watched);
      return watched.store;
    }
    return undefined;
  }

  /**
   * Waits until the rows of a lease were listed.
   * @throws DomainError where they cannot be, or not in time
   */
  async loaded({ store }: TableLease, deadlineMs: number): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (store.format === undefined || store.error !== null) {
      if (store.error) throw new DomainError(store.error.code as ErrorCode, store.error.message);
      if (performance.now() > deadline) {
        throw new DomainError(
          'cluster_unreachable',
          'The cluster did not list its objects in time. Try again.',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private find(name: ClusterName, id: string): Watched | undefined {
    return this.clusters.get(keyOfCluster(name))?.tables.get(id);
  }

  private begin(name: ClusterName, id: string, type: ResourceType, mode: Mode): Watched {
    const key = keyOfCluster(name);
    const cluster = this.clusters.get(key) ?? {
      name,
      tables: new Map<string, Watched>(),
      opening: undefined,
    };
    this.clusters.set(key, cluster);
    const store = new TableStore();
    const follower = new TableReflector(
      type,
      store,
      async () => (await this.open(cluster)).api,
      mode === 'watch' && type.verbs.includes('watch'),
      this.logger,
    );
    const watched = { store, follower, viewers: 0, lingering: undefined, measuring: undefined };
    cluster.tables.set(id, watched);
    void follower.run();
    return watched;
  }

  /** Ends the watch half a minute after the last look. */
  private linger(name: ClusterName, id: string, watched: Watched): void {
    if (watched.viewers > 0) return;
    clearInterval(watched.measuring);
    watched.measuring = undefined;
    clearTimeout(watched.lingering);
    watched.lingering = setTimeout(() => this.end(keyOfCluster(name), id), LINGER_MS);
    watched.lingering.unref();
  }

  private end(clusterKey: string, id: string): void {
    const cluster = this.clusters.get(clusterKey);
    const watched = cluster?.tables.get(id);
    if (!cluster || !watched) return;
    clearTimeout(watched.lingering);
    clearInterval(watched.measuring);
    watched.follower.end();
    cluster.tables.delete(id);
    if (cluster.tables.size === 0) this.clusters.delete(clusterKey);
  }

  /** Many tables of a cluster are begun at once: it is looked for once. */
  private async open(cluster: WatchedCluster): Promise<OpenCluster> {
    cluster.opening ??= this.resources.open(cluster.name.name, cluster.name.runtime).finally(() => {
      cluster.opening = undefined;
    });
    return await cluster.opening;
  }

  /** A cluster that was stopped may leave its watches open, and one that was started is not to be waited for. */
  private async lookAgain(cluster: WatchedCluster): Promise<void> {
    const runs = await this.open(cluster).then(
      () => true,
      () => false,
    );
    for (const { follower } of cluster.tables.values()) {
      if (runs) follower.retry();
      else follower.interrupt();
    }
  }

  private measure(name: ClusterName, type: ResourceType, watched: Watched): void {
    if (!isMeasured(type) || watched.measuring) return;
    const read = async (): Promise<void> => {
      const cluster = this.clusters.get(keyOfCluster(name));
      if (!cluster) return;
      const open = await this.open(cluster).catch(() => undefined);
      watched.store.measure(open ? await this.usage.of(open) : null);
    };
    void read();
    watched.measuring = setInterval(() => void read(), USAGE_INTERVAL_MS);
    watched.measuring.unref();
  }
}

export function keyOfCluster({ name, runtime }: ClusterName): string {
  return `${runtime}/${name}`;
}

function keyOfType({ group, version, plural }: ResourceType): string {
  return `${group}/${version}/${plural}`;
}
