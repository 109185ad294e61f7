import { computed, effect, inject, Injectable, linkedSignal, signal, untracked } from '@angular/core';
import { Api, isUp } from '../../shared/api/api';
import type {
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
import { apiResource } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { type ChartChoice, type ReleaseName, releaseParams } from '../addon-model/release-name';
import { keyOfCluster } from '../cluster-context/of-cluster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { isAddonJob, missingFor, uninstallQuestion } from '../addon-model/addon-labels';
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
  readonly opening = signal<string | null>(null);
  readonly key = keyOfCluster(this.cluster);
  private readonly state = computed(() => this.cluster()?.state);
  private readonly problems = computed(() => this.cluster()?.problems);
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
  /** Grows when an addon job starts, creates a release or ends. */
  private readonly changes = linkedSignal<string | undefined, number>({
    source: this.newestJob,
    computation: (job, before) =>
      (before?.value ?? 0) + (job !== undefined && before?.source !== undefined ? 1 : 0),
  });
  readonly runs = computed(() => isUp(this.cluster()));

  /** Loads in every cluster state and says whether Helm can read the cluster. */
  private readonly catalogRead = apiResource('/api/v1/clusters/{name}/addons', this.key, {
    reloadOn: () => [this.state(), this.changes()],
  });
  readonly catalog = this.catalogRead.current;
  readonly catalogProblem = this.catalogRead.problem;
  private readonly readable = computed(() =>
    this.runs() && this.catalog()?.reason === null ? this.key() : undefined,
  );
  /** The list first: counting ready resources takes longer. */
  private readonly list = apiResource('/api/v1/clusters/{name}/addons/installed', this.readable, {
    reloadOn: this.catalog,
  });
  private readonly counts = apiResource(
    '/api/v1/clusters/{name}/addons/installed',
    () => {
      const key = this.list.current() ? this.readable() : undefined;
      return key && { ...key, resources: true };
    },
    { reloadOn: () => [this.list.current(), this.problems()] },
  );
  /** With the last resource counts until new ones arrive. */
  readonly installed = computed(
    () =>
      this.list.current()?.map((release): ReleaseDto => {
        const known = this.counts
          .current()
          ?.find((other) => other.release === release.release && other.namespace === release.namespace);
        if (!known) return release;
        const { resources_ready, resources_total, health } = known;
        return { ...release, resources_ready, resources_total, health };
      }) ?? null,
  );
  private readonly openForwards = apiResource('/api/v1/clusters/{name}/addons/forwards', this.readable, {
    reloadOn: this.catalog,
  });
  /** Without failures: opening a port-forward reports why it fails. */
  readonly forwards = computed(() => this.openForwards.current() ?? []);

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
    () =>
      (this.list.problem() ?? this.counts.problem() ?? this.catalogProblem())?.message ??
      this.catalog()?.reason ??
      null,
  );
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
  private readonly recounts = linkedSignal({ source: this.catalog, computation: () => 0 });

  constructor() {
    this.jobs.live.watch();
    effect((onCleanup) => {
      this.installed();
      if (!this.unready() || !this.runs()) return;
      const wait = Math.min(RECOUNT_MS * 2 ** untracked(this.recounts), MAX_RECOUNT_MS);
      const timer = setTimeout(() => {
        this.recounts.update((times) => times + 1);
        this.list.reload();
      }, wait);
      onCleanup(() => clearTimeout(timer));
    });
  }

  retry(): void {
    void this.clusters.live.reload();
    this.catalogRead.reload();
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

  /** @param keepsVersion selects the version of the release instead of the newest */
  async upgrade(release: ReleaseDto, keepsVersion = false): Promise<void> {
    const key = this.key();
    if (!key) return;
    await this.actions.attempt($localize`Could not upgrade ${release.name}:addon:.`, async () => {
      const { values, chart, version, source } = await this.api.get(
        '/api/v1/clusters/{name}/addons/releases/{release}',
        releaseParams(key, release),
      );
      const newest = keepsVersion ? null : release.available_version;
      const catalogChart =
        newest !== null && release.addon !== null && source === 'catalogue'
          ? { addon: release.addon, version: newest }
          : null;
      const { release: name, namespace } = release;
      await this.change({
        key,
        title: release.name,
        chart: catalogChart,
        version: keepsVersion ? version : newest,
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
      ...(key && { key }),
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
    const question = { ...uninstallQuestion(release, resources, crds), key };
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
      this.openForwards.reload();
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
    this.openForwards.reload();
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
}
