import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, invalidField } from '../../../core/errors/index.js';
import type { Release, ReleaseName } from '../../../drivers/package-manager/index.js';
import { JobsService, type Job, type JobKind } from '../../jobs/index.js';
import { AddonClusters, type AddonCluster, type RunningCluster } from '../common/addon-clusters.js';
import type { AddonDiffDto } from '../common/addon.dto.js';
import { NAMESPACE_NAME, RELEASE_NAME } from '../common/addon.js';
import { findEntryByChart, getEntry } from '../catalog/catalog.js';
import { ChartFinder, type FoundChart } from '../charts/chart-finder.js';
import type {
  InstallAddonDto,
  ReleaseQueryDto,
  UninstallQueryDto,
  RollbackAddonDto,
  UpgradeAddonDto,
} from '../common/operation.dto.js';
import { manifestDiff } from '../release/manifest-diff.js';
import { historyOf, isPending, lastGood } from '../release/release-repair.js';
import { ReleasesService } from '../release/releases.service.js';
import { AddonValues } from './addon-values.js';
import { OperationFilesStore } from './operation-files.js';
import {
  isAddonJob,
  type AddonJobInput,
  type ChartJobInput,
  type InstallJobInput,
  type RollbackJobInput,
  type UpgradeJobInput,
} from '../release/operation-input.js';

const DEFAULT_TIMEOUT_S = 600;
/** A pending operation of another program is left alone for this long, and then counts as interrupted. */
const FOREIGN_OPERATION_MS = 5 * 60_000;

/** A started job, or the diff of a dry run. */
export type OperationResult = ReleaseName & { cluster: string } & (
    { job: Job; diff: null } | { job: null; diff: AddonDiffDto }
  );

interface PreparedChart {
  values: string;
  manifest: string;
}

