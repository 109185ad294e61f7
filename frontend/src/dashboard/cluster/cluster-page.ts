import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { logsOfJob } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { clusterPage } from '../../shared/api/api';
import type { ClusterDto, OverviewSummaryDto } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { engineIcon, Icon } from '../../shared/ui/icon';
import { jobNow } from '../../shared/ui/job-labels';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { State } from '../../shared/ui/state';
import { stateStyle } from '../../shared/ui/state-styles';
import { UsageBar } from '../../shared/ui/usage-bar';
import { AddonsCard } from '../addons/addons-card';
import { actionsOf, type ClusterAction, primaryActionsOf } from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { ClusterMenu } from '../cluster-actions/cluster-menu';
import { ListPlace } from '../clusters/list-place';
import { JobScreen } from '../job-screen/job-screen';
import { Breadcrumbs } from '../shell/breadcrumbs';
import { ClusterImages } from '../images/cluster-images';
import { chosenCluster } from './chosen-cluster';
import { ClusterAccess } from './cluster-access';
import { ClusterJobs } from './cluster-jobs';
import { ClusterSummary } from './cluster-summary';
import { EngineChoice } from './engine-choice';
import { clusterSentence } from './cluster-words';
import { NodeCards } from './node-cards';
import { ResourceOverview } from './overview/resource-overview';
import { ProvisionLog } from './provision-log';

/** One cluster: how it is, what its nodes use, how it was made, and the ways into it. */
@Component({
  selector: 'sw-cluster-page',
  imports: [
    RouterLink,
    LogLink,
    AddonsCard,
    Breadcrumbs,
    ClusterAccess,
    ClusterImages,
    ClusterJobs,
    ClusterMenu,
    ClusterSummary,
    EngineChoice,
    Icon,
    NodeCards,
    Notice,
    Placeholder,
    ProvisionLog,
    ResourceOverview,
    SkeletonRows,
    State,
    UsageBar,
  ],
  templateUrl: './cluster-page.html',
  styleUrl: './cluster-page.scss',
})
export class ClusterPage {
  private readonly router = inject(Router);
  private readonly clock = inject(Clock);
  private readonly clusters = inject(ClustersStore);
  private readonly jobs = inject(JobsStore);
  private readonly actions = inject(ClusterActions);
  private readonly place = inject(ListPlace);
  private readonly screen = inject(JobScreen);

  /** From the address. Without an engine, the name alone has to tell. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();

  protected readonly live = this.clusters.live;
  protected readonly crumbs = computed(() => [
    { text: 'Clusters', link: '/clusters', query: this.place.params },
    { text: this.name() },
  ]);
  private readonly chosen = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.chosen.choice;
  protected readonly cluster = this.chosen.cluster;
  protected readonly key = this.chosen.key;
  private readonly address = computed(() => `${this.name()} ${this.runtime() ?? ''}`);
  private readonly lastSeen = signal<string | null>(null);
  /** It was here while one looked, and is not any more. */
  protected readonly vanished = computed(
    () => this.cluster() === undefined && this.lastSeen() === this.address(),
  );
  protected readonly job = computed(() => this.jobs.get(this.cluster()?.active_job_id ?? null));
  protected readonly lastCreation = computed(() => {
    const key = this.key();
    return this.jobs
      .jobs()
      .find(
        (job) =>
          (job.kind === 'create' || job.kind === 'clone') &&
          job.cluster === key?.name &&
          job.runtime === key.runtime,
      );
  });
  /** The provision log may have more to tell with each step of the creation. */
  protected readonly stamp = computed(() => {
    const { id, state, progress_step } = this.lastCreation() ?? {};
    return `${id ?? ''} ${state ?? ''} ${progress_step ?? ''}`;
  });
  protected readonly logsOf = logsOfJob;
  /** What the cluster itself says, where it answers. */
  protected readonly summary = signal<OverviewSummaryDto | undefined>(undefined);
  protected readonly word = computed(() => stateStyle(this.cluster()?.state ?? 'unknown').word);
  protected readonly sentence = computed(() => {
    const cluster = this.cluster();
    return cluster ? clusterSentence(cluster, this.clock.now(), this.summary()) : '';
  });
  protected readonly reason = computed(() =>
    asSentence(this.cluster()?.state_reason ?? 'the reason is not known'),
  );
  private readonly possible = computed(() => {
    const cluster = this.cluster();
    return cluster && !this.live.stale() ? actionsOf(cluster) : [];
  });
  /** What gets a button; the rest is in the menu. */
  protected readonly offers = computed(() => {
    const cluster = this.cluster();
    return cluster && !this.live.stale() ? primaryActionsOf(cluster) : [];
  });
  protected readonly beside = computed(() => this.offers().map(({ action }) => action));
  protected readonly start = computed(() => this.possible().find(({ action }) => action === 'start'));
  protected readonly reapply = computed(() => this.possible().find(({ action }) => action === 'reapply'));
  protected readonly pageOf = clusterPage;
  protected readonly engineIcon = engineIcon;
  protected readonly nowOf = jobNow;
  protected readonly floor = Math.floor;

  constructor() {
    this.live.watch();
    this.jobs.live.watch();
    effect(() => {
      if (this.cluster()) this.lastSeen.set(this.address());
    });
  }

  protected tryNow(): void {
    void this.live.refresh();
  }

  protected watchJob(id: number): void {
    void this.screen.open(id);
  }

  protected async run(action: ClusterAction, cluster: ClusterDto): Promise<void> {
    const done = await this.actions.run(action, cluster);
    if (done && action === 'delete') this.leave();
  }

  protected leave(): void {
    void this.router.navigate(['/clusters'], { queryParams: this.place.params });
  }
}
