import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { AppLogger } from '../../../core/logging/index.js';
import { JobsService } from '../../jobs/index.js';
import {
  type Cluster,
  type ClusterKey,
  ClustersService,
  ClusterStore,
  ClusterWatcher,
} from '../inventory/index.js';
import { StartVerification } from './start-verification.js';

/** Between two looks at one cluster, whoever reads it how often. A look is three requests to its API server. */
const REST_MS = 3000;

/**
 * Looks again at clusters that are degraded although all of their containers run: a node that was not ready when
 * a start waited for it may be by now. It looks when somebody reads them, and goes on while pages show them.
 */
@Injectable()
export class StateReview implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Clusters that are looked at, or were a moment ago. */
  private readonly resting = new Map<string, NodeJS.Timeout | undefined>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly clusters: ClustersService,
    private readonly verification: StartVerification,
    private readonly store: ClusterStore,
    private readonly jobs: JobsService,
    private readonly watcher: ClusterWatcher,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.clusters.reads.subscribe((clusters) => {
      for (const cluster of clusters) if (isDoubtful(cluster)) void this.review(cluster);
    });
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const timer of this.resting.values()) clearTimeout(timer);
  }

  private async review({ name, runtime }: ClusterKey): Promise<void> {
    const id = `${runtime}/${name}`;
    if (this.resting.has(id)) return;
    this.resting.set(id, undefined);
    const reason = await this.look({ name, runtime });
    const timer = setTimeout(() => {
      this.resting.delete(id);
      // Pages that show it read it again by this, and so it is looked at again; where there are none, it ends here.
      if (reason !== null) this.watcher.touch();
    }, REST_MS);
    timer.unref();
    this.resting.set(id, timer);
  }

  /** @returns what is still wrong, or null. */
  private async look(key: ClusterKey): Promise<string | null> {
    try {
      const reason = await this.verification.look(key);
      const changed = await this.store.changeMeta(
        key,
        (meta) =>
          meta.degraded_reason === reason
            ? undefined
            : {
                ...meta,
                degraded_reason: reason,
                degraded_since: reason === null ? null : (meta.degraded_since ?? new Date().toISOString()),
              },
        () => this.jobs.activeOf(key.name, key.runtime) === undefined,
      );
      if (changed) this.watcher.touch();
      return reason;
    } catch (error) {
      this.logger.failure(`${key.name} could not be looked at again`, error);
      return 'not known';
    }
  }
}

function isDoubtful({ state, nodes, active_job_id: job }: Cluster): boolean {
  return state === 'degraded' && job === null && nodes.every((node) => node.state === 'running');
}
