import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { JobStepDto } from '../../shared/api/api-types';
import { formatFull } from '../../shared/format/format';
import { Clock } from '../../shared/browser/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobFollower } from '../../shared/live/job-follower';
import { isActive } from '../../shared/live/jobs-store';
import { UI } from '../../shared/ui/ui';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { type LogBoardTarget, logsOfJob } from '../logs/log-board-url';
import { JobRemedies } from './job-remedies';
import { LogLink } from '../logs/log-link';
import { JobError } from './job-error';
import { jobMark, resultLists } from './job-list';
import { JobLog } from './job-log';
import { JobNotices } from './job-notices';
import { JobProgress } from './job-progress';
import { formatJobTime } from './job-time';

@Component({
  selector: 'sw-job-detail',
  imports: [JobError, JobLog, JobNotices, JobProgress, JobRemedies, LogLink, RouterLink, UI],
  providers: [JobFollower],
  templateUrl: './job-detail.html',
  styleUrl: './job-detail.scss',
})
export class JobDetail {
  private readonly cancellation = inject(JobCancellation);
  private readonly clusters = inject(ClustersStore);
  private readonly clock = inject(Clock);
  protected readonly follower = inject(JobFollower);

  readonly id = input.required<number>();

  protected readonly mark = jobMark;
  protected readonly job = this.follower.job;
  protected readonly problem = this.follower.problem;
  protected readonly active = computed(() => this.follower.read(isActive, false));
  protected readonly elapsed = computed(() =>
    this.follower.read((job) => formatJobTime(job, this.clock.now()), ''),
  );
  protected readonly logLabel = computed(() => $localize`Log of job ${this.id()}:job:`);
  /** Details of the running step, such as downloaded bytes. */
  protected readonly detail = computed(
    () => this.job()?.progress_steps.find(({ state }) => state === 'running')?.detail ?? null,
  );
  protected readonly steps = computed(() =>
    (this.job()?.progress_steps ?? []).filter(({ state }) => state !== 'skipped'),
  );
  /** How long the job took, and when it ended. */
  protected readonly end = computed(() => {
    const at = this.job()?.finished_at;
    return [this.elapsed(), at ? formatFull(at) : ''].filter(Boolean).join(' · ');
  });
  protected readonly lists = computed(() => resultLists(this.job()?.result ?? null));
  /** Null if the cluster does not exist. */
  protected readonly clusterLink = computed(() => {
    const job = this.job();
    const cluster = job && this.clusters.find(job.cluster, job.runtime);
    return cluster ? clusterPage(cluster) : null;
  });
  /** Logs of a failed job; they outlive the nodes. */
  protected readonly logs = computed<LogBoardTarget | null>(() => {
    const job = this.job();
    if (!job || job.cluster === '' || !['failed', 'interrupted'].includes(job.state)) return null;
    return logsOfJob(job);
  });
  protected readonly cancelling = signal(false);

  constructor() {
    this.clusters.live.watch();
    effect(() => this.follower.follow(this.id()));
  }

  protected stepTime(step: JobStepDto): string {
    return step.finished_at !== null || this.active() ? formatJobTime(step, this.clock.now()) : '';
  }

  protected async cancel(): Promise<void> {
    const job = this.job();
    if (!job) return;
    this.cancelling.set(true);
    if (await this.cancellation.cancel(job, this.active)) await this.follower.reload();
    this.cancelling.set(false);
  }
}
