import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { DomainError, type ErrorCode, guarded } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { agreedHealth, type ResourceHealth, type ResourceType } from '../../../drivers/kubernetes/index.js';
import { ClusterWatcher, type ClusterKey } from '../../clusters/index.js';
import { ClusterResources, type OpenCluster } from '../common/cluster-resources.js';
import { isMeasured, USAGE_INTERVAL_MS, UsageReadings } from '../usage/usage-readings.js';
import { keyOf } from './printed-row.js';
import { TableReflector } from './table-reflector.js';
import { TableStore } from './table-store.js';

/** A watch stays open this long after its last viewer, so that a reload does not start it again. */
const LINGER_MS = 30_000;

type Mode = 'watch' | 'poll' | 'warnings';

/** Rows of a kind with a known cause, by `keyOf`. The kinds are named by `kindKey`. */
export type JudgedRows = ReadonlyMap<string, ReadonlySet<string>>;

export interface TableLease {
  store: TableStore;
  release: () => void;
}

interface Watched {
  type: ResourceType;
  store: TableStore;
  reflector: TableReflector;
  viewers: number;
  lingering: NodeJS.Timeout | undefined;
  /** When its watch ends without further use, in milliseconds of `performance.now()`. */
  lingersUntil: number;
  measuring: NodeJS.Timeout | undefined;
}

interface WatchedCluster {
  name: ClusterKey;
  tables: Map<string, Watched>;
  opening: Promise<OpenCluster> | undefined;
}

