import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject, type Subscription } from 'rxjs';
import { AppLogger, OUTSIDE_ACTOR } from '../../core/logging/index.js';
import { RuntimeRegistry, type NodeEvent, type RuntimeDriver } from '../../drivers/runtime/index.js';
import { JournalService } from './journal.service.js';
import { OutOfMemory } from './out-of-memory.js';
import { OwnChanges } from './own-changes.js';

const RETRY_MS = 1000;

const ENTRIES: Partial<Record<NodeEvent['action'], [kind: string, what: string]>> = {
  die: ['node-stopped', 'stopped'],
  start: ['node-started', 'was started'],
  pause: ['node-paused', 'was paused'],
  unpause: ['node-resumed', 'was resumed'],
  destroy: ['node-removed', 'was removed'],
};

export interface EngineNodeEvent {
  runtime: string;
  event: NodeEvent;
}

/** Follows the events of all engines, and records those that no job caused. */
@Injectable()
export class NodeEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly all = new Subject<EngineNodeEvent>();
  /** Events that no job caused. */
  readonly outside = new Subject<EngineNodeEvent>();
  private readonly following = new Map<string, AbortController>();
  private subscription: Subscription | undefined;
  private stopped = false;

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly own: OwnChanges,
    private readonly outOfMemory: OutOfMemory,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.runtimes.changes.subscribe(() => this.followAvailable());
    this.followAvailable();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.subscription?.unsubscribe();
    for (const controller of this.following.values()) controller.abort();
    this.all.complete();
    this.outside.complete();
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
    this.all.next({ runtime, event });
    // No job intends it, and a failed job may need it as the reason.
    if (event.action === 'oom') this.outOfMemory.note(runtime, event);
    if (this.own.caused(runtime, event)) return;
    this.outside.next({ runtime, event });
    const { action, container, cluster, exitCode } = event;
    const [kind, what] = ENTRIES[action] ?? [];
    if (kind === undefined) return;
    const status = action !== 'die' || exitCode === null ? '' : `, exit status ${exitCode}`;
    this.journal.recordEventually({
      kind,
      outcome: action === 'die' && exitCode !== 0 ? 'failed' : 'succeeded',
      message: `${container} ${what} outside Slipway${status}.`,
      cluster,
      runtime,
      subject: container,
      // The event stream may have been opened during a request, which did not cause its events.
      actor: OUTSIDE_ACTOR,
    });
  }
}
