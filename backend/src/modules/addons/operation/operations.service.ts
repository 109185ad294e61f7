import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import type { Chart, Release, ReleaseName } from '../../../drivers/package-manager/index.js';
import { JobsService, type Job, type JobKind } from '../../jobs/index.js';
import { AddonClusters, type AddonCluster } from '../addon-clusters.js';
import type { AddonDifferenceDto } from '../addon.dto.js';
import { NAMESPACE_NAME, RELEASE_NAME, RESERVED_RELEASES } from '../addon.js';
import { entryOfChart } from '../catalogue/catalogue.js';
import { ChartFinder, type FoundChart } from '../charts/chart-finder.js';
import type { InstallAddonDto, RollbackAddonDto, UpgradeAddonDto } from '../operation.dto.js';
import { manifestDifference } from '../release/manifest-difference.js';
import { historyOf, isPending, lastGood } from '../release/release-repair.js';
import { ReleasesService } from '../release/releases.service.js';
import { AddonValues } from './addon-values.js';
import { InstallAddonHandler } from './install-addon.handler.js';
import { OperationFilesStore } from './operation-files.js';
import {
  isAddonJob,
  type AddonJobInput,
  type ChartJobInput,
  type RollbackJobInput,
  type UpgradeJobInput,
} from './operation-input.js';
import { RollbackAddonHandler } from './rollback-addon.handler.js';
import { UninstallAddonHandler } from './uninstall-addon.handler.js';
import { UpgradeAddonHandler } from './upgrade-addon.handler.js';

const DEFAULT_TIMEOUT_S = 600;
/** A release that somebody else began to change is left to them for as long; then it counts as cut short. */
const OTHERS_WORK_MS = 5 * 60_000;

/** An operation that was begun, or looked at. */
export type AddonOperation = ReleaseName & { cluster: string } & (
    { job: Job; difference: null } | { job: null; difference: AddonDifferenceDto }
  );

interface Where {
  name: string;
  runtime?: string | undefined;
  namespace?: string | undefined;
}

/** A chart with its values, as a cluster would be given them. */
export interface PreparedChart {
  chart: Chart;
  values: string;
  manifest: string;
}

