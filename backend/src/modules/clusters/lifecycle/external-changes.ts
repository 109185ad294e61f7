import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { AppLogger } from '../../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { type ClusterKey, ClusterStore, ClusterWatcher, type WantedState } from '../inventory/index.js';

/** Nodes are stopped and started one after the other; an engine that ends with its containers is gone by then. */
const SETTLED_MS = 2000;
/**
 * Exit statuses that systemd in a node leaves when it halts on an engine's stop signal. A node that is killed, runs
 * out of memory or is cut off with its machine leaves another. Podman has no event that tells of a stop.
 */
const HALTED: readonly (number | null)[] = [0, 130];

/**
 * Follows what somebody wants of a cluster who starts or stops its nodes with the engine's own program. An end
 * that nobody asked for, as in a crash or with the engine itself, changes nothing: that is offered to be undone.
 */
@Injectable()
export class ExternalChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pending = new Map<string, NodeJS.Timeout>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly watcher: ClusterWatcher,
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
    private readonly jobs: JobsService,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.watcher.outside.subscribe(({ runtime, event }) =>
      this.note({ name: event.cluster, runtime }, event.action),
    );
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const timer of this.pending.values()) clearTimeout(timer);
    this.pending.clear();
  }

  private note(key: ClusterKey, action: NodeEvent['action']): void {
    if (action !== 'start' && action !== 'die') return;
    const id = `${key.runtime}/${key.name}`;
    clearTimeout(this.pending.get(id));
    const timer = setTimeout(() => {
      this.pending.delete(id);
      void this.follow(key);
    }, SETTLED_MS);
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
      this.logger.failure(`what is wanted of ${key.name} could not be followed`, error);
    }
  }

  /** @returns undefined where it cannot be told, and where the engine ended too: then nobody meant the cluster. */
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
