import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { guarded } from '../../core/errors/index.js';
import { OUTSIDE_ACTOR } from '../../core/logging/index.js';
import type { NodeEvent } from '../../drivers/runtime/index.js';
import { JournalService } from './journal.service.js';

const MINUTES = 10;
/** The first time is recorded at once; further ones of a node within this time share one entry. */
const GROUP_MS = MINUTES * 60_000;

interface Group {
  runtime: string;
  event: NodeEvent;
  further: number;
  timer: NodeJS.Timeout;
}

/**
 * Records nodes that run out of memory. A Pod above its limit is killed and restarted again and again, each time with an
 * event of its node: a node writes at most two entries in 10 minutes.
 */
@Injectable()
export class OutOfMemory implements OnModuleDestroy {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly journal: JournalService) {}

  onModuleDestroy(): void {
    for (const key of this.groups.keys()) this.finish(key);
  }

  note(runtime: string, event: NodeEvent): void {
    const key = `${runtime}/${event.container}`;
    const group = this.groups.get(key);
    if (group) {
      group.further += 1;
      return;
    }
    const finish = guarded(() => this.finish(key), 'record nodes that ran out of memory');
    const timer = setTimeout(finish, GROUP_MS).unref();
    this.groups.set(key, { runtime, event, further: 0, timer });
    this.record(runtime, event, `A process in ${event.container} was killed because memory ran out.`);
  }

  private finish(key: string): void {
    const group = this.groups.get(key);
    this.groups.delete(key);
    clearTimeout(group?.timer);
    if (!group || group.further === 0) return;
    const { runtime, event, further } = group;
    const times = further === 1 ? 'once more' : `${further} more times`;
    this.record(runtime, event, `Memory ran out in ${event.container} ${times} within ${MINUTES} minutes.`);
  }

  private record(runtime: string, { cluster, container }: NodeEvent, message: string): void {
    this.journal.recordEventually({
      kind: 'node-out-of-memory',
      outcome: 'failed',
      message,
      cluster,
      runtime,
      subject: container,
      actor: OUTSIDE_ACTOR,
    });
  }
}
