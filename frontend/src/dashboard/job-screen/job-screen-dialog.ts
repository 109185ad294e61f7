import { DIALOG_DATA } from '@angular/cdk/dialog';
import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  Injector,
  type Signal,
  signal,
  viewChild,
} from '@angular/core';
import { Router } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { JobDto, JobKind } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobFollower } from '../../shared/live/job-follower';
import { lastKnown } from '../../shared/loading/last-known';
import { cancelLabel } from '../../shared/ui/job-labels';
import { ProgressRing } from '../../shared/ui/progress-ring';
import { timeLeft } from '../../shared/ui/time-left';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterDrawing } from '../../shared/ui/cluster-drawing';
import { UI } from '../../shared/ui/ui';
import { ClusterDownloads } from '../cluster-actions/cluster-downloads';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { JobError } from '../jobs/job-error';
import { jobMark } from '../jobs/job-list';
import { JobLog } from '../jobs/job-log';
import { JobNotices } from '../jobs/job-notices';
import { formatJobTime } from '../jobs/job-time';
import { JobRemedies } from '../jobs/job-remedies';
import { JobScreen } from '../job-handle/job-screen';
import { closesAtEnd, situation } from './job-view';
import { nodeFill } from './node-fill';

/** Minimum time on screen, so that a short job does not flash. */
const LEAST_SHOWN_MS = 900;
/** A job that ended earlier than this before the view opened was opened to be read. */
const JUST_ENDED_MS = 1000;

const CREATIONS: ReadonlySet<JobKind> = new Set<JobKind>(['create', 'clone', 'recreate']);

@Component({
  selector: 'sw-job-screen-dialog',
  imports: [ClusterDrawing, JobError, JobLog, JobNotices, JobRemedies, ProgressRing, UI],
  providers: [JobFollower],
  templateUrl: './job-screen-dialog.html',
  styleUrl: './job-screen-dialog.scss',
  host: { '(keydown.escape)': 'close()' },
})
export class JobScreenDialog {
  private readonly cancellation = inject(JobCancellation);
  private readonly clock = inject(Clock);
  private readonly clusters = inject(ClustersStore);
  private readonly router = inject(Router);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);
  protected readonly downloads = inject(ClusterDownloads);
  protected readonly follower = inject(JobFollower);
  private readonly requested = signal(false);

  private readonly injector = inject(Injector);
  private readonly log: Signal<ElementRef<HTMLElement> | undefined> = viewChild('log', { read: ElementRef });

  protected readonly job = this.follower.job;
  protected readonly mark = computed(() =>
    this.follower.read<ReturnType<typeof jobMark> | null>(jobMark, null),
  );
  protected readonly cancelLabel = cancelLabel;
  protected readonly ended = this.follower.ended;
  protected readonly showLog = signal(false);
  protected readonly percent = computed(() => Math.floor(this.job()?.progress_percent ?? 0));
  private readonly id = inject<number>(DIALOG_DATA);
  protected readonly title = computed(() =>
    this.follower.problem()?.code === 'job_not_found'
      ? $localize`Job ${this.id}:job: does not exist`
      : this.follower.read(({ title }) => title, $localize`Loading …`),
  );
  protected readonly situation = computed(() => this.follower.read(situation, ''));
  protected readonly elapsed = computed(() =>
    this.follower.read(
      (job) => [formatJobTime(job, this.clock.now()), timeLeft(job)].filter(Boolean).join(', '),
      '',
    ),
  );
  protected readonly steps = computed(() =>
    (this.job()?.progress_steps ?? []).map((step) => ({
      ...step,
      time: formatJobTime(step, this.clock.now()),
    })),
  );
  protected readonly cancelling = computed(() => this.requested() || this.job()?.cancelling === true);
  protected readonly key = computed(() => {
    const job = this.job();
    return { name: job?.cluster ?? '', runtime: job?.runtime ?? '' };
  });
  /** As last seen: that of a canceled creation is removed. */
  private readonly cluster = lastKnown(() => {
    const { name, runtime } = this.key();
    return this.clusters.find(name, runtime);
  });
  protected readonly drawing = computed(() => {
    const job = this.job();
    const cluster = this.cluster();
    if (!job || !cluster || !CREATIONS.has(job.kind)) return null;
    const { control_planes: controlPlanes, workers, ports } = cluster;
    return { controlPlanes, workers, ports, fill: nodeFill(job) };
  });
  protected readonly createdCluster = computed(() =>
    this.follower.read(
      ({ kind, state }) => state === 'succeeded' && (kind === 'create' || kind === 'clone'),
      false,
    ),
  );
  protected readonly nodesKept = computed(() => {
    const { name, runtime } = this.key();
    return this.job()?.state === 'failed' && this.clusters.find(name, runtime)?.nodes_kept === true;
  });

  constructor() {
    this.clusters.live.watch();
    this.follower.follow(this.id);
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    const opened = Date.now();
    let leaving: ReturnType<typeof setTimeout> | undefined;
    let isFollowed = false;
    effect(() => {
      const job = this.job();
      if (!job) return;
      isFollowed ||= job.finished_at === null || Date.parse(job.finished_at) > opened - JUST_ENDED_MS;
      if (!isFollowed || !closesAtEnd(job) || leaving !== undefined) return;
      leaving = setTimeout(() => this.leave(job), Math.max(0, opened + LEAST_SHOWN_MS - Date.now()));
    });
    inject(DestroyRef).onDestroy(() => clearTimeout(leaving));
    // The buttons of a running job disappear at its end; move the focus to the next ones.
    afterRenderEffect(() => {
      if (!this.ended()) return;
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body && !host.contains(activeElement)) return;
      if (
        activeElement?.closest('.acts') === null ||
        activeElement === document.body ||
        !activeElement?.isConnected
      ) {
        host.querySelector<HTMLElement>('[data-end]')?.focus();
      }
    });
  }

  protected close(): void {
    void this.screen.close();
  }

  private leave(job: JobDto): void {
    this.toaster.done(job.message ?? job.title);
    this.close();
  }

  /** Opens the log where it can be read without scrolling. */
  protected toggleLog(): void {
    this.showLog.update((shown) => !shown);
    if (!this.showLog()) return;
    const show = (): void => this.log()?.nativeElement.scrollIntoView({ block: 'nearest' });
    afterNextRender(show, { injector: this.injector });
  }

  protected openCluster(): void {
    void this.router.navigateByUrl(clusterPage(this.key()), { replaceUrl: true });
  }

  protected async cancel(): Promise<void> {
    const job = this.job();
    if (!job) return;
    this.requested.set(await this.cancellation.cancel(job, () => !this.ended()));
    void this.follower.reload();
  }
}
