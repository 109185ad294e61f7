import { computed, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  AddonCatalogDto,
  AddonDto,
  AddonForwardDto,
  AddonOperationDto,
  ClusterDto,
  JobDto,
  ReleaseDto,
} from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { StatsStore } from '../../shared/live/stats-store';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { type ChartChoice, type ReleaseName, releaseParams } from '../addon-model/release-name';
import { keyOfCluster } from '../cluster-context/of-cluster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { isAddonJob, missingFor, uninstallQuestion, withCounts } from '../addon-model/addon-labels';
import type { AddonChange } from './install-upgrade-dialog';

/** First delay before resources that are not ready are counted again. It doubles each time: some never become ready. */
const RECOUNT_MS = 3000;
const MAX_RECOUNT_MS = 60_000;

/** Addons of one cluster and their actions. Reloads when an addon job starts, creates a release or ends. Provide it per view. */
@Injectable()
export class ClusterAddons {
  private readonly actions = inject(ClusterActions);
  private readonly api = inject(Api);
  private readonly cancellation = inject(JobCancellation);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly jobs = inject(JobsStore);
  private readonly stats = inject(StatsStore);

  readonly cluster = signal<ClusterDto | undefined>(undefined);
  readonly installed = signal<readonly ReleaseDto[] | undefined>(undefined);
  readonly problem = signal<ApiProblem | null>(null);
  readonly catalog = signal<AddonCatalogDto | undefined>(undefined);
  readonly catalogProblem = signal<ApiProblem | null>(null);
  readonly forwards = signal<readonly AddonForwardDto[]>([]);
  readonly opening = signal<string | null>(null);
  readonly key = keyOfCluster(this.cluster);
  private readonly identity = computed(() => {
    const cluster = this.cluster();
    return cluster && `${cluster.runtime}/${cluster.name} ${cluster.state}`;
  });
  /** State of the newest addon job. The cluster's active job is not enough: a job may end before it is seen there. */
  private readonly newestJob = computed(() => {
    const cluster = this.cluster();
    if (!cluster || !this.jobs.live.value()) return undefined;
    const job = this.jobs
      .jobs()
      .find((one) => one.cluster === cluster.name && one.runtime === cluster.runtime && isAddonJob(one));
    // The job counts objects once helm has created the release, which is then listed.
    const counts = job?.progress_steps.filter(({ detail }) => detail !== null).length ?? 0;
    return job ? `${job.id} ${isActive(job)} ${counts}` : 'none';
  });

  readonly job = computed<JobDto | undefined>(() => {
    const job = this.jobs.get(this.cluster()?.active_job_id ?? null);
    return job && isAddonJob(job) ? job : undefined;
  });
  /** Without a release that the shown job installs. */
  readonly listed = computed(() =>
    (this.installed() ?? []).filter(({ state }) => state !== 'installing' || this.job() === undefined),
  );
  /** Why the installed addons are unknown; null if they are known. */
  readonly unknown = computed(
    () => this.problem()?.message ?? this.catalogProblem()?.message ?? this.catalog()?.reason ?? null,
  );
  readonly runs = computed(() => ['running', 'degraded'].includes(this.cluster()?.state ?? ''));
  /** Whether Services can be opened: Pods of the demo run no programs. */
  readonly forwardable = computed(() => !this.stats.isDemo());
  readonly busy = computed(() => this.cluster()?.active_job_id !== null);
  readonly blocked = computed(() => !this.runs() || this.busy() || this.catalog()?.reason !== null);
  /** Why nothing can be installed now; empty if it can. */
  readonly blockedReason = computed(() => {
    if (!this.runs()) return $localize`The cluster is not running`;
    if (this.busy()) return $localize`Another job of the cluster is running`;
    return this.catalog()?.reason ?? '';
  });

  private readonly unready = computed(() =>
    (this.installed() ?? []).some(
      ({ resources_ready: ready, resources_total: total }) => (ready ?? 0) < (total ?? 0),
    ),
  );

  private recounts = 0;
  private turn = 0;
  private seenJob: string | undefined;

