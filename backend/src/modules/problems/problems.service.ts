import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { auditTime, merge, Subject, type Subscription } from 'rxjs';
import { guarded, guardedInterval } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { ClustersService, ClusterWatcher, type ClusterKey } from '../clusters/index.js';
import { ClusterResources, keyOfCluster, ResourceFeeds, TableWatches } from '../resources/index.js';
import { ClusterProblems } from './cluster-problems.js';
import type { ProblemDto } from './problem.dto.js';

/** Interval at which changes are read. Together with a check, a problem appears within 3 s. */
const TICK_MS = 500;
/** Interval at which started and stopped clusters are noticed. */
const FOLLOW_MS = 1000;
/** Shortest time between two announcements of counted Pods. During a rollout they change all the time. */
const COUNT_MS = 2000;

interface Followed {
  key: ClusterKey;
  problems: ClusterProblems;
}

/** Problems of the clusters that run. Watches those of kind all the time, also without viewers. */
@Injectable()
export class ProblemsService implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Emits after each change of the list. */
  readonly changes = new Subject<void>();
  private readonly followed = new Map<string, Followed>();
  private readonly subscriptions: Subscription[] = [];
  private timer: NodeJS.Timeout | undefined;
  private countedAt = 0;

  constructor(
    private readonly clusters: ClustersService,
    private readonly watcher: ClusterWatcher,
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
    private readonly feeds: ResourceFeeds,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    const follow = guarded(() => this.follow(), 'find the clusters to watch');
    this.subscriptions.push(
      merge(this.watcher.changes, this.feeds.viewed).pipe(auditTime(FOLLOW_MS)).subscribe(follow),
    );
    follow();
    this.timer = guardedInterval(() => this.tick(), TICK_MS, 'look for problems').unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const { problems } of this.followed.values()) problems.close();
    this.followed.clear();
  }

  /** By cluster; in each, the oldest first. */
  list(): ProblemDto[] {
    return [...this.followed.values()].flatMap(({ problems }) => problems.problems);
  }

  /** Undefined while unknown, such as while the cluster does not run. */
  known(cluster: ClusterKey): ProblemDto[] | undefined {
    const problems = this.followed.get(keyOfCluster(cluster))?.problems;
    return problems?.isKnown === true ? problems.problems : undefined;
  }

  /** @throws DomainError as `ClustersService.get` */
  async ofCluster(name: string, runtime: string | undefined): Promise<ProblemDto[]> {
    const cluster = await this.clusters.get(name, runtime);
    if (cluster.external) this.feeds.noteReader(cluster);
    return this.known(cluster) ?? [];
  }

  private tick(): void {
    const now = Date.now();
    for (const { problems } of this.followed.values()) problems.tick(now);
    if (Math.abs(now - this.countedAt) < COUNT_MS) return;
    this.countedAt = now;
    let hasChanged = false;
    for (const { key, problems } of this.followed.values()) {
      hasChanged = this.clusters.countPods(key, problems.pods(now) ?? null) || hasChanged;
    }
    if (hasChanged) this.watcher.touch();
  }

  /** Watches the clusters that run, and no others: clusters of kubeconfigs, which may be large, only while they have viewers. */
  private async follow(): Promise<void> {
    const running = await this.resources.running();
    const clusters = running.filter(({ external, ...key }) => !external || this.feeds.hasViewers(key));
    const wanted = new Map(
      clusters.map(({ name, runtime }) => [keyOfCluster({ name, runtime }), { name, runtime }]),
    );
    for (const [id, { key, problems }] of this.followed) {
      if (wanted.has(id)) continue;
      problems.close();
      this.followed.delete(id);
      this.count(key, null);
      this.clusters.countPods(key, null);
    }
    for (const [id, key] of wanted) {
      if (this.followed.has(id)) continue;
      const { resources, watches, logger } = this;
      const problems: ClusterProblems = new ClusterProblems(key, {
        resources,
        watches,
        logger,
        onChange: () => this.count(key, problems.problems.length),
      });
      this.followed.set(id, { key, problems });
    }
  }

  private count(key: ClusterKey, count: number | null): void {
    this.clusters.countProblems(key, count);
    this.changes.next();
    this.watcher.touch();
  }
}
