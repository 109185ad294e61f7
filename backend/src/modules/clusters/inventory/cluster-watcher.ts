import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { auditTime, Subject, type Observable, type Subscription } from 'rxjs';
import { AppLogger, SYSTEM_ACTOR } from '../../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { NodeInventory } from './node-inventory.js';

/** Tolerance for the clock of an engine in a virtual machine: events this soon after a job still belong to the job. */
const CLOCK_SKEW_MS = 500;
const RETRY_MS = 1000;
/** Events come in bursts, and one notification per burst is enough. */
const GATHER_MS = 100;

const JOURNAL_ENTRIES: Partial<Record<NodeEvent['action'], [kind: string, what: string]>> = {
  die: ['node-stopped', 'stopped'],
  start: ['node-started', 'was started'],
  pause: ['node-paused', 'was paused'],
  unpause: ['node-resumed', 'was resumed'],
  destroy: ['node-removed', 'was removed'],
};

/** An event of a node that no job caused. */
export interface OutsideEvent {
  runtime: string;
  event: NodeEvent;
}

/** Notices changes of clusters, and records those that no job caused in the journal. */
@Injectable()
export class ClusterWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly outside = new Subject<OutsideEvent>();
  private readonly touched = new Subject<void>();
  private readonly following = new Map<string, AbortController>();
  private readonly lastJobs = new Map<string, number>();
  private readonly subscriptions: Subscription[] = [];
  private stopped = false;

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly inventory: NodeInventory,
    private readonly logger: AppLogger,
  ) {}

  /** Emits when the list of clusters may differ from before. */
  get changes(): Observable<void> {
    return this.touched.pipe(auditTime(GATHER_MS));
  }

  /** Call this after changing saved files of a cluster without a job. */
  touch(): void {
    this.touched.next();
  }

  onApplicationBootstrap(): void {
    this.subscriptions.push(
      this.runtimes.changes.subscribe(() => {
        this.followAvailable();
        this.touched.next();
      }),
      this.jobs.changes.subscribe(({ job }) => {
        this.lastJobs.set(`${job.runtime}/${job.cluster}`, Date.now());
        this.touched.next();
      }),
      this.changes.subscribe(() => void this.remember()),
    );
    this.followAvailable();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const controller of this.following.values()) controller.abort();
    this.touched.complete();
    this.outside.complete();
  }

  /** Reads the nodes even if no client asks, so that the last known nodes include the last change. */
  private async remember(): Promise<void> {
    try {
      await this.inventory.read();
    } catch (error) {
      this.logger.failure('the nodes could not be read after a change', error);
    }
  }

  private followAvailable(): void {
    // A stream opened during shutdown would keep the process alive.
    if (this.stopped) return;
    const available = this.runtimes.available();
    for (const [id, controller] of this.following) {
      if (!available.some((runtime) => runtime.id === id)) controller.abort();
    }
    for (const runtime of available) {
      if (!this.following.has(runtime.id)) void this.follow(runtime);
    }
  }

  private async follow(runtime: RuntimeDriver): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.following.set(runtime.id, controller);
    do {
      try {
        await runtime.followEvents((event) => this.note(runtime.id, event), signal);
      } catch (error) {
        if (signal.aborted) break;
        // The end of the stream is the first sign of an unavailable engine.
        this.runtimes.report(runtime.id, error);
        this.logger.info(`${runtime.id} ended its event stream; following it again`);
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted);
    this.following.delete(runtime.id);
    if (this.runtimes.available().includes(runtime)) this.followAvailable();
  }

  private note(runtime: string, event: NodeEvent): void {
    this.touched.next();
    if (this.isOurs(runtime, event)) return;
    this.outside.next({ runtime, event });
    const { action, container, cluster, exitCode } = event;
    const [kind, what] = JOURNAL_ENTRIES[action] ?? [];
    if (kind === undefined) return;
    const status = action !== 'die' || exitCode === null ? '' : `, exit status ${exitCode}`;
    this.journal.record({
      kind,
      outcome: action === 'die' && exitCode !== 0 ? 'failed' : 'succeeded',
      message: `${container} ${what} outside Slipway${status}.`,
      cluster,
      runtime,
      subject: container,
      // The event stream may have been opened during a request, which did not cause its events.
      actor: SYSTEM_ACTOR,
    });
  }

  /** Compares the time of the event, not its arrival: events can be late, and a node can be killed right after a job. */
  private isOurs(runtime: string, { cluster, time }: NodeEvent): boolean {
    if (this.jobs.activeOf(cluster, runtime)) return true;
    const last = this.lastJobs.get(`${runtime}/${cluster}`);
    return last !== undefined && Date.parse(time) - last < CLOCK_SKEW_MS;
  }
}
