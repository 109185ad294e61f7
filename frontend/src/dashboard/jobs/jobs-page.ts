import { FocusKeyManager } from '@angular/cdk/a11y';
import {
  Component,
  computed,
  DOCUMENT,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  signal,
  viewChildren,
} from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import type { JobDto } from '../../shared/api/api-types';
import { formatAgo, jobCount } from '../../shared/format/format';
import { Clock } from '../../shared/browser/clock';
import { JobsStore } from '../../shared/live/jobs-store';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { JobDetail } from './job-detail';
import { JobNotifications } from './job-notifications';
import {
  countGroups,
  filterJobs,
  JOB_GROUPS,
  type JobGroup,
  jobMark,
  jobSummary,
  readGroup,
} from './job-list';

const GROUP_LABELS: Readonly<Record<JobGroup, string>> = {
  all: $localize`All`,
  active: $localize`Active`,
  failed: $localize`Failed`,
  finished: $localize`Finished`,
};
const PAGE_SIZE = 50;

@Component({
  selector: 'sw-jobs-page',
  imports: [JobDetail, RouterLink, UI],
  templateUrl: './jobs-page.html',
  styleUrl: './jobs-page.scss',
})
export class JobsPage {
  private readonly api = inject(Api);
  private readonly router = inject(Router);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  protected readonly clock = inject(Clock);
  protected readonly jobSummary = jobSummary;
  protected readonly mark = jobMark;
  private readonly store = inject(JobsStore);
  protected readonly notifications = inject(JobNotifications);
  private readonly links = viewChildren<ElementRef<HTMLElement>>('link');

  /** From the URL: the selected job, and the listed group. */
  readonly job = input<string>();
  readonly show = input<string>();

  protected readonly live = this.store.live;
  protected readonly jobs = this.store.jobs;
  protected readonly groups = JOB_GROUPS;
  protected readonly groupLabels = GROUP_LABELS;
  protected readonly group = computed(() => readGroup(this.show()));
  protected readonly counts = computed(() => countGroups(this.jobs()));
  protected readonly text = signal('');
  protected readonly matching = computed(() =>
    filterJobs(this.jobs(), { group: this.group(), text: this.text() }),
  );
  private readonly most = linkedSignal({
    source: () => `${this.group()} ${this.text()}`,
    computation: () => PAGE_SIZE,
  });
  protected readonly listed = computed(() => this.matching().slice(0, this.most()));
  protected readonly hidden = computed(
    () => $localize`The filter hides ${jobCount(this.jobs().length - this.matching().length)}:jobs:.`,
  );

  protected readonly requested = computed(() => {
    const text = this.job() ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  });
  /** The newest listed job. It stays selected when newer ones appear. */
  private readonly newest = linkedSignal<readonly JobDto[], number | null>({
    source: this.listed,
    computation: (listed, previous) =>
      listed.some(({ id }) => id === previous?.value) ? (previous?.value ?? null) : (listed[0]?.id ?? null),
  });
  protected readonly selected = computed(() => this.requested() ?? this.newest());
  /** The one link in the tab order: the selected job if it is listed. */
  protected readonly tabStop = computed(() => {
    const listed = this.listed();
    return listed.find(({ id }) => id === this.selected())?.id ?? listed[0]?.id ?? null;
  });

  protected readonly clearing = signal(false);
  /** The user wants notifications, and the browser does not allow them. */
  private readonly isRefused = signal(false);
  protected readonly blocked = computed(
    () => this.isRefused() && this.notifications.permission() === 'denied',
  );
  protected readonly host = inject(DOCUMENT).location.host;
  protected readonly clearable = computed(() => this.counts().finished + this.counts().failed);

  constructor() {
    this.live.watch();
  }

  protected async turnNotifications(box: HTMLInputElement): Promise<void> {
    const isWanted = box.checked;
    await this.notifications.turn(isWanted);
    this.isRefused.set(isWanted && !this.notifications.on());
    box.checked = this.notifications.on();
  }

  protected when(job: JobDto): string {
    if (job.state === 'queued') return $localize`queued`;
    if (job.state === 'running') return `${Math.floor(job.progress_percent)} %`;
    return formatAgo(job.finished_at ?? job.created_at, this.clock.now());
  }

  protected async clearFilter(): Promise<void> {
    this.text.set('');
    await this.router.navigate([], { queryParams: { show: null }, queryParamsHandling: 'merge' });
  }

  protected move(event: KeyboardEvent): void {
    const links = this.links().map(({ nativeElement }) => nativeElement);
    const items = links.map((link) => ({ focus: (): void => link.focus() }));
    const manager = new FocusKeyManager(items).withHomeAndEnd();
    manager.updateActiveItem(links.indexOf(event.currentTarget as HTMLElement));
    manager.onKeydown(event);
  }

  protected showMore(): void {
    this.most.update((most) => most + PAGE_SIZE);
  }

  protected async clear(): Promise<void> {
    const confirmed = await this.confirm.ask({
      title: $localize`Clear ${jobCount(this.clearable())}:jobs:?`,
      text: [
        $localize`Clears finished and failed jobs.`,
        $localize`This deletes their steps and logs permanently. The journal keeps their results. Clusters do not change.`,
      ],
      action: $localize`Clear ${jobCount(this.clearable())}:jobs:`,
      danger: true,
    });
    if (!confirmed) return;
    this.clearing.set(true);
    await this.toaster.attempt($localize`Could not clear the jobs.`, async () => {
      const { cleared } = await this.api.send('DELETE /api/v1/jobs');
      await this.live.reload();
      if (this.requested() !== null && !this.store.get(this.requested())) {
        await this.router.navigate([], { queryParams: { job: null }, queryParamsHandling: 'merge' });
      }
      this.toaster.done($localize`Cleared ${jobCount(cleared)}:jobs:.`);
    });
    this.clearing.set(false);
  }
}
