import { computed, effect, inject, Injectable, signal, untracked } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  AddonCatalogDto,
  AddonDto,
  AddonOperationDto,
  ClusterDto,
  ForwardDto,
  JobDto,
  ReleaseDto,
} from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { isActive, JobsStore } from '../../shared/live/jobs-store';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { isOfAddons, questionBeforeUninstall, withCounts } from './addon-words';
import { AddonsApi, type ChartChoice, type ReleaseName } from './addons-api';
import { InstallAddon } from './install-addon';

/** Until the next look while something is not ready, and twice as long after each: some never are. */
const COUNT_AGAIN_MS = 3000;
const COUNT_AGAIN_AT_MOST_MS = 60_000;

/** Addons of one cluster, read again whenever a job of theirs begins, makes a release or ends, and what can be done with them. Provide it per view. */
@Injectable()
export class ClusterAddons {
  private readonly actions = inject(ClusterActions);
  private readonly api = inject(AddonsApi);
  private readonly cancellation = inject(JobCancellation);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly form = inject(InstallAddon);
  private readonly jobs = inject(JobsStore);
  private readonly toaster = inject(Toaster);

  private readonly of = signal<ClusterDto | undefined>(undefined);
  readonly cluster = this.of.asReadonly();
  readonly installed = signal<readonly ReleaseDto[] | undefined>(undefined);
  readonly problem = signal<ApiProblem | null>(null);
  readonly catalogue = signal<AddonCatalogDto | undefined>(undefined);
  readonly catalogueProblem = signal<ApiProblem | null>(null);
  readonly forwards = signal<readonly ForwardDto[]>([]);
  /** The release whose way is being opened. */
  readonly opening = signal<string | null>(null);
  private readonly identity = computed(() => {
    const cluster = this.of();
    return cluster && `${cluster.runtime}/${cluster.name} ${cluster.state}`;
  });
  /** How far its newest job of addons is. The cluster alone does not tell: a job may be over before it is told of. */
  private readonly newestJob = computed(() => {
    const cluster = this.of();
    if (!cluster || !this.jobs.live.value()) return undefined;
    const job = this.jobs
      .jobs()
      .find((one) => one.cluster === cluster.name && one.runtime === cluster.runtime && isOfAddons(one));
    // It counts objects once helm has made its release, which is then on the list.
    const counts = job?.progress_steps.filter(({ detail }) => detail !== null).length ?? 0;
    return job ? `${job.id} ${isActive(job)} ${counts}` : 'none';
  });

  /** The job that changes addons now. */
  readonly job = computed<JobDto | undefined>(() => {
    const job = this.jobs.get(this.of()?.active_job_id ?? null);
    return job && isOfAddons(job) ? job : undefined;
  });
  /** Why it is not known what is installed. */
  readonly unknown = computed(
    () => this.problem()?.message ?? this.catalogueProblem()?.message ?? this.catalogue()?.reason ?? null,
  );
  readonly runs = computed(() => ['running', 'degraded'].includes(this.of()?.state ?? ''));
  readonly busy = computed(() => this.of()?.active_job_id !== null);
  /** Nothing can be installed now. */
  readonly blocked = computed(() => !this.runs() || this.busy() || this.catalogue()?.reason !== null);

  /** Whether something is still coming up, by itself or by a job. */
  private readonly unready = computed(() =>
    (this.installed() ?? []).some(
      ({ resources_ready: ready, resources_total: total }) => (ready ?? 0) < (total ?? 0),
    ),
  );

  private looks = 0;
  private turn = 0;
  private seenJob: string | undefined;

