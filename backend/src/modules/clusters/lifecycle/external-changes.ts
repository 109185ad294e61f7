import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { guarded } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { NodeEvents } from '../../journal/index.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import type { ClusterMeta, WantedState } from '../inventory/cluster-meta.js';
import { ClusterWatcher } from '../inventory/cluster-watcher.js';

/** Delay after the last event: nodes stop and start one after another, and a stopping engine is unavailable by then. */
const SETTLED_MS = 2000;
/**
 * Exit statuses of systemd in a node after the stop signal of an engine. A node that is killed, runs out of memory or
 * loses power has another one. Podman has no event for a stop.
 */
const HALTED: readonly (number | null)[] = [0, 130];

/**
 * Updates the wanted state of a cluster when its nodes are started or stopped with the CLI of the engine, and the time of
 * its state when they are paused or unpaused. An unintended end, such as a crash or a stop of the engine, does not change
 * the wanted state, so that the UI can offer to start the cluster.
 */
@Injectable()
export class ExternalChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pending = new Map<string, NodeJS.Timeout>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly events: NodeEvents,
    private readonly watcher: ClusterWatcher,
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
    private readonly jobs: JobsService,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.events.outside.subscribe(({ runtime, event }) =>
      this.note({ name: event.cluster, runtime }, event),
    );
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const timer of this.pending.values()) clearTimeout(timer);
    this.pending.clear();
  }

  private note(key: ClusterKey, { action, time }: NodeEvent): void {
    if (action === 'pause' || action === 'unpause') void this.notePause(key, time);
    if (action !== 'start' && action !== 'die') return;
    const id = `${key.runtime}/${key.name}`;
    clearTimeout(this.pending.get(id));
    const follow = guarded(async () => {
      this.pending.delete(id);
      await this.follow(key);
    }, `follow ${id}`);
    const timer = setTimeout(follow, SETTLED_MS);
    timer.unref();
    this.pending.set(id, timer);
  }

  private async follow(key: ClusterKey): Promise<void> {
    try {
      const wanted = await this.wantedBy(key);
      if (wanted === undefined) return;
      const changed = await this.store.changeMeta(
        key,
        (meta) => (meta.wanted === wanted ? undefined : { ...meta, wanted }),
        () => this.jobs.activeOf(key.name, key.runtime) === undefined,
      );
      if (changed) this.watcher.touch();
    } catch (error) {
      this.logger.failure(`could not update the wanted state of ${key.name}`, error);
    }
  }

  private async notePause(key: ClusterKey, time: string): Promise<void> {
    try {
      const change = (meta: ClusterMeta): ClusterMeta => ({ ...meta, pause_changed_at: time });
      if (await this.store.changeMeta(key, change, () => true)) this.watcher.touch();
    } catch (error) {
      this.logger.failure(`could not store when ${key.name} was paused or unpaused`, error);
    }
  }

  /** @returns undefined if it is unknown, or if the engine stopped too. */
  private async wantedBy({ name, runtime }: ClusterKey): Promise<WantedState | undefined> {
    const engine = this.runtimes.available().find(({ id }) => id === runtime);
    const nodes = ((await engine?.listNodes().catch(() => [])) ?? []).filter(
      ({ cluster }) => cluster === name,
    );
    const controlPlanes = nodes.filter(({ role }) => role === 'control-plane');
    if (controlPlanes.some(({ state }) => state === 'running')) return 'running';
    if (controlPlanes.length === 0 || nodes.some(({ state }) => state !== 'exited')) return undefined;
    return controlPlanes.every(({ exitCode }) => HALTED.includes(exitCode)) ? 'stopped' : undefined;
  }
}
