import { computed, inject, Service, signal } from '@angular/core';
import { Api, clusterKey } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { ClusterDto, JobDto } from '../../../shared/api/api-types';
import { asSentence, clusterCount } from '../../../shared/format/format';
import { ClustersStore, sameCluster } from '../../../shared/live/clusters-store';
import { JobsStore } from '../../../shared/live/jobs-store';
import { jobNow } from '../../../shared/ui/job-labels';
import { changeCluster } from '../../cluster-actions/change-cluster';
import { keyOf } from '../cluster-rows';
import { BULK_LABELS, type BulkAction, type BulkPlan } from './bulk-plan';

/** A deletion keeps its request open, and browsers allow six connections per host. */
const PARALLEL = 3;

export type BulkState = 'waiting' | 'working' | 'done' | 'failed' | 'skipped';

interface BulkEntry {
  key: string;
  cluster: ClusterDto;
  state: BulkState;
  jobId: number | null;
  /** Why it failed or was skipped. */
  reason: string;
}

/** An entry with the progress of its job. */
export interface BulkLine extends BulkEntry {
  text: string;
  percent: number | null;
}

/** Runs one action on several clusters, at most one such run at a time. */
@Service()
export class BulkRun {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly jobs = inject(JobsStore);
  private readonly entries = signal<readonly BulkEntry[]>([]);
  private readonly current = signal<BulkAction>('start');
  private readonly working = signal(false);
  private halted = false;

  readonly running = this.working.asReadonly();
  readonly lines = computed<BulkLine[]>(() => this.entries().map((entry) => this.lineOf(entry)));
  private readonly counts = computed(() => {
    const counts: Record<BulkState, number> = { waiting: 0, working: 0, done: 0, failed: 0, skipped: 0 };
    for (const { state } of this.entries()) counts[state] += 1;
    return counts;
  });
  readonly waiting = computed(() => this.counts().waiting);
  readonly failed = computed(() => this.counts().failed);
  /** `Stopping 3 clusters`, then `2 of 3 clusters stopped, 1 failed`. */
  readonly title = computed(() => {
    const { done, failed, skipped } = this.counts();
    const total = this.entries().length - skipped;
    const labels = BULK_LABELS[this.current()];
    const clusters = clusterCount(total);
    if (this.working()) return labels.doing(clusters);
    const all = labels.done(done === total ? clusters : $localize`${done}:done: of ${clusters}:clusters:`);
    return failed > 0 ? $localize`${all}:outcome:, ${failed}:failed: failed` : all;
  });

  /** Resolves when all clusters are done. Never rejects: an entry holds its own failure. */
  async run({ action, clusters, skipped }: BulkPlan): Promise<void> {
    if (this.working()) return;
    this.halted = false;
    this.current.set(action);
    this.entries.set([
      ...clusters.map((cluster) => entryOf(cluster, 'waiting', '')),
      ...skipped.map(({ cluster, reason }) => entryOf(cluster, 'skipped', reason)),
    ]);
    this.working.set(true);
    const leave = this.jobs.live.join();
    const queue = [...clusters];
    const batch = this.api.batch();
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.one(batch, action, next);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    leave();
    this.working.set(false);
    void this.clusters.live.reload();
  }

  /** Skips the waiting clusters. */
  halt(): void {
    this.halted = true;
  }

  private async one(api: Pick<Api, 'send'>, action: BulkAction, cluster: ClusterDto): Promise<void> {
    const key = keyOf(cluster);
    if (this.halted) {
      this.change(key, { state: 'skipped', reason: $localize`canceled` });
      return;
    }
    this.change(key, { state: 'working' });
    try {
      const response =
        action === 'delete'
          ? await api.send('DELETE /api/v1/clusters/{name}', clusterKey(cluster))
          : await changeCluster(api, cluster, action);
      this.change(key, { jobId: response.job_id });
      if (!('deleted' in response)) this.settle(key, await this.jobs.ending(response.job_id));
      else this.change(key, { state: 'done' });
    } catch (error) {
      const problem = ApiProblem.of(error);
      this.change(key, { state: 'failed', reason: problem.message, jobId: problem.jobId });
    }
  }

  private settle(key: string, { state, message, warnings }: JobDto): void {
    if (state === 'succeeded') this.change(key, { state: 'done', reason: warnings[0] ?? '' });
    else this.change(key, { state: 'failed', reason: message ?? '' });
  }

  private change(key: string, part: Partial<BulkEntry>): void {
    this.entries.update((entries) =>
      entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)),
    );
  }

  private lineOf(entry: BulkEntry): BulkLine {
    const { cluster, state, reason } = entry;
    switch (state) {
      case 'waiting':
        return { ...entry, text: $localize`Waiting`, percent: null };
      case 'working': {
        const job =
          this.jobs.get(entry.jobId) ??
          this.jobs.active().find((one) => sameCluster({ name: one.cluster, runtime: one.runtime }, cluster));
        return {
          ...entry,
          jobId: job?.id ?? null,
          text: job ? jobNow(job) : $localize`Starting`,
          percent: job ? Math.floor(job.progress_percent) : 0,
        };
      }
      case 'done':
        return { ...entry, text: reason === '' ? $localize`Done` : asSentence(reason), percent: null };
      case 'failed':
        return { ...entry, text: asSentence(reason), percent: null };
      case 'skipped':
        return { ...entry, text: $localize`Skipped: ${reason}:reason:`, percent: null };
    }
  }
}

function entryOf(cluster: ClusterDto, state: BulkState, reason: string): BulkEntry {
  return { key: keyOf(cluster), cluster, state, jobId: null, reason };
}