  constructor() {
    this.jobs.live.watch();
    effect((onCleanup) => {
      this.installed();
      if (!this.unready() || !this.runs()) return;
      const wait = Math.min(COUNT_AGAIN_MS * 2 ** this.looks, COUNT_AGAIN_AT_MOST_MS);
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

  show(cluster: ClusterDto | undefined): void {
    this.of.set(cluster);
  }

  async refresh(): Promise<void> {
    this.looks = 0;
    const key = this.key();
    if (!key) return;
    const isCurrent = (): boolean => this.isCurrent(key);
    // It answers whatever the cluster does, and says whether there is anything to ask it for.
    await this.readCatalogue(key, isCurrent);
    // By now it may have stopped, or be about to go.
    if (!isCurrent() || !this.runs() || this.catalogue()?.reason !== null) return;
    await Promise.all([this.readInstalled(key, isCurrent), this.readForwards(key, isCurrent)]);
  }

  async install(title: string, chart: ChartChoice): Promise<void> {
    const key = this.key();
    if (key) await this.follow(this.form.open({ key, title, chart }));
  }

  installAddon({ name, title, version }: AddonDto): Promise<void> {
    return this.install(title, { addon: name, version });
  }

  /** @param toCatalogue takes the catalogue's chart in place of the one that the release has */
  async upgrade(release: ReleaseDto, toCatalogue: boolean): Promise<void> {
    const key = this.key();
    if (!key) return;
    try {
      const { values, chart, version, source } = await this.api.release(key, release);
      const taken =
        toCatalogue && release.addon !== null
          ? {
              addon: release.addon,
              ...(release.available_version ? { version: release.available_version } : {}),
            }
          : null;
      await this.follow(
        this.form.open({
          key,
          title: release.name,
          chart: taken,
          upgrades: {
            release: release.release,
            namespace: release.namespace,
            values,
            chart,
            version,
            source,
          },
        }),
      );
    } catch (thrown) {
      this.refuse(`${release.name} was not upgraded.`, thrown);
    }
  }

  async rollback(release: ReleaseDto, revision: number): Promise<void> {
    const key = this.key();
    const sure = await this.confirm.ask({
      title: `Roll ${release.name} back to revision ${revision}?`,
      text: ['Its chart and its values become those of that revision again, as a new revision.'],
      action: 'Roll back',
      keep: 'Leave it as it is',
    });
    if (sure && key) {
      await this.begin(`${release.name} was not rolled back.`, this.api.rollback(key, release, revision));
    }
  }

  async uninstall(release: ReleaseDto): Promise<void> {
    const key = this.key();
    if (!key) return;
    // Where the release cannot be read, the question is asked all the same.
    const resources = await this.api.release(key, release).then(
      (details) => details.resources,
      () => [],
    );
    if (!(await this.confirm.ask(questionBeforeUninstall(release, resources)))) return;
    await this.begin(`${release.name} was not uninstalled.`, this.api.uninstall(key, release));
  }

  /** Opens its web page in a window of its own, through a port of this machine and a link that works once. */
  async open(release: ReleaseName, to: { service?: string; port?: number } = {}): Promise<void> {
    const key = this.key();
    if (!key) return;
    this.opening.set(release.release);
    // A window that is opened after an answer came would be taken for a popup.
    const page = window.open('about:blank', '_blank');
    if (page) page.opener = null;
    try {
      const { url } = await this.api.forward(key, release, to);
      if (page) page.location.href = url;
      await this.readForwards(key, () => true);
    } catch (thrown) {
      page?.close();
      this.refuse(`${release.release} cannot be opened.`, thrown);
    } finally {
      this.opening.set(null);
    }
  }

  async closeForward({ id }: ForwardDto): Promise<void> {
    const key = this.key();
    if (!key) return;
    try {
      await this.api.closeForward(key, id);
    } catch (thrown) {
      this.refuse('The port-forward was not closed.', thrown);
    }
    await this.readForwards(key, () => true);
  }

  cancel(job: JobDto): void {
    void this.cancellation.cancel(job, () => this.job()?.id === job.id);
  }

  refuse(title: string, thrown: unknown): void {
    this.toaster.problem(thrown, title, this.actions.wayOut(thrown));
  }

  key(): ClusterKey | undefined {
    const cluster = this.of();
    return cluster && { name: cluster.name, runtime: cluster.runtime };
  }

  private async begin(failure: string, operation: Promise<AddonOperationDto>): Promise<void> {
    try {
      await operation;
      await this.follow(operation);
    } catch (thrown) {
      this.refuse(failure, thrown);
    }
  }

  /** The job shows itself on the page: it is not waited for. */
  private async follow(operation: Promise<AddonOperationDto | undefined>): Promise<void> {
    if ((await operation)?.job_id) {
      await Promise.all([this.clusters.live.refresh(), this.jobs.live.refresh()]);
    }
  }

  private async recount(): Promise<void> {
    this.looks += 1;
    const key = this.key();
    if (key && this.runs()) await this.readInstalled(key, () => this.isCurrent(key));
  }

  private isCurrent({ name, runtime }: ClusterKey): boolean {
    return this.key()?.name === name && this.key()?.runtime === runtime;
  }

  private async readInstalled(key: ClusterKey, isCurrent: () => boolean): Promise<void> {
    // A count takes long enough for the next look to be over first.
    const turn = ++this.turn;
    try {
      // What is there first; how much of it is ready takes longer.
      for (const counted of [false, true]) {
        // Meanwhile it may have begun to stop.
        if (!this.runs()) return;
        const installed = await this.api.installed(key, counted);
        if (!isCurrent() || turn !== this.turn) return;
        this.installed.update((before) => (counted ? installed : withCounts(installed, before ?? [])));
        this.problem.set(null);
      }
    } catch (thrown) {
      if (isCurrent() && turn === this.turn) this.problem.set(ApiProblem.of(thrown));
    }
  }

  private async readCatalogue(key: ClusterKey, isCurrent: () => boolean): Promise<void> {
    try {
      const catalogue = await this.api.catalogue(key);
      if (!isCurrent()) return;
      this.catalogue.set(catalogue);
      this.catalogueProblem.set(null);
    } catch (thrown) {
      if (isCurrent()) this.catalogueProblem.set(ApiProblem.of(thrown));
    }
  }

  /** What cannot be listed is not there to be closed either; opening one says why it fails. */
  private async readForwards(key: ClusterKey, isCurrent: () => boolean): Promise<void> {
    const forwards = await this.api.forwards(key).catch(() => []);
    if (isCurrent()) this.forwards.set(forwards);
  }
}