/** Installs, upgrades, rolls back and uninstalls: everything that can be refused is, before anything is changed. */
@Injectable()
export class OperationsService implements OnModuleInit {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly charts: ChartFinder,
    private readonly releases: ReleasesService,
    private readonly values: AddonValues,
    private readonly files: OperationFilesStore,
    private readonly jobs: JobsService,
    private readonly installHandler: InstallAddonHandler,
    private readonly upgradeHandler: UpgradeAddonHandler,
    private readonly rollbackHandler: RollbackAddonHandler,
    private readonly uninstallHandler: UninstallAddonHandler,
  ) {}

  async onModuleInit(): Promise<void> {
    this.jobs.register(this.installHandler);
    this.jobs.register(this.upgradeHandler);
    this.jobs.register(this.rollbackHandler);
    this.jobs.register(this.uninstallHandler);
    const wanted = this.jobs.active().flatMap((job) => (isAddonJob(job) ? [job.input.files ?? ''] : []));
    await this.files.removeBut(wanted);
  }

  /** @throws DomainError for everything that can be found wrong before anything is changed. */
  async install(where: Where, request: InstallAddonDto): Promise<AddonOperation> {
    const ways = await this.clusters.running(where.name, where.runtime);
    if (request.dry_run !== true) this.jobs.assertIdle(ways.name, ways.runtime);
    const found = await this.charts.find(ways.manager, request);
    const name = releaseOf(found, request);
    const existing = (await ways.manager.list(ways.target)).find(
      (one) => one.release === name.release && one.namespace === name.namespace,
    );
    if (existing) await this.refuseExisting(ways, existing);
    const prepared = await this.prepare(ways, found, name, request.values ?? found.entry?.values ?? '', {
      upgrade: false,
      preview: request.dry_run === true,
    });
    const warnings = warningsOf(found);
    if (request.dry_run === true) {
      return {
        ...name,
        cluster: ways.name,
        job: null,
        difference: await manifestDifference('', prepared.manifest, warnings),
      };
    }
    return this.submit(ways, name, 'addon-install', {
      ...(await this.chartInput(ways, name, found, prepared, request)),
    });
  }

  /** @throws DomainError as `install`, and `addon_not_found`, `release_busy`. */
  async upgrade(where: Where, release: string, request: UpgradeAddonDto): Promise<AddonOperation> {
    const ways = await this.clusters.running(where.name, where.runtime);
    if (request.dry_run !== true) this.jobs.assertIdle(ways.name, ways.runtime);
    const existing = await this.releases.find(ways, release, where.namespace);
    this.refuseOthersWork(ways, existing);
    const found = await this.chartOfUpgrade(ways, existing, request);
    const [contents, history] = await Promise.all([
      ways.manager.contents(ways.target, existing),
      ways.manager.history(ways.target, existing),
    ]);
    const name = { release: existing.release, namespace: existing.namespace };
    const prepared = await this.prepare(ways, found, name, request.values ?? contents.values, {
      upgrade: true,
      preview: request.dry_run === true,
    });
    if (request.dry_run === true) {
      const difference = await manifestDifference(contents.manifest, prepared.manifest, warningsOf(found));
      return { ...name, cluster: ways.name, job: null, difference };
    }
    const input: UpgradeJobInput = {
      ...(await this.chartInput(ways, name, found, prepared, request)),
      before: lastGood(history)?.revision ?? existing.revision,
    };
    return this.submit(ways, name, 'addon-upgrade', input);
  }

  /** @throws DomainError `addon_not_found`, `release_busy`, `invalid_input` for a revision that is none. */
  async rollback(
    where: Where,
    release: string,
    { revision, dry_run }: RollbackAddonDto,
  ): Promise<AddonOperation> {
    const ways = await this.clusters.running(where.name, where.runtime);
    if (dry_run !== true) this.jobs.assertIdle(ways.name, ways.runtime);
    const existing = await this.releases.find(ways, release, where.namespace);
    this.refuseOthersWork(ways, existing);
    const { manager, target } = ways;
    const history = await manager.history(target, existing);
    const wanted = history.find((one) => one.revision === revision);
    if (!wanted) {
      const kept = history.map((one) => one.revision).join(', ');
      throw invalidInput([
        { field: 'revision', problem: `is none that is kept of ${release}: there are ${kept}` },
      ]);
    }
    if (revision === existing.revision && existing.status === 'deployed') {
      throw invalidInput([{ field: 'revision', problem: `is the one that ${release} has now` }]);
    }
    const name = { release: existing.release, namespace: existing.namespace };
    if (dry_run === true) {
      const [now, then] = await Promise.all([
        manager.contents(target, existing),
        manager.contents(target, existing, revision),
      ]);
      const difference = await manifestDifference(now.manifest, then.manifest);
      return { ...name, cluster: ways.name, job: null, difference };
    }
    const input: RollbackJobInput = {
      ...this.jobInput(ways, name, existing.chart),
      revision,
      before: lastGood(history)?.revision ?? existing.revision,
    };
    return this.submit(ways, name, 'addon-rollback', input);
  }

  /** @throws DomainError `addon_not_found`, `release_busy` */
  async uninstall(where: Where, release: string): Promise<AddonOperation> {
    const ways = await this.clusters.running(where.name, where.runtime);
    this.jobs.assertIdle(ways.name, ways.runtime);
    const existing = await this.releases.find(ways, release, where.namespace);
    this.refuseOthersWork(ways, existing);
    const name = { release: existing.release, namespace: existing.namespace };
    return this.submit(ways, name, 'addon-uninstall', this.jobInput(ways, name, existing.chart));
  }

  /** Everything that is looked at of a chart and its values before they are given to a cluster. @throws DomainError */
  private async prepare(
    ways: AddonCluster & { cluster: { kubernetes_version: string | null } },
    { chart }: FoundChart,
    name: ReleaseName,
    given: string,
    { upgrade, preview }: { upgrade: boolean; preview: boolean },
  ): Promise<PreparedChart> {
    const values = await this.values.prepare(ways, chart, given);
    const kubernetes = ways.cluster.kubernetes_version;
    const request = { ...name, chart, values, upgrade, kubernetes };
    const manifest = preview
      ? await ways.manager.preview({ ...request, apiVersions: await apiVersionsOf(ways) })
      : await ways.manager.render(ways.target, request);
    return { chart, values, manifest };
  }

  private async chartOfUpgrade(
    ways: AddonCluster,
    existing: Release,
    request: UpgradeAddonDto,
  ): Promise<FoundChart> {
    const found =
      request.addon === undefined && request.chart === undefined && request.repository === undefined
        ? await this.chartOfItsOwn(ways, existing, request.version)
        : await this.charts.find(ways.manager, request);
    if (found.chart.name !== existing.chart) {
      throw new DomainError(
        'chart_refused',
        `${existing.release} is of the chart ${existing.chart}, and ${found.chart.name} is another one. Install it as a release of its own.`,
      );
    }
    return found;
  }

  private async chartOfItsOwn(ways: AddonCluster, existing: Release, version?: string): Promise<FoundChart> {
    const origin = this.releases.originOf(ways, existing);
    if (!origin) {
      throw invalidInput([
        {
          field: 'chart',
          problem: `and repository must be told: whence ${existing.chart} came is not known, it was not installed here`,
        },
      ]);
    }
    // Other values alone are no other version.
    return await this.charts.ofOrigin(ways.manager, origin, version ?? existing.version);
  }

  private async refuseExisting(ways: AddonCluster, existing: Release): Promise<void> {
    this.refuseOthersWork(ways, existing);
    const history = await historyOf(() => ways.manager.history(ways.target, existing));
    // What was never whole is removed first; nobody has it.
    if (isPending(existing.status) && !lastGood(history)) return;
    const { release, namespace, status, revision } = existing;
    throw new DomainError(
      'release_exists',
      status === 'failed' && !lastGood(history)
        ? `The release ${release} in ${namespace} failed, and is still there. Upgrade it with other values, or remove it first.`
        : `There is a release called ${release} in ${namespace} already. Upgrade it, or install under another name.`,
      { release, namespace, revision, status },
    );
  }

  /** One that is pending without a job of ours may be at work from elsewhere: by helm in somebody's terminal. */
  private refuseOthersWork({ name, runtime }: AddonCluster, existing: Release): void {
    const { release, namespace, status, updatedAt } = existing;
    if (!isPending(status)) return;
    const begun = Date.parse(updatedAt);
    const ours = this.jobs
      .list()
      .some(
        (job) =>
          isAddonJob(job) &&
          job.cluster === name &&
          job.runtime === runtime &&
          job.input.release === release &&
          job.input.namespace === namespace &&
          Date.parse(job.created_at) <= begun,
      );
    if (ours || Date.now() - begun > OTHERS_WORK_MS) return;
    throw new DomainError(
      'release_busy',
      `${release} is ${status} since ${updatedAt}, and not by Slipway: somebody else may be at work on it. It is repaired once that is ${OTHERS_WORK_MS / 60_000} minutes ago.`,
      { release, namespace, status, since: updatedAt },
    );
  }

  private async chartInput(
    ways: AddonCluster,
    name: ReleaseName,
    { origin, entry }: FoundChart,
    { chart, values, manifest }: PreparedChart,
    { keep_on_failure, timeout_seconds }: InstallAddonDto | UpgradeAddonDto,
  ): Promise<ChartJobInput> {
    return {
      ...this.jobInput(ways, name, chart.name, entry?.title),
      files: await this.files.keep(chart, values, manifest),
      chart: chart.name,
      version: chart.version,
      origin,
      keepOnFailure: keep_on_failure === true,
      timeoutMs: (timeout_seconds ?? DEFAULT_TIMEOUT_S) * 1000,
    };
  }

  private jobInput(
    { name, runtime }: AddonCluster,
    { release, namespace }: ReleaseName,
    chart: string,
    title = entryOfChart(chart)?.title ?? release,
  ): AddonJobInput {
    return { name, runtime, release, namespace, title };
  }

  private async submit(
    { name: cluster, runtime }: AddonCluster,
    name: ReleaseName,
    kind: JobKind,
    input: AddonJobInput & { files?: string },
  ): Promise<AddonOperation> {
    try {
      return { ...name, cluster, job: this.jobs.submit({ kind, runtime, cluster, input }), difference: null };
    } catch (error) {
      if (input.files !== undefined) await this.files.remove(input.files);
      throw error;
    }
  }
}