/** One watch per kind, shared by all viewers. */
@Injectable()
export class TableWatches implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clusters = new Map<string, WatchedCluster>();
  private readonly judged = new Map<string, JudgedRows>();
  private changes: Subscription | undefined;

  constructor(
    private readonly resources: ClusterResources,
    private readonly usage: UsageReadings,
    private readonly watcher: ClusterWatcher,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.changes = this.watcher.changes.subscribe(() => void this.checkConnections());
  }

  onApplicationShutdown(): void {
    this.changes?.unsubscribe();
    for (const [key, { tables }] of this.clusters) {
      for (const id of tables.keys()) this.end(key, id);
    }
  }

  /**
   * Watches a kind until the lease is released.
   * @param mode `poll` for kinds that change constantly: they are listed twice a minute; `warnings` for the Warning events
   */
  acquire(name: ClusterKey, type: ResourceType, mode: Mode = 'watch'): TableLease {
    const id = `${keyOfType(type)} ${mode}`;
    const watched = this.find(name, id) ?? this.start(name, id, type, mode);
    watched.viewers += 1;
    // A new reader does not wait for the next attempt.
    if (watched.store.error) watched.reflector.retry();
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

  /** Sets which rows of a cluster have a known cause: they need attention in all tables, whatever their cells say. */
  judge(name: ClusterKey, judged: JudgedRows): void {
    const key = keyOfCluster(name);
    if (judged.size === 0) this.judged.delete(key);
    else this.judged.set(key, judged);
    for (const { type, store } of this.clusters.get(key)?.tables.values() ?? []) {
      store.judge(judged.get(kindKey(type)) ?? new Set());
    }
  }

  /** The health of an object of a cluster as all tables have it. @param health what it says itself */
  healthOf(
    name: ClusterKey,
    type: Pick<ResourceType, 'group' | 'plural'>,
    object: { namespace: string | null; name: string },
    health: ResourceHealth,
  ): ResourceHealth {
    const judged = this.judged.get(keyOfCluster(name))?.get(kindKey(type));
    return agreedHealth(health, judged?.has(keyOf(object)) ?? false);
  }

  /**
   * A table that is already watched and up to date. Its watch stays open for LINGER_MS. Polled tables miss the latest
   * changes, so they only count for kinds that cannot be watched.
   */
  ready(name: ClusterKey, type: ResourceType): TableStore | undefined {
    for (const mode of type.verbs.includes('watch') ? (['watch'] as const) : (['watch', 'poll'] as const)) {
      const id = `${keyOfType(type)} ${mode}`;
      const watched = this.find(name, id);
      if (!watched?.store.isListed || watched.store.error !== null) continue;
      this.linger(name, id, watched);
      return watched.store;
    }
    return undefined;
  }

  /**
   * Waits for rows of the first list, or for the next list if the last one has failed.
   * @param isEnough by default, all rows
   * @throws DomainError if it fails or takes too long
   */
  async loaded(
    { store }: TableLease,
    deadlineMs: number,
    isEnough: (store: TableStore) => boolean = ({ isListed }) => isListed,
  ): Promise<void> {
    let late: Promise<'late'> | undefined;
    while (store.error !== null || !isEnough(store)) {
      late ??= delay(deadlineMs, 'late', { ref: false });
      if ((await Promise.race([store.arrival, late])) === 'late') {
        throw new DomainError(
          'cluster_unreachable',
          'The cluster did not list its objects in time. Try again.',
        );
      }
      if (store.error) throw new DomainError(store.error.code as ErrorCode, store.error.message);
    }
  }

  private find(name: ClusterKey, id: string): Watched | undefined {
    return this.clusters.get(keyOfCluster(name))?.tables.get(id);
  }

  private start(name: ClusterKey, id: string, type: ResourceType, mode: Mode): Watched {
    const key = keyOfCluster(name);
    const cluster = this.clusters.get(key) ?? {
      name,
      tables: new Map<string, Watched>(),
      opening: undefined,
    };
    this.clusters.set(key, cluster);
    const store = new TableStore();
    store.judge(this.judged.get(key)?.get(kindKey(type)) ?? new Set());
    const reflector = new TableReflector(
      type,
      store,
      async () => (await this.open(cluster)).api,
      mode === 'warnings' ? { fieldSelector: 'type=Warning' } : {},
      mode !== 'poll' && type.verbs.includes('watch'),
      this.logger,
    );
    const watched = {
      type,
      store,
      reflector,
      viewers: 0,
      lingering: undefined,
      lingersUntil: 0,
      measuring: undefined,
    };
    cluster.tables.set(id, watched);
    void reflector.run();
    return watched;
  }

  /**
   * Ends the watch after LINGER_MS without viewers. Every request for an overview extends that for dozens of watches, so
   * it does not start a timer each time.
   */
  private linger(name: ClusterKey, id: string, watched: Watched): void {
    if (watched.viewers > 0) return;
    watched.lingersUntil = performance.now() + LINGER_MS;
    clearInterval(watched.measuring);
    watched.measuring = undefined;
    watched.lingering ??= this.endLater(name, id, watched);
  }

  private endLater(name: ClusterKey, id: string, watched: Watched): NodeJS.Timeout {
    const end = guarded(() => {
      watched.lingering = undefined;
      if (watched.viewers > 0) return;
      if (performance.now() >= watched.lingersUntil) this.end(keyOfCluster(name), id);
      else watched.lingering = this.endLater(name, id, watched);
    }, `end the watch of ${id}`);
    return setTimeout(end, watched.lingersUntil - performance.now()).unref();
  }

  private end(clusterKey: string, id: string): void {
    const cluster = this.clusters.get(clusterKey);
    const watched = cluster?.tables.get(id);
    if (!cluster || !watched) return;
    clearTimeout(watched.lingering);
    clearInterval(watched.measuring);
    watched.reflector.end();
    cluster.tables.delete(id);
    if (cluster.tables.size === 0) this.clusters.delete(clusterKey);
  }

  /** Concurrent calls for a cluster share one lookup. */
  private async open(cluster: WatchedCluster): Promise<OpenCluster> {
    cluster.opening ??= this.resources.open(cluster.name.name, cluster.name.runtime).finally(() => {
      cluster.opening = undefined;
    });
    return await cluster.opening;
  }

  /**
   * Closes watches that stopped clusters left open, and retries at once after a start. One list is for all clusters: some
   * are watched all the time, and a job changes several times a second.
   */
  private async checkConnections(): Promise<void> {
    if (this.clusters.size === 0) return;
    const running = await this.resources.running().catch(() => []);
    const keys = new Set(running.map(keyOfCluster));
    for (const [key, { tables }] of this.clusters) {
      for (const { reflector } of tables.values()) {
        if (keys.has(key)) reflector.retry();
        else reflector.interrupt();
      }
    }
  }

  private measure(name: ClusterKey, type: ResourceType, watched: Watched): void {
    if (!isMeasured(type) || watched.measuring) return;
    const read = guarded(async () => {
      const cluster = this.clusters.get(keyOfCluster(name));
      if (!cluster) return;
      const open = await this.open(cluster).catch(() => undefined);
      watched.store.measure(open ? await this.usage.of(open) : null);
    }, `measure the usage of ${name.name}`);
    read();
    watched.measuring = setInterval(read, USAGE_INTERVAL_MS);
    watched.measuring.unref();
  }
}

export function keyOfCluster({ name, runtime }: ClusterKey): string {
  return `${runtime}/${name}`;
}

/** Names a kind in any version. */
export function kindKey({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return `${plural}.${group}`;
}

const keysOfTypes = new WeakMap<ResourceType, string>();

function keyOfType(type: ResourceType): string {
  const known = keysOfTypes.get(type);
  if (known !== undefined) return known;
  const key = `${type.group}/${type.version}/${type.plural}`;
  keysOfTypes.set(type, key);
  return key;
}
