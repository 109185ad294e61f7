import {
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  signal,
  viewChild,
} from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import type { JobDto } from '../../shared/api/api-types';
import { formatAgo, plural } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { Confirm } from '../../shared/ui/confirm';
import { Icon } from '../../shared/ui/icon';
import { JOB_LABELS, jobSubject, jobTitle } from '../../shared/ui/job-labels';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { Toaster } from '../../shared/ui/toaster';
import { UsageBar } from '../../shared/ui/usage-bar';
import { JobDetail } from './job-detail';
import { countGroups, filterJobs, JOB_GROUPS, type JobGroup, jobSummary, readGroup } from './job-list';

const GROUP_WORDS: Readonly<Record<JobGroup, string>> = {
  all: 'All',
  active: 'Active',
  failed: 'Failed',
  finished: 'Finished',
};
const STEP = 50;

/** What Slipway did and does: jobs, newest first, and one of them with its steps and its log. */
@Component({
  selector: 'sw-jobs-page',
  imports: [RouterLink, Icon, JobDetail, Notice, Placeholder, SkeletonRows, State, UsageBar],
  templateUrl: './jobs-page.html',
  styleUrl: './jobs-page.scss',
})
export class JobsPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly clock = inject(Clock);
  private readonly store = inject(JobsStore);
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');

  /** From the address: which job is shown, and which are listed. */
  readonly job = input<string>();
  readonly show = input<string>();

  protected readonly live = this.store.live;
  protected readonly jobs = this.store.jobs;
  protected readonly groups = JOB_GROUPS;
  protected readonly groupLabel = GROUP_WORDS;
  protected readonly group = computed(() => readGroup(this.show()));
  protected readonly counts = computed(() => countGroups(this.jobs()));
  protected readonly text = signal('');
  protected readonly matching = computed(() =>
    filterJobs(this.jobs(), { group: this.group(), text: this.text() }),
  );
  private readonly most = linkedSignal({
    source: () => `${this.group()} ${this.text()}`,
    computation: () => STEP,
  });
  protected readonly listed = computed(() => this.matching().slice(0, this.most()));
  protected readonly hidden = computed(() => this.jobs().length - this.matching().length);

  /** Asked for by the address. */
  protected readonly asked = computed(() => {
    const text = this.job() ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  });
  /** Without being asked, the newest that is listed; a newer one that comes does not take its place. */
  private readonly offered = linkedSignal<readonly JobDto[], number | null>({
    source: this.listed,
    computation: (listed, previous) =>
      listed.some(({ id }) => id === previous?.value) ? (previous?.value ?? null) : (listed[0]?.id ?? null),
  });
  protected readonly selected = computed(() => this.asked() ?? this.offered());
  /** The one tab stop of the list: what is selected, where that is listed. */
  protected readonly tabStop = computed(() => {
    const listed = this.listed();
    return listed.find(({ id }) => id === this.selected())?.id ?? listed[0]?.id ?? null;
  });

  protected readonly plural = plural;
  protected readonly words = JOB_LABELS;
  protected readonly title = jobTitle;
  protected readonly subjectOf = jobSubject;
  protected readonly isActive = isActive;
  protected readonly clearing = signal(false);

  constructor() {
    this.live.watch();
  }

  protected summary(job: JobDto): string {
    return jobSummary(job, this.clock.now());
  }

  protected when(job: JobDto): string {
    if (job.state === 'queued') return 'waiting';
    if (job.state === 'running') return `${Math.floor(job.progress_percent)} %`;
    return formatAgo(job.finished_at ?? job.created_at, this.clock.now());
  }

  protected type(event: Event): void {
    this.text.set((event.target as HTMLInputElement).value);
  }

  protected async clearFilter(): Promise<void> {
    this.text.set('');
    await this.router.navigate([], { queryParams: { show: null }, queryParamsHandling: 'merge' });
  }

  protected showMore(): void {
    this.most.update((most) => most + STEP);
  }

  /** Arrows move within the list, which is one tab stop. */
  protected move(event: KeyboardEvent): void {
    const links = [...(this.list()?.nativeElement.querySelectorAll<HTMLElement>('a.job') ?? [])];
    const at = links.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, to))]?.focus();
  }

  protected async clear(): Promise<void> {
    const { finished } = this.counts();
    const sure = await this.confirm.ask({
      title: `Clear ${plural(finished, 'finished job')}?`,
      text: [
        'Their steps and logs are removed for good. The journal keeps what happened, and clusters stay as they are.',
      ],
      action: `Clear ${plural(finished, 'job')}`,
      danger: true,
    });
    if (!sure) return;
    this.clearing.set(true);
    try {
      const { cleared } = await this.api.clearJobs();
      await this.live.refresh();
      if (this.asked() !== null && !this.store.get(this.asked())) {
        await this.router.navigate([], { queryParams: { job: null }, queryParamsHandling: 'merge' });
      }
      this.toaster.done(`${plural(cleared, 'job')} cleared.`);
    } catch (error) {
      this.toaster.problem(error, 'Not cleared.');
    } finally {
      this.clearing.set(false);
    }
  }

  protected tryAgain(): void {
    void this.live.refresh();
  }
}