/** Validates operations on releases and starts their jobs. A request is rejected before anything changes. */
@Injectable()
export class OperationsService implements OnModuleInit {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly charts: ChartFinder,
    private readonly releases: ReleasesService,
    private readonly values: AddonValues,
    private readonly files: OperationFilesStore,
    private readonly jobs: JobsService,
  ) {}

  async onModuleInit(): Promise<void> {
    const active = this.jobs.active().flatMap((job) => (isAddonJob(job) ? [job.input.files ?? ''] : []));
    await this.files.removeExcept(active);
  }

  /** @throws DomainError if anything is wrong with the cluster, the chart, its values or the release's name. */
  async install(
    clusterName: string,
    query: ReleaseQueryDto,
    request: InstallAddonDto,
  ): Promise<OperationResult> {
    const isDryRun = request.dry_run === true;
    const cluster = await this.idleCluster(clusterName, query, isDryRun);
    const found = await this.charts.find(cluster.manager, request);
    const name = releaseNameOf(found, request);
    const installed = await cluster.manager.list(cluster.target);
    const existing = installed.find(
      (one) => one.release === name.release && one.namespace === name.namespace,
    );
    if (existing) await this.rejectExisting(cluster, existing);
    const values = request.values ?? found.entry?.values ?? '';
    const prepared = await this.prepare(cluster, found, name, values, { upgrade: false, isDryRun });
    if (isDryRun) return preview(cluster, name, await manifestDiff('', prepared.manifest, warningsOf(found)));
    const input: InstallJobInput = {
      ...(await this.chartInput(cluster, name, found, prepared, request)),
      prerequisites: missingNeeds(found.entry, installed),
    };
    return this.submit(cluster, 'addon-install', input);
  }

  /** @throws DomainError as `install`, and `addon_not_found`, `release_busy`. */
  async upgrade(
    clusterName: string,
    query: ReleaseQueryDto,
    release: string,
    request: UpgradeAddonDto,
  ): Promise<OperationResult> {
    const isDryRun = request.dry_run === true;
    const { cluster, existing, name } = await this.existing(clusterName, query, release, isDryRun);
    const found = await this.chartOfUpgrade(cluster, existing, request);
    const [contents, history] = await Promise.all([
      cluster.manager.contents(cluster.target, existing),
      cluster.manager.history(cluster.target, existing),
    ]);
    const values = request.values ?? contents.values;
    const prepared = await this.prepare(cluster, found, name, values, { upgrade: true, isDryRun });
    if (isDryRun) {
      return preview(
        cluster,
        name,
        await manifestDiff(contents.manifest, prepared.manifest, warningsOf(found)),
      );
    }
    const input: UpgradeJobInput = {
      ...(await this.chartInput(cluster, name, found, prepared, request)),
      before: lastGood(history)?.revision ?? existing.revision,
    };
    return this.submit(cluster, 'addon-upgrade', input);
  }

  /** @throws DomainError `addon_not_found`, `release_busy`, or `invalid_input` if the revision does not exist. */
  async rollback(
    clusterName: string,
    query: ReleaseQueryDto,
    release: string,
    { revision, dry_run }: RollbackAddonDto,
  ): Promise<OperationResult> {
    const { cluster, existing, name } = await this.existing(clusterName, query, release, dry_run === true);
    const { manager, target } = cluster;
    const history = await manager.history(target, existing);
    if (!history.some((one) => one.revision === revision)) {
      const available = history.map((one) => one.revision).join(', ');
      throw invalidField('revision', `${revision} of ${release} does not exist. Available: ${available}`);
    }
    if (revision === existing.revision && existing.status === 'deployed') {
      throw invalidField('revision', `${revision} is the current revision of ${release}`);
    }
    if (dry_run === true) {
      const [current, earlier] = await Promise.all([
        manager.contents(target, existing),
        manager.contents(target, existing, revision),
      ]);
      return preview(cluster, name, await manifestDiff(current.manifest, earlier.manifest));
    }
    const input: RollbackJobInput = {
      ...jobInput(cluster, name, existing.chart),
      revision,
      before: lastGood(history)?.revision ?? existing.revision,
    };
    return this.submit(cluster, 'addon-rollback', input);
  }

  /** @throws DomainError `addon_not_found`, `release_busy` */
  async uninstall(clusterName: string, query: UninstallQueryDto, release: string): Promise<OperationResult> {
    const { cluster, existing, name } = await this.existing(clusterName, query, release, false);
    const input = jobInput(cluster, name, existing.chart);
    return this.submit(cluster, 'addon-uninstall', { ...input, noHooks: query.no_hooks });
  }

  private async idleCluster(
    name: string,
    { runtime }: ReleaseQueryDto,
    isDryRun: boolean,
  ): Promise<RunningCluster> {
    const cluster = await this.clusters.running(name, runtime);
    if (!isDryRun) this.jobs.assertIdle(cluster.name, cluster.runtime);
    return cluster;
  }

  private async existing(
    clusterName: string,
    query: ReleaseQueryDto,
    name: string,
    isDryRun: boolean,
  ): Promise<{ cluster: RunningCluster; existing: Release; name: ReleaseName }> {
    const cluster = await this.idleCluster(clusterName, query, isDryRun);
    const existing = await this.releases.find(cluster, name, query.namespace);
    this.rejectForeignOperation(cluster, existing);
    const { release, namespace } = existing;
    return { cluster, existing, name: { release, namespace } };
  }

  private async prepare(
    cluster: RunningCluster,
    { chart }: FoundChart,
    name: ReleaseName,
    given: string,
    { upgrade, isDryRun }: { upgrade: boolean; isDryRun: boolean },
  ): Promise<PreparedChart> {
    const { manager, target } = cluster;
    const values = await this.values.prepare(cluster, chart, given);
    const kubernetes = cluster.details.kubernetes_version;
    const request = { ...name, chart, values, upgrade, kubernetes };
    const manifest = isDryRun
      ? await manager.preview({ ...request, apiVersions: await apiVersionsOf(cluster) })
      : await manager.render(target, request);
    return { values, manifest };
  }

  private async chartOfUpgrade(
    cluster: AddonCluster,
    existing: Release,
    request: UpgradeAddonDto,
  ): Promise<FoundChart> {
    const isSameChart =
      request.addon === undefined && request.chart === undefined && request.repository === undefined;
    const found = isSameChart
      ? await this.recordedChart(cluster, existing, request.version)
      : await this.charts.find(cluster.manager, request);
    if (found.chart.name !== existing.chart) {
      throw new DomainError(
        'chart_refused',
        `Release ${existing.release} uses chart ${existing.chart}, not ${found.chart.name}. Install ${found.chart.name} as a new release.`,
      );
    }
    return found;
  }

  private async recordedChart(
    cluster: AddonCluster,
    existing: Release,
    version = existing.version,
  ): Promise<FoundChart> {
    const origin = this.releases.originOf(cluster, existing);
    if (origin) return await this.charts.ofOrigin(cluster.manager, origin, version);
    throw invalidField(
      'chart',
      `and repository are required. Slipway did not install ${existing.release} and does not know where its chart came from`,
    );
  }

  private async rejectExisting(cluster: AddonCluster, existing: Release): Promise<void> {
    this.rejectForeignOperation(cluster, existing);
    const hasWorked = lastGood(await historyOf(cluster, existing)) !== undefined;
    // The job removes an incomplete first installation.
    if (isPending(existing.status) && !hasWorked) return;
    const { release, namespace, status, revision } = existing;
    throw new DomainError(
      'release_exists',
      status === 'failed' && !hasWorked
        ? `Release ${release} in namespace ${namespace} already exists, and its installation failed. Upgrade it with other values, or uninstall it first.`
        : `Release ${release} in namespace ${namespace} already exists. Upgrade it, or choose another release name.`,
      { release, namespace, revision, status },
    );
  }

  /** A pending release without a job of ours may belong to a helm command in a terminal. */
  private rejectForeignOperation({ name, runtime }: AddonCluster, existing: Release): void {
    const { release, namespace, status, updatedAt } = existing;
    if (!isPending(status)) return;
    const startedAt = Date.parse(updatedAt);
    const isOwn = this.jobs
      .list()
      .some(
        (job) =>
          isAddonJob(job) &&
          job.cluster === name &&
          job.runtime === runtime &&
          job.input.release === release &&
          job.input.namespace === namespace &&
          Date.parse(job.created_at) <= startedAt,
      );
    if (isOwn || Date.now() - startedAt > FOREIGN_OPERATION_MS) return;
    throw new DomainError(
      'release_busy',
      `Release ${release} has been ${status} since ${updatedAt}. Slipway did not start this operation: another program may be changing the release. Wait for it to finish. After ${FOREIGN_OPERATION_MS / 60_000} minutes Slipway treats it as interrupted.`,
      { release, namespace, status, since: updatedAt },
    );
  }

  private async chartInput(
    cluster: AddonCluster,
    name: ReleaseName,
    { chart, origin, entry }: FoundChart,
    { values, manifest }: PreparedChart,
    { keep_on_failure, timeout_seconds }: InstallAddonDto | UpgradeAddonDto,
  ): Promise<ChartJobInput> {
    return {
      ...jobInput(cluster, name, chart.name, entry?.title),
      files: await this.files.write(chart, values, manifest),
      chart: chart.name,
      version: chart.version,
      origin,
      keepOnFailure: keep_on_failure === true,
      timeoutMs: (timeout_seconds ?? DEFAULT_TIMEOUT_S) * 1000,
    };
  }

  private async submit(cluster: AddonCluster, kind: JobKind, input: AddonJobInput): Promise<OperationResult> {
    const { release, namespace, files } = input;
    try {
      const job = this.jobs.submit(kind, cluster, input);
      return { release, namespace, cluster: cluster.name, job, diff: null };
    } catch (error) {
      if (files !== undefined) await this.files.remove(files);
      throw error;
    }
  }
}

