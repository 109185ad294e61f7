import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { guarded } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { JobsService } from '../../jobs/index.js';
import type { ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterWatcher } from '../inventory/cluster-watcher.js';
import { StartVerification } from './start-verification.js';

/** Minimum time between two reviews of a cluster. A review is three requests to its API server. */
const INTERVAL_MS = 3000;

/**
 * Reviews degraded clusters whose containers are all running, because a node can become ready after the start stopped
 * waiting for it. A review starts when a client lists the clusters, and repeats while clients do.
 */
@Injectable()
export class StateReview implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Clusters under review, and those reviewed less than INTERVAL_MS ago. */
  private readonly recent = new Map<string, NodeJS.Timeout | undefined>();
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
      for (const cluster of clusters) if (needsReview(cluster)) void this.review(cluster);
    });
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const timer of this.recent.values()) clearTimeout(timer);
  }

  private async review({ name, runtime }: ClusterKey): Promise<void> {
    const id = `${runtime}/${name}`;
    if (this.recent.has(id)) return;
    this.recent.set(id, undefined);
    const reason = await this.inspect({ name, runtime });
    const allowNext = guarded(() => {
      this.recent.delete(id);
      // Clients that follow the changes list the clusters again, which starts the next review.
      if (reason !== null) this.watcher.touch();
    }, `review ${id}`);
    const timer = setTimeout(allowNext, INTERVAL_MS);
    timer.unref();
    this.recent.set(id, timer);
  }

  /** @returns the remaining problem, or null. */
  private async inspect(key: ClusterKey): Promise<string | null> {
    try {
      const reason = await this.verification.inspect(key);
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
      this.logger.failure(`could not review the state of ${key.name}`, error);
      return 'unknown';
    }
  }
}

function needsReview({ state, nodes, active_job_id: job }: Cluster): boolean {
  return state === 'degraded' && job === null && nodes.every((node) => node.state === 'running');
}
