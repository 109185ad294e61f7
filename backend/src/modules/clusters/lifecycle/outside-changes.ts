import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { AppLogger } from '../../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import type { WantedState } from '../cluster-meta.js';
import { ClusterWatcher } from '../cluster-watcher.js';
import { ClusterStore, type ClusterKey } from '../cluster.store.js';

/** Nodes are stopped and started one after the other; an engine that ends with its containers is gone by then. */
const SETTLED_MS = 2000;
/**
 * What systemd in a node leaves when it halts on an engine's stop signal. A node that is killed, runs out of memory
 * or is cut off with its machine leaves another. Podman has no event for a stop, so this is what tells of one.
 */
const HALTED = 130;

interface Pending {
  timer: NodeJS.Timeout;
  /** Whether somebody asked a node to stop. */
  stopped: boolean;
}

/**
 * Follows what somebody wants of a cluster who starts or stops its nodes with the engine's own program. An end
 * that nobody asked for, as in a crash or with the engine itself, changes nothing: that is offered to be undone.
 */
@Injectable()
export class OutsideChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger: AppLogger;
  private readonly pending = new Map<string, Pending>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly watcher: ClusterWatcher,
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
    private readonly jobs: JobsService,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: OutsideChanges.name });
  }

  onApplicationBootstrap(): void {
    this.subscription = this.watcher.outside.subscribe(({ runtime, event }) =>
      this.note({ name: event.cluster, runtime }, event),
    );
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const { timer } of this.pending.values()) clearTimeout(timer);
    this.pending.clear();
  }

  private note(key: ClusterKey, { action, exitCode }: NodeEvent): void {
    if (action !== 'start' && action !== 'die') return;
    const id = `${key.runtime}/${key.name}`;
    const before = this.pending.get(id);
    clearTimeout(before?.timer);
    const stopped = (action === 'die' && exitCode === HALTED) || before?.stopped === true;
    const timer = setTimeout(() => {
      this.pending.delete(id);
      void this.follow(key, stopped);
    }, SETTLED_MS);
    timer.unref();
    this.pending.set(id, { timer, stopped });
  }

  private async follow(key: ClusterKey, stopped: boolean): Promise<void> {
    try {
      const wanted = await this.wantedBy(key, stopped);
      if (wanted === undefined) return;
      const changed = await this.store.changeMeta(
        key,
        (meta) => (meta.wanted === wanted ? undefined : { ...meta, wanted }),
        () => this.jobs.activeOf(key.name, key.runtime) === undefined,
      );
      if (changed) this.watcher.touch();
    } catch (error) {
      this.logger.failure(`what is wanted of ${key.name} could not be followed`, error);
    }
  }

  /** @returns undefined where it cannot be told, and where the engine ended too: then nobody meant the cluster. */
  private async wantedBy({ name, runtime }: ClusterKey, stopped: boolean): Promise<WantedState | undefined> {
    const engine = this.runtimes.available().find(({ id }) => id === runtime);
    const nodes = ((await engine?.listNodes().catch(() => [])) ?? []).filter(
      ({ cluster }) => cluster === name,
    );
    if (nodes.some(({ role, state }) => role === 'control-plane' && state === 'running')) return 'running';
    const allEnded = nodes.length > 0 && nodes.every(({ state }) => state === 'exited');
    return allEnded && stopped ? 'stopped' : undefined;
  }
}