  constructor() {
    this.jobs.live.watch();
    effect((onCleanup) => {
      this.installed();
      if (!this.unready() || !this.runs()) return;
      const wait = Math.min(RECOUNT_MS * 2 ** this.recounts, MAX_RECOUNT_MS);
      const timer = setTimeout(() => void this.recount(), wait);
      onCleanup(() => clearTimeout(timer));
    });
    effect(() => {
      if (this.identity() !== undefined) untracked(() => void this.refresh());
    });
    effect(() => {
      const newest = this.newestJob();
      if (newest === undefined) return;
      if (this.seenJob !== undefined && newest !== this.seenJob) untracked(() => void this.refresh());
      this.seenJob = newest;
    });
  }

  async refresh(): Promise<void> {
    this.recounts = 0;
    const key = this.key();
    if (!key) return;
    // The catalog loads in every cluster state and says whether Helm can read the cluster.
    await this.readCatalog(key);
    // The cluster may have stopped meanwhile.
    if (!this.isCurrent(key) || !this.runs() || this.catalog()?.reason !== null) return;
    await Promise.all([this.readInstalled(key), this.readForwards(key)]);
  }

  retry(): void {
    void this.clusters.live.reload();
    void this.refresh();
  }

  async install(title: string, chart: ChartChoice, needs: readonly string[] = []): Promise<void> {
    const key = this.key();
    if (key) await this.change({ key, title, chart, needs });
  }

  installAddon(addon: AddonDto): Promise<void> {
    const { name, title, version } = addon;
    const needs = missingFor(addon, this.catalog()?.addons ?? []).map((need) => need.title);
    return this.install(title, { addon: name, version }, needs);
  }

  /** Whether a release has a web page; assumed of charts that are not in the catalog, except in the demo. */
  hasPage({ addon }: ReleaseDto): boolean {
    return this.catalog()?.addons.find(({ name }) => name === addon)?.page ?? this.forwardable();
  }

  /** @param toCatalog upgrades to the catalog's chart instead of keeping the release's own */
  async upgrade(release: ReleaseDto, toCatalog: boolean): Promise<void> {
    const key = this.key();
    if (!key) return;
    await this.actions.attempt($localize`Could not upgrade ${release.name}:addon:.`, async () => {
      const { values, chart, version, source } = await this.api.get(
        '/api/v1/clusters/{name}/addons/releases/{release}',
        releaseParams(key, release),
      );
      const catalogChart =
        toCatalog && release.addon !== null
          ? {
              addon: release.addon,
              ...(release.available_version ? { version: release.available_version } : {}),
            }
          : null;
      const { release: name, namespace } = release;
      await this.change({
        key,
        title: release.name,
        chart: catalogChart,
        upgrades: { release: name, namespace, values, chart, version, source },
      });
    });
  }

  async rollback(release: ReleaseDto, revision: number): Promise<void> {
    const key = this.key();
    const sure = await this.confirm.ask({
      title: $localize`Roll back ${release.name}:addon: to revision ${revision}:revision:?`,
      text: [$localize`Helm creates a new revision with the chart and the values of that revision.`],
      action: $localize`Roll back`,
    });
    if (sure && key) {
      await this.actions.attempt($localize`Could not roll back ${release.name}:addon:.`, async () =>
        this.follow(
          await this.api.send(
            'POST /api/v1/clusters/{name}/addons/releases/{release}/rollback',
            releaseParams(key, release),
            { revision },
          ),
        ),
      );
    }
  }

  async uninstall(release: ReleaseDto): Promise<void> {
    const key = this.key();
    if (!key) return;
    // Ask even if the release cannot be read.
    const { resources, kept_crds: crds = [] } = await this.api
      .get('/api/v1/clusters/{name}/addons/releases/{release}', {
        ...releaseParams(key, release),
        kept_crds: true,
      })
      .catch(() => ({ resources: [], kept_crds: [] }));
    const question = uninstallQuestion(release, resources, crds);
    if (!(await this.confirm.ask(question))) return;
    await this.actions.attempt($localize`Could not uninstall ${release.name}:addon:.`, async () =>
      this.follow(
        await this.api.send('DELETE /api/v1/clusters/{name}/addons/releases/{release}', {
          ...releaseParams(key, release),
          ...(question.option.checked && { no_hooks: true }),
        }),
      ),
    );
  }

