import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { logsOfJob } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { clusterPage, isUp } from '../../shared/api/api';
import type { ClusterDto, OverviewSummaryDto } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { Clock } from '../../shared/browser/clock';
import { rawText } from '../../shared/format/raw-text';
import { JobsStore } from '../../shared/live/jobs-store';
import { engineIcon } from '../../shared/ui/icon';
import { stateStyle } from '../../shared/ui/state-styles';
import { UI } from '../../shared/ui/ui';
import { AddonsCard } from '../addons/addons-card';
import {
  actionsOf,
  type ClusterAction,
  hasKubeconfig,
  primaryActionsOf,
} from '../cluster-actions/available-actions';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { shortList } from '../cluster-actions/questions';
import { ClusterMenu } from '../cluster-actions/cluster-menu';
import { ExternalClusters } from '../external/external-clusters';
import { rightsIn } from '../external/kind-rights';
import { isExternal, NOT_MANAGED, stateSentence } from '../external/external-labels';
import { LogHistory } from '../external/log-history';
import { ListPlace } from '../cluster-context/list-place';
import { JobScreen } from '../job-handle/job-screen';
import { JobProgress } from '../jobs/job-progress';
import { Breadcrumbs } from '../cluster-context/breadcrumbs';
import { NoCluster } from '../cluster-context/no-cluster';
import { ForwardList } from '../forwards/forward-list';
import { ClusterImages } from '../images/cluster-images';
import { CLUSTER_TABS } from '../cluster-context/cluster-tabs';
import { OfCluster } from '../cluster-context/of-cluster';
import { brokenWorkloads } from '../resource-model/problem-labels';
import { ClusterAccess } from './cluster-access';
import { ClusterJobs } from './cluster-jobs';
import { clusterSentence, isCreation, isFirstCreation } from './cluster-labels';
import { ClusterProblems } from './cluster-problems';
import { ClusterSummary } from './cluster-summary';
import { KubeconfigMenu } from './kubeconfig-menu';
import { NodeCards } from './node-cards';
import { ResourceOverview } from './overview/resource-overview';
import { ProvisionLog } from './provision-log';

const GROUPS = 5;
/** The rest of the page does not wait longer for where the Pods run. */
const PLACING_MS = 1000;
/** Nor for the lists of a cluster elsewhere. */
const LISTING_MS = 3000;

@Component({
  selector: 'sw-cluster-page',
  imports: [
    AddonsCard,
    Breadcrumbs,
    ClusterAccess,
    ClusterImages,
    ClusterJobs,
    ClusterMenu,
    ClusterProblems,
    ClusterSummary,
    ForwardList,
    JobProgress,
    KubeconfigMenu,
    LogHistory,
    LogLink,
    NoCluster,
    NodeCards,
    ProvisionLog,
    ResourceOverview,
    RouterLink,
    UI,
  ],
  templateUrl: './cluster-page.html',
  styleUrl: './cluster-page.scss',
})
export class ClusterPage extends OfCluster {
  /** From the URL: the path of a tab. */
  readonly tab = input('');
  private readonly router = inject(Router);
  private readonly clock = inject(Clock);
  private readonly jobs = inject(JobsStore);
  protected readonly actions = inject(ClusterActions);
  private readonly place = inject(ListPlace);
  protected readonly screen = inject(JobScreen);
  protected readonly externals = inject(ExternalClusters);
  protected readonly rights = rightsIn(() => ({ key: this.key() }));
  protected readonly notManaged = NOT_MANAGED;
  protected readonly raw = rawText;
  protected readonly stateSentence = stateSentence;
  protected readonly shownExternal = computed(() => {
    const cluster = this.cluster();
    return isExternal(cluster) ? cluster : undefined;
  });

