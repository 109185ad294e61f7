import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { asSentence, guarded } from '../../core/errors/index.js';
import { OUTSIDE_ACTOR } from '../../core/logging/index.js';
import { RuntimeRegistry, type RuntimeStatus } from '../../drivers/runtime/index.js';
import { JournalService } from './journal.service.js';

/** A change that does not last this long is not recorded, such as one failed check, which is repeated after 0.5 to 3 s. */
const SETTLED_MS = 5000;

interface Recorded {
  available: boolean;
  /** RFC 3339. */
  since: string;
  /** Runs while the engine is in the other state. */
  timer?: NodeJS.Timeout | undefined;
}

/** Records when an engine stops responding, and when it responds again. Engines that never responded are ignored. */
@Injectable()
export class EngineAvailability implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recorded = new Map<string, Recorded>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly journal: JournalService,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.runtimes.changes.subscribe(() => this.look());
    this.look();
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const { timer } of this.recorded.values()) clearTimeout(timer);
  }

  private look(): void {
    const statuses = this.runtimes.statuses();
    for (const [id, { timer }] of this.recorded) {
      // The demo is no longer listed once an engine responds.
      if (statuses.some((status) => status.id === id)) continue;
      clearTimeout(timer);
      this.recorded.delete(id);
    }
    for (const { id, available, since } of statuses) {
      const recorded = this.recorded.get(id);
      if (!recorded) {
        if (available) this.recorded.set(id, { available, since });
      } else if (recorded.available === available) {
        clearTimeout(recorded.timer);
        recorded.timer = undefined;
      } else {
        const record = guarded(() => this.record(id), 'record that an engine is available');
        recorded.timer ??= setTimeout(record, SETTLED_MS).unref();
      }
    }
  }

  private record(id: string): void {
    const before = this.recorded.get(id);
    const status = this.runtimes.statuses().find((candidate) => candidate.id === id);
    if (!before || !status) return;
    const { available, since } = status;
    this.recorded.set(id, { available, since });
    this.journal.recordEventually({
      kind: available ? 'engine-available' : 'engine-unavailable',
      outcome: available ? 'succeeded' : 'failed',
      message: messageOf(status, before),
      runtime: id,
      actor: OUTSIDE_ACTOR,
    });
  }
}

function messageOf({ id, available, reason, since }: RuntimeStatus, before: Recorded): string {
  if (!available) return `${id} stopped responding.${reason === null ? '' : ` ${asSentence(reason)}`}`;
  const seconds = Math.round((Date.parse(since) - Date.parse(before.since)) / 1000);
  return `${id} responds again after ${seconds} s.`;
}