/** @throws DomainError `invalid_input` for an invalid name. */
function releaseNameOf(
  { chart, entry }: FoundChart,
  request: { release?: string | undefined; namespace?: string | undefined },
): ReleaseName {
  const release = request.release ?? entry?.release ?? chart.name.toLowerCase();
  const namespace = request.namespace ?? entry?.namespace ?? release;
  if (!RELEASE_NAME.test(release)) {
    throw invalidField('release', 'is required. The chart name is not a valid release name');
  }
  if (!NAMESPACE_NAME.test(namespace)) {
    throw invalidField('namespace', 'is required. The release name is not a valid namespace');
  }
  return { release, namespace };
}

function jobInput(
  { name, runtime }: AddonCluster,
  { release, namespace }: ReleaseName,
  chart: string,
  title = findEntryByChart(chart)?.title ?? release,
): AddonJobInput {
  return { name, runtime, release, namespace, title };
}

/** The addons that an addon depends on and that are not installed, in the order of their installation. */
function missingNeeds(entry: FoundChart['entry'], installed: readonly Release[]): string[] {
  return (entry?.needs ?? []).filter((name) => {
    const { chart, release } = getEntry(name);
    // Many charts are named `base`.
    return !installed.some((one) => one.chart === chart && (chart !== 'base' || one.release === release));
  });
}

function preview({ name: cluster }: AddonCluster, name: ReleaseName, diff: AddonDiffDto): OperationResult {
  return { ...name, cluster, job: null, diff };
}

async function apiVersionsOf({ api }: AddonCluster): Promise<string[]> {
  const types = await (await api()).types();
  const served = types.flatMap(({ group, version, kind }) => {
    const name = group === '' ? version : `${group}/${version}`;
    return [name, `${name}/${kind}`];
  });
  return [...new Set(served)];
}

function warningsOf({ chart, entry }: FoundChart): string[] {
  const crds = chart.crds.length;
  return [
    ...(entry?.notes ?? []),
    ...(crds === 0
      ? []
      : [
          `${chart.name} contains ${crds} CRD files (crds/). helm installs them once, never upgrades them, and keeps them when the release is uninstalled.`,
        ]),
  ];
}
