import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { guarded, hasCode, isDatabaseLocked } from '../../core/errors/index.js';
import { AppLogger, OUTSIDE_ACTOR } from '../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent } from '../../drivers/runtime/index.js';
import { JournalService } from './journal.service.js';
import { changesBetween, seenNode, type SeenNode } from './node-changes.js';
import { NodeEvents, type EngineNodeEvent } from './node-events.js';
import { OwnChanges } from './own-changes.js';
import { SeenNodesStore, type SeenNodes } from './seen-nodes.store.js';

/** Nodes are read this long after the last event. */
const SETTLED_MS = 1000;
/** How long a shutdown waits for the last nodes. */
const SHUTDOWN_MS = 1000;

/** Events after which other nodes, or nodes in another state, exist. */
const CHANGING: readonly NodeEvent['action'][] = ['create', 'start', 'die', 'pause', 'unpause', 'destroy'];

interface Earlier extends SeenNodes {
  /** Clusters with events since the start. They have entries of their own. */
  seenChanging: Set<string>;
}

/**
 * Records what changed while Slipway was not running: one entry per cluster, once its engine responds. While it runs, it
 * keeps the nodes of each engine in the database; between an event and the next read it keeps none, so that a crash in
 * between causes no wrong entry.
 */
@Injectable()
export class ChangesWhileStopped implements OnApplicationBootstrap, OnApplicationShutdown {
  /** From the previous run, for engines that have not responded yet. */
  private readonly earlier = new Map<string, Earlier>();
  /** Engines whose saved nodes are current, or are just read. */
  private readonly current = new Set<string>();
  private readonly pending = new Map<string, NodeJS.Timeout>();
  /** Number of events by engine. */
  private readonly counts = new Map<string, number>();
  private stopped = false;
  private readonly subscriptions: Subscription[] = [];

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly events: NodeEvents,
    private readonly own: OwnChanges,
    private readonly store: SeenNodesStore,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    for (const [runtime, seen] of this.store.all()) {
      this.earlier.set(runtime, { ...seen, seenChanging: new Set() });
    }
    this.subscriptions.push(
      this.events.all.subscribe((event) => this.note(event)),
      this.own.ended.subscribe((runtime) => this.readSoon(runtime)),
      this.runtimes.changes.subscribe(() => this.readAvailable()),
    );
    this.readAvailable();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const timer of this.pending.values()) clearTimeout(timer);
    const unread = [...this.pending.keys()];
    this.pending.clear();
    const last = Promise.all(unread.map((runtime) => this.read(runtime)));
    await Promise.race([last, delay(SHUTDOWN_MS, undefined, { ref: false })]);
    this.stopped = true;
  }

  private readAvailable(): void {
    const available = new Set(this.runtimes.available().map(({ id }) => id));
    for (const id of this.current) if (!available.has(id)) this.current.delete(id);
    for (const id of available) if (!this.current.has(id)) void this.read(id);
  }

  private note({ runtime, event: { action, cluster } }: EngineNodeEvent): void {
    if (!CHANGING.includes(action)) return;
    this.earlier.get(runtime)?.seenChanging.add(cluster);
    this.counts.set(runtime, (this.counts.get(runtime) ?? 0) + 1);
    try {
      if (this.current.delete(runtime)) this.store.forget(runtime);
    } catch (error) {
      this.logger.failure(`could not forget the nodes of ${runtime}`, error);
    }
    this.readSoon(runtime);
  }

  private readSoon(runtime: string): void {
    clearTimeout(this.pending.get(runtime));
    const read = guarded(async () => {
      this.pending.delete(runtime);
      await this.read(runtime);
    }, `read the nodes of ${runtime}`);
    this.pending.set(runtime, setTimeout(read, SETTLED_MS).unref());
  }

  private async read(id: string): Promise<void> {
    const seenAt = Date.now();
    const count = this.counts.get(id);
    this.current.add(id);
    try {
      const nodes = (await this.runtimes.get(id).listNodes()).map(seenNode);
      if (this.stopped) return;
      const address = this.addressOf(id);
      const earlier = this.earlier.get(id);
      this.store.transaction(() => {
        if (earlier?.address === address) this.recordChanges(id, earlier, nodes);
        // The nodes may lack what an event in the meantime reported. They are read again after it.
        if (count === this.counts.get(id)) this.store.save(id, { address, seenAt, nodes });
      });
      this.earlier.delete(id);
    } catch (error) {
      this.current.delete(id);
      // The registry reads it again once it responds.
      if (hasCode(error, 'runtime_unavailable')) this.runtimes.report(id, error);
      else if (isDatabaseLocked(error)) this.readSoon(id);
      else this.logger.failure(`could not compare the nodes of ${id} with those of the last run`, error);
    }
  }

  private recordChanges(runtime: string, earlier: Earlier, nodes: readonly SeenNode[]): void {
    for (const [cluster, message] of changesBetween(earlier.nodes, nodes)) {
      // Jobs record their own changes, also those that they complete or undo after a crash.
      if (this.own.workedSince(earlier.seenAt, cluster, runtime) || earlier.seenChanging.has(cluster)) {
        continue;
      }
      this.journal.record({ kind: 'cluster-changed', message, cluster, runtime, actor: OUTSIDE_ACTOR });
    }
  }

  private addressOf(id: string): string | null {
    const status = this.runtimes.statuses().find((candidate) => candidate.id === id);
    return status?.attempts.find(({ answered }) => answered)?.address ?? null;
  }
}
