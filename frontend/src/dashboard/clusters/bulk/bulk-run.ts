import { computed, inject, Service, signal } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { ClusterDto, JobDto } from '../../../shared/api/api-types';
import { asSentence, plural } from '../../../shared/format/format';
import { ClustersStore, sameCluster } from '../../../shared/live/clusters-store';
import { JobsStore } from '../../../shared/live/jobs-store';
import { jobNow } from '../../../shared/ui/job-labels';
import { keyOf } from '../cluster-rows';
import { BULK_WORDS, type BulkAction, type BulkPlan } from './bulk-plan';

/** A deletion holds its request for as long as it takes, and a browser has six of them. */
const AT_ONCE = 3;

export type BulkState = 'waiting' | 'working' | 'done' | 'failed' | 'skipped';

interface BulkEntry {
  key: string;
  cluster: ClusterDto;
  state: BulkState;
  jobId: number | null;
  /** Why it failed or was left out. */
  why: string;
}

/** An entry as it is shown: with how far its job is. */
export interface BulkLine extends BulkEntry {
  says: string;
  percent: number | null;
}

/** One action on several clusters, from the first request to the last outcome. One at a time. */
@Service()
export class BulkRun {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly jobs = inject(JobsStore);
  private readonly entries = signal<readonly BulkEntry[]>([]);
  private readonly asked = signal<BulkAction>('start');
  private readonly working = signal(false);
  private halted = false;

  readonly action = this.asked.asReadonly();
  /** Whether anything of it is still to end. */
  readonly running = this.working.asReadonly();
  readonly lines = computed<BulkLine[]>(() => this.entries().map((entry) => this.lineOf(entry)));
  private readonly counts = computed(() => {
    const counts: Record<BulkState, number> = { waiting: 0, working: 0, done: 0, failed: 0, skipped: 0 };
    for (const { state } of this.entries()) counts[state] += 1;
    return counts;
  });
  readonly waiting = computed(() => this.counts().waiting);
  readonly failed = computed(() => this.counts().failed);
  /** `Stopping 3 clusters`, then `2 of 3 clusters were stopped, 1 failed`. */
  readonly title = computed(() => {
    const { done, failed, skipped } = this.counts();
    const total = this.entries().length - skipped;
    const words = BULK_WORDS[this.asked()];
    if (this.working()) return `${words.doing} ${plural(total, 'cluster')}`;
    const all = done === total ? plural(total, 'cluster') : `${done} of ${plural(total, 'cluster')}`;
    const ending = failed > 0 ? `, ${failed} failed` : '';
    return `${all} ${done === 1 && total === 1 ? 'was' : 'were'} ${words.done}${ending}`;
  });

  /** Ends when all of it has ended. Never rejects: each failure is told at its cluster. */
  async run({ action, clusters, skipped }: BulkPlan): Promise<void> {
    if (this.working()) return;
    this.halted = false;
    this.asked.set(action);
    this.entries.set([
      ...clusters.map((cluster) => entryOf(cluster, 'waiting', '')),
      ...skipped.map(({ cluster, why }) => entryOf(cluster, 'skipped', why)),
    ]);
    this.working.set(true);
    const leave = this.jobs.live.join();
    const queue = [...clusters];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.one(action, next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    leave();
    this.working.set(false);
    void this.clusters.live.refresh();
  }

  /** Asks for no more; what is under way goes on. */
  halt(): void {
    this.halted = true;
  }

  private async one(action: BulkAction, cluster: ClusterDto): Promise<void> {
    const key = keyOf(cluster);
    if (this.halted) {
      this.change(key, { state: 'skipped', why: 'you left the rest out' });
      return;
    }
    this.change(key, { state: 'working' });
    try {
      const answer =
        action === 'delete'
          ? await this.api.deleteCluster(cluster)
          : await this.api.changeCluster(cluster, action);
      this.change(key, { jobId: answer.job_id });
      if (!('deleted' in answer)) this.settle(key, await this.jobs.ending(answer.job_id));
      else this.change(key, { state: 'done' });
    } catch (error) {
      const problem = ApiProblem.of(error);
      this.change(key, { state: 'failed', why: problem.message, jobId: problem.jobId });
    }
  }

  private settle(key: string, { state, error, warnings }: JobDto): void {
    if (state === 'succeeded') this.change(key, { state: 'done', why: warnings[0] ?? '' });
    else this.change(key, { state: 'failed', why: error?.message ?? `Its job was ${state}` });
  }

  private change(key: string, part: Partial<BulkEntry>): void {
    this.entries.update((entries) =>
      entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)),
    );
  }

  private lineOf(entry: BulkEntry): BulkLine {
    const { cluster, state, why } = entry;
    switch (state) {
      case 'waiting':
        return { ...entry, says: 'Waits for its turn', percent: null };
      case 'working': {
        const job =
          this.jobs.get(entry.jobId) ??
          this.jobs.active().find((one) => sameCluster({ name: one.cluster, runtime: one.runtime }, cluster));
        return {
          ...entry,
          jobId: job?.id ?? null,
          says: job ? jobNow(job) : 'Begins',
          percent: job ? Math.floor(job.progress_percent) : 0,
        };
      }
      case 'done':
        return { ...entry, says: why === '' ? 'Done' : asSentence(why), percent: null };
      case 'failed':
        return { ...entry, says: asSentence(why), percent: null };
      case 'skipped':
        return { ...entry, says: `Left out: ${why}`, percent: null };
    }
  }
}

function entryOf(cluster: ClusterDto, state: BulkState, why: string): BulkEntry {
  return { key: keyOf(cluster), cluster, state, jobId: null, why };
}
