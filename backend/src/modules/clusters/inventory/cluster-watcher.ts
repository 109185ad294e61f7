import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { auditTime, merge, Subject, type Observable, type Subscription } from 'rxjs';
import { AppLogger } from '../../../core/logging/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { NodeEvents } from '../../journal/index.js';
import { NodeInventory } from './node-inventory.js';

/** Events come in bursts, and one notification per burst is enough. */
const GATHER_MS = 100;

/** Notices changes of clusters. */
@Injectable()
export class ClusterWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly touched = new Subject<void>();
  private readonly subscriptions: Subscription[] = [];

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly jobs: JobsService,
    private readonly events: NodeEvents,
    private readonly inventory: NodeInventory,
    private readonly logger: AppLogger,
  ) {}

  /** Emits at once when the list of clusters may differ from before. */
  get touches(): Observable<void> {
    return this.touched.asObservable();
  }

  /** Emits once after each burst of touches. */
  get changes(): Observable<void> {
    return this.touched.pipe(auditTime(GATHER_MS));
  }

  /** Call this after changing saved files of a cluster without a job. */
  touch(): void {
    this.touched.next();
  }

  onApplicationBootstrap(): void {
    this.subscriptions.push(
      merge(this.runtimes.changes, this.jobs.changes, this.events.all).subscribe(() => this.touch()),
      this.changes.subscribe(() => void this.remember()),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    this.touched.complete();
  }

  /** Reads the nodes even if no client asks, so that the last known nodes include the last change. */
  private async remember(): Promise<void> {
    try {
      await this.inventory.read();
    } catch (error) {
      this.logger.failure('the nodes could not be read after a change', error);
    }
  }
}
