import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { JobStepDto } from '../../shared/api/api-types';
import { formatDuration, formatElapsed, formatFull } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobFollower } from '../../shared/live/job-follower';
import { isActive } from '../../shared/live/jobs-store';
import { CopyButton } from '../../shared/ui/copy-button';
import { Icon } from '../../shared/ui/icon';
import { jobNow, jobTitle } from '../../shared/ui/job-labels';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import { State } from '../../shared/ui/state';
import { UsageBar } from '../../shared/ui/usage-bar';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { type LogBoardTarget, logsOfJob } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { jobMilliseconds, resultLists, unfoldCommand } from './job-list';
import { JobLog } from './job-log';

/** One job: how far it is or how it ended, its steps, what went wrong, and its log. */
@Component({
  selector: 'sw-job-detail',
  imports: [
    RouterLink,
    CopyButton,
    Icon,
    LogLink,
    JobLog,
    Notice,
    Placeholder,
    SkeletonRows,
    State,
    UsageBar,
  ],
  providers: [JobFollower],
  templateUrl: './job-detail.html',
  styleUrl: './job-detail.scss',
})
export class JobDetail {
  private readonly cancellation = inject(JobCancellation);
  private readonly clusters = inject(ClustersStore);
  private readonly clock = inject(Clock);
  private readonly follower = inject(JobFollower);

  readonly id = input.required<number>();

  protected readonly job = this.follower.job;
  protected readonly lines = this.follower.lines;
  protected readonly problem = this.follower.problem;
  protected readonly gone = computed(() => this.problem()?.code === 'job_not_found');
  protected readonly title = computed(() => {
    const job = this.job();
    return job ? jobTitle(job) : `Job ${this.id()}`;
  });
  protected readonly active = computed(() => {
    const job = this.job();
    return job !== undefined && isActive(job);
  });
  protected readonly elapsed = computed(() => {
    const job = this.job();
    const took = job ? jobMilliseconds(job, this.clock.now()) : null;
    if (took === null) return '';
    return this.active() ? formatElapsed(took) : formatDuration(took);
  });
  /** What the step at work has to say: bytes, nodes that are ready. */
  protected readonly saying = computed(
    () => this.job()?.progress_steps.find(({ state }) => state === 'running')?.detail ?? null,
  );
  protected readonly steps = computed(() =>
    (this.job()?.progress_steps ?? []).filter(({ state }) => state !== 'skipped'),
  );
  protected readonly word = computed(() => STATE_STYLES[this.job()?.state ?? 'unknown'].word);
  protected readonly results = computed(() => resultLists(this.job()?.result ?? null));
  /** The page of its cluster, while there is such a cluster. */
  protected readonly clusterLink = computed(() => {
    const job = this.job();
    const cluster = job && this.clusters.find(job.cluster, job.runtime);
    return cluster ? clusterPage(cluster) : null;
  });
  /** What its nodes wrote is kept, also where they are gone. */
  protected readonly logs = computed<LogBoardTarget | null>(() => {
    const job = this.job();
    if (!job || job.cluster === '' || !['failed', 'interrupted'].includes(job.state)) return null;
    return logsOfJob(job);
  });
  protected readonly cancelling = signal(false);
  protected readonly now = jobNow;
  protected readonly floor = Math.floor;
  protected readonly full = formatFull;
  protected readonly unfold = unfoldCommand;

  constructor() {
    this.clusters.live.watch();
    effect(() => this.follower.follow(this.id()));
  }

  protected took(step: JobStepDto): string {
    if (step.started_at === null) return '';
    const since = Date.parse(step.started_at);
    if (step.finished_at !== null) return formatDuration(Date.parse(step.finished_at) - since);
    return this.active() ? formatElapsed(this.clock.now() - since) : '';
  }

  protected tryAgain(): void {
    void this.follower.refresh();
  }

  protected async cancel(): Promise<void> {
    const job = this.job();
    if (!job) return;
    this.cancelling.set(true);
    if (await this.cancellation.cancel(job, this.active)) await this.follower.refresh();
    this.cancelling.set(false);
  }
}