  protected readonly crumbs = computed(() => [
    { text: $localize`Clusters`, link: this.place.url },
    { text: this.name() },
  ]);
  protected readonly isUp = computed(() => isUp(this.cluster()));
  protected readonly job = computed(() => this.jobs.get(this.cluster()?.active_job_id ?? null));
  protected readonly lastCreation = computed(() => {
    const key = this.key();
    return this.jobs
      .jobs()
      .find((job) => job.cluster === key?.name && job.runtime === key.runtime && isCreation(job));
  });
  protected readonly isRecreation = computed(() => {
    const job = this.lastCreation();
    return job !== undefined && !isFirstCreation(job);
  });
  /** Changes with each step of the creation, which extends the provision log. */
  protected readonly stamp = computed(() => {
    const { id, state, progress_step } = this.lastCreation() ?? {};
    return `${id ?? ''} ${state ?? ''} ${progress_step ?? ''}`;
  });
  protected readonly logsOf = logsOfJob;
  protected readonly summary = signal<OverviewSummaryDto | undefined>(undefined);
  protected readonly style = computed(() => stateStyle(this.cluster()?.state ?? 'unknown'));
  protected readonly sentence = computed(() => {
    const cluster = this.cluster();
    return cluster ? clusterSentence(cluster, this.clock.now(), this.summary()) : '';
  });
  protected readonly reason = computed(() =>
    asSentence(this.cluster()?.state_reason ?? $localize`The reason is unknown.`),
  );
  /** Changes by the saved config, for the notice about it. */
  protected readonly recreation = apiResource('/api/v1/clusters/{name}/recreate/check', () =>
    this.reapply() && this.cluster()?.config_changed ? this.key() : undefined,
  ).value;
  protected readonly configChanges = computed(() => shortList(this.recreation()?.changes ?? [], 3));
  private readonly possible = computed(() => {
    const cluster = this.cluster();
    return cluster && !this.live.stale() ? actionsOf(cluster) : [];
  });
  /** Actions with their own buttons; the menu has the others. */
  protected readonly offers = computed(() => {
    const cluster = this.cluster();
    return cluster && !this.live.stale() ? primaryActionsOf(cluster) : [];
  });
  protected readonly beside = computed(() => this.offers().map(({ action }) => action));
  protected readonly start = computed(() => this.possible().find(({ action }) => action === 'start'));
  protected readonly reapply = computed(() => this.possible().find(({ action }) => action === 'reapply'));
  protected readonly hasKubeconfig = computed(() => {
    const cluster = this.cluster();
    return cluster !== undefined && !this.live.stale() && hasKubeconfig(cluster);
  });
  /** How often this page has changed the user's own kubeconfig. */
  protected readonly merges = signal(0);
  protected readonly tabs = CLUSTER_TABS;
  protected readonly broken = brokenWorkloads;
  protected readonly pageOf = clusterPage;
  protected readonly engineIcon = engineIcon;

  /**
   * How many groups of sections are drawn: one per task, from the top, since all at once block the page for 130 ms. The
   * jobs decide what is above the sections.
   */
  protected readonly drawn = signal(0);
  protected readonly placed = signal(false);

  constructor() {
    super();
    this.jobs.live.watch();
    effect((onCleanup) => {
      if (!this.cluster() || this.jobs.live.waiting() || this.drawn() === GROUPS) return;
      // The content below the nodes does not move when the Pods are placed.
      const isPlacing = this.drawn() === 1 && this.cluster()?.nodes.length !== 0 && !this.placed();
      // The lists of a cluster elsewhere come first: the addons start helm, which takes a second of a processor.
      const isListing = this.drawn() === 2 && this.shownExternal() && this.isUp() && !this.summary();
      const delayMs = isPlacing ? PLACING_MS : isListing ? LISTING_MS : 0;
      const timer = setTimeout(() => this.drawn.update((group) => group + 1), delayMs);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected async run(action: ClusterAction, cluster: ClusterDto): Promise<void> {
    const done = await this.actions.run(action, cluster);
    if (done && action === 'delete') this.leave();
  }

  protected openAccess(cluster: ClusterDto): void {
    void this.router.navigateByUrl(clusterPage(cluster, 'access'));
  }

  protected leave(): void {
    void this.router.navigateByUrl(this.place.url);
  }
}
