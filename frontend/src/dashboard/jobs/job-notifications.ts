import { computed, effect, inject, Service, signal } from '@angular/core';
import { Router } from '@angular/router';
import { readStored, store } from '../../shared/browser/browser-storage';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { LiveConnection } from '../../shared/live/live-connection';
import { BrowserNotifications } from '../../shared/notifications/browser-notifications';
import { TabLeader } from '../../shared/notifications/tab-leader';
import type { JobDto } from '../../shared/api/api-types';
import { JobScreen } from '../job-handle/job-screen';

const KEY = 'slipway.job-notifications';
/** The Jobs page, which shows the end of every job. */
const ALL_JOBS = 'jobs';

/** Notifies of jobs that end while the user does not look at them, if the user wants that. */
@Service()
export class JobNotifications {
  private readonly browser = inject(BrowserNotifications);
  private readonly jobs = inject(JobsStore);
  private readonly screen = inject(JobScreen);
  private readonly wanted = signal(readStored(KEY) === true);
  /** Ended jobs that need no notification; undefined until the jobs are known. */
  private ended: ReadonlySet<number> | undefined;

  readonly permission = this.browser.permission;
  readonly on = computed(() => this.wanted() && this.permission() === 'granted');

  constructor() {
    const connection = inject(LiveConnection);
    const router = inject(Router);
    inject(TabLeader).attend(() => {
      const { root, queryParamMap } = router.lastSuccessfulNavigation()?.finalUrl ?? router.parseUrl('');
      const shown = queryParamMap.get('progress');
      if (shown !== null) return subjectOf(shown);
      return root.children['primary']?.segments[0]?.path === 'jobs' ? ALL_JOBS : null;
    });
    effect(() => connection.topicWhileHidden.set(this.on() ? 'jobs' : null));
    effect(() => {
      const jobs = this.jobs.live.value();
      if (jobs) this.compare(jobs);
    });
    // Another tab turned them on or off.
    window.addEventListener('storage', ({ key }) => {
      if (key === KEY || key === null) this.wanted.set(readStored(KEY) === true);
    });
  }

  /** Requests permission if it is needed; browsers require a click. */
  async turn(on: boolean): Promise<void> {
    if (on) await this.browser.allow();
    this.wanted.set(on && this.permission() === 'granted');
    store(KEY, this.wanted() || undefined);
  }

  private compare(jobs: readonly JobDto[]): void {
    const ended = jobs.filter((job) => !isActive(job));
    const { ended: known } = this;
    this.ended = new Set(ended.map(({ id }) => id));
    if (!known || !this.on()) return;
    for (const job of ended) if (!known.has(job.id)) void this.notify(job);
  }

  private notify(job: JobDto): Promise<void> {
    return this.browser.show({
      id: `job ${job.id}@${job.created_at}`,
      tag: `slipway-job-${job.id}`,
      title: job.title,
      body: job.message ?? '',
      subjects: [ALL_JOBS, subjectOf(job.id)],
      open: () => void this.screen.open(job.id),
    });
  }
}

function subjectOf(id: number | string): string {
  return `job ${id}`;
}