/** @throws DomainError `invalid_input` for a name that cannot be one. */
export function releaseOf(
  { chart, entry }: FoundChart,
  request: { release?: string | undefined; namespace?: string | undefined },
): ReleaseName {
  const release = request.release ?? entry?.release ?? chart.name.toLowerCase();
  const namespace = request.namespace ?? entry?.namespace ?? release;
  if (!RELEASE_NAME.test(release)) {
    throw invalidInput([
      { field: 'release', problem: 'must be told: the name of the chart is none that a release can have' },
    ]);
  }
  if ((RESERVED_RELEASES as readonly string[]).includes(release)) {
    throw invalidInput([
      {
        field: 'release',
        problem: `is a word of its own here: no release may be called ${RESERVED_RELEASES.join(', ')}`,
      },
    ]);
  }
  if (!NAMESPACE_NAME.test(namespace)) {
    throw invalidInput([{ field: 'namespace', problem: 'must be told: the release’s name cannot be one' }]);
  }
  return { release, namespace };
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
  const definitions =
    chart.definitions.length === 0
      ? []
      : [
          `${chart.name} brings ${chart.definitions.length} definition files (crds/): helm installs them once, upgrades them never, and leaves them when the release is removed.`,
        ];
  return [...(entry?.notes ?? []), ...definitions];
}