  /** Opens the web page of a release in a new window, through a port-forward and a one-time link. */
  async open(release: ReleaseName, to: { service?: string; port?: number } = {}): Promise<void> {
    const key = this.key();
    if (!key) return;
    this.opening.set(release.release);
    // Opened before the response: browsers block a later window as a popup.
    const page = window.open('about:blank', '_blank');
    if (page) page.opener = null;
    const failure = $localize`Could not open ${release.release}:release:.`;
    const isOpen = await this.actions.attempt(failure, async () => {
      const { url } = await this.api.send(
        'POST /api/v1/clusters/{name}/addons/releases/{release}/forward',
        releaseParams(key, release),
        to,
      );
      if (page) page.location.href = url;
      await this.readForwards(key);
    });
    if (!isOpen) page?.close();
    this.opening.set(null);
  }

  async closeForward({ id }: AddonForwardDto): Promise<void> {
    const key = this.key();
    if (!key) return;
    await this.actions.attempt($localize`Could not close the port-forward.`, () =>
      this.api.send('DELETE /api/v1/clusters/{name}/addons/forwards/{id}', { ...key, id }),
    );
    await this.readForwards(key);
  }

  cancel(job: JobDto): void {
    void this.cancellation.cancel(job, () => this.job()?.id === job.id);
  }

  private async change(change: AddonChange): Promise<void> {
    await this.follow(
      await this.dialogs.open<AddonOperationDto>(
        () => import('./install-upgrade-dialog').then((file) => file.InstallUpgradeDialog),
        {
          data: change,
          autoFocus: 'dialog',
          // A click outside must not lose what was typed.
          disableClose: true,
          width: '860px',
        },
      ),
    );
  }

  /** The page shows the job. */
  private async follow(operation: AddonOperationDto | undefined): Promise<void> {
    if (operation?.job_id) await Promise.all([this.clusters.live.reload(), this.jobs.live.reload()]);
  }

  private async recount(): Promise<void> {
    this.recounts += 1;
    const key = this.key();
    if (key && this.runs()) await this.readInstalled(key);
  }

  private isCurrent({ name, runtime }: ClusterKey): boolean {
    return this.key()?.name === name && this.key()?.runtime === runtime;
  }

  private async readInstalled(key: ClusterKey): Promise<void> {
    // A later request may finish before a slow count.
    const turn = ++this.turn;
    try {
      // The list first: counting ready resources takes longer.
      for (const counted of [false, true]) {
        if (!this.runs()) return;
        const installed = await this.api.get('/api/v1/clusters/{name}/addons/installed', {
          ...key,
          ...(counted && { resources: true }),
        });
        if (!this.isCurrent(key) || turn !== this.turn) return;
        this.installed.update((before) => (counted ? installed : withCounts(installed, before ?? [])));
        this.problem.set(null);
      }
    } catch (thrown) {
      if (this.isCurrent(key) && turn === this.turn) this.problem.set(ApiProblem.of(thrown));
    }
  }

  private async readCatalog(key: ClusterKey): Promise<void> {
    try {
      const catalog = await this.api.get('/api/v1/clusters/{name}/addons', key);
      if (!this.isCurrent(key)) return;
      this.catalog.set(catalog);
      this.catalogProblem.set(null);
    } catch (thrown) {
      if (this.isCurrent(key)) this.catalogProblem.set(ApiProblem.of(thrown));
    }
  }

  /** Ignores failures: opening a port-forward reports why it fails. */
  private async readForwards(key: ClusterKey): Promise<void> {
    const forwards = await this.api.get('/api/v1/clusters/{name}/addons/forwards', key).catch(() => []);
    if (this.isCurrent(key)) this.forwards.set(forwards);
  }
}
