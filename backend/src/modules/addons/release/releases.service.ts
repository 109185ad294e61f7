import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { isReady, worstHealth } from '../../../drivers/kubernetes/index.js';
import type { Release, ReleaseName } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { JobsService, type Job } from '../../jobs/index.js';
import { CORE_GROUP, TableWatches } from '../../resources/index.js';
import { AddonClusters, type AddonCluster } from '../common/addon-clusters.js';
import type { AddonCatalogDto, AddonDto, ReleaseDetailsDto, ReleaseDto } from '../common/addon.dto.js';
import { ANY_RELEASE_NAME, FROM_CATALOG, type AddonState } from '../common/addon.js';
import { loadBalancerPool } from '../catalog/address-pool.js';
import { CATALOG, findEntry, findEntryByChart, presentEntry, type CatalogEntry } from '../catalog/catalog.js';
import { AddonSourceStore, type AddonSource } from '../charts/addon-source.store.js';
import { ChartFinder } from '../charts/chart-finder.js';
import { keptCrds } from './kept-crds.js';
import { isAddonJob } from './operation-input.js';
import { yaml } from './addon-yaml-process.js';
import { kialiPaths } from '../values/kiali-values.js';
import { isPending } from './release-repair.js';
import { ReleaseResources } from './release-resources.js';

/** Releases in clusters, including those that Slipway did not install. */
@Injectable()
export class ReleasesService {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly sources: AddonSourceStore,
    private readonly jobs: JobsService,
    private readonly watches: TableWatches,
    private readonly charts: ChartFinder,
  ) {}

  /** Returns the catalog even if the cluster is unreachable, with the reason why it has no states. */
  async catalog(name: string, runtime?: string): Promise<AddonCatalogDto> {
    const cluster = await this.clusters.get(name, runtime);
    let releases: ReleaseDto[] = [];
    let reason: string | null = null;
    let warning: string | null = null;
    let isDemo = false;
    try {
      const manager = this.clusters.managerOf(cluster.runtime);
      isDemo = manager.kind === 'demo';
      const status = await manager.status();
      warning = status.problem?.reason ?? status.warning;
      releases = await this.installed(name, cluster.runtime);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      reason = error.message;
    }
    return {
      addons: CATALOG.map((entry) => {
        const addon = presentAddon(entry, cluster.kubernetes_version, releases);
        // Pods of the demo run no programs.
        return { ...addon, page: addon.page && !isDemo };
      }),
      reason,
      warning,
    };
  }

  /**
   * @param countResources counts the ready resources of each release, one release after another.
   * @throws DomainError as `AddonClusters.running`, and `package_manager_unavailable`.
   */
  async installed(name: string, runtime?: string, countResources = false): Promise<ReleaseDto[]> {
    const cluster = await this.clusters.running(name, runtime);
    const listed = await cluster.manager.list(cluster.target);
    const releases = (await Promise.all(listed.map((release) => this.present(cluster, release)))).sort(
      (one, other) =>
        one.release.localeCompare(other.release) || one.namespace.localeCompare(other.namespace),
    );
    if (!countResources) return releases;
    const all: ReleaseDto[] = [];
    for (const release of releases) all.push({ ...release, ...(await this.countOf(cluster, release)) });
    return all;
  }

  /** @throws DomainError `addon_not_found`, and `invalid_input` if the name is ambiguous without a namespace. */
  async find(cluster: AddonCluster, release: string, namespace?: string): Promise<Release> {
    if (!ANY_RELEASE_NAME.test(release)) {
      throw new DomainError(
        'addon_not_found',
        'The release does not exist. A release name consists of lowercase letters, digits, hyphens and dots.',
      );
    }
    const found = (await cluster.manager.list(cluster.target)).filter(
      (one) => one.release === release && (namespace === undefined || one.namespace === namespace),
    );
    const [first, second] = found;
    if (!first) {
      throw new DomainError(
        'addon_not_found',
        `Release ${release} does not exist in ${namespace === undefined ? '' : `namespace ${namespace} of `}cluster ${cluster.name}.`,
      );
    }
    if (second) {
      const namespaces = found.map((one) => one.namespace).join(', ');
      throw new DomainError(
        'invalid_input',
        `Release ${release} exists in several namespaces: ${namespaces}. Choose one with ?namespace=.`,
        [{ field: 'namespace', problem: `must be one of ${namespaces}` }],
      );
    }
    return first;
  }

  /** @throws DomainError as `find` */
  async details(
    name: string,
    release: string,
    {
      runtime,
      namespace,
      kept_crds: withCrds,
    }: { runtime?: string; namespace?: string; kept_crds?: boolean },
  ): Promise<ReleaseDetailsDto> {
    const cluster = await this.clusters.running(name, runtime);
    const found = await this.find(cluster, release, namespace);
    const { manager, target } = cluster;
    const [contents, history, crds] = await Promise.all([
      manager.contents(target, found),
      manager.history(target, found),
      withCrds === true ? keptCrds(cluster.api, found) : undefined,
    ]);
    const { services, ...resources } = await this.resourcesOf(cluster, found.namespace, contents.manifest);
    const entry = this.entryOf(cluster, found);
    return {
      ...(await this.present(cluster, found)),
      values: await shownValues(contents.values, found.chart),
      computed_values: await shownValues(contents.computedValues, found.chart),
      notes: contents.notes,
      history: history.map(({ appVersion, updatedAt, ...revision }) => ({
        ...revision,
        app_version: appVersion,
        updated_at: updatedAt,
      })),
      ...resources,
      services,
      ...(crds && { kept_crds: crds }),
      hints: hintsOf(entry, found.namespace, cluster.details.nodes),
    };
  }

  /** Where an upgrade gets its chart from; undefined if unknown. */
  originOf(key: ClusterKey, release: Release): AddonSource | undefined {
    const recorded = this.sources.get(key, release);
    if (recorded) return recorded;
    const entry = findEntryByChart(release.chart);
    return entry && { source: FROM_CATALOG, chart: entry.name };
  }

  private entryOf(key: ClusterKey, release: Release): CatalogEntry | undefined {
    const origin = this.originOf(key, release);
    return origin?.source === FROM_CATALOG ? findEntry(origin.chart) : findEntryByChart(release.chart);
  }

  /** Empty if the resources cannot be read. */
  private async countOf(
    cluster: AddonCluster,
    release: ReleaseDto,
  ): Promise<Partial<Pick<ReleaseDto, 'resources_ready' | 'resources_total' | 'health'>>> {
    try {
      const { manifest } = await cluster.manager.contents(cluster.target, release);
      const counted = await this.resourcesOf(cluster, release.namespace, manifest);
      const { resources_ready, resources_total, health } = counted;
      return { resources_ready, resources_total, health };
    } catch {
      return {};
    }
  }

  /** With the health that the tables of the cluster show. */
  private async resourcesOf(
    cluster: AddonCluster,
    namespace: string,
    manifest: string,
  ): Promise<
    Pick<ReleaseDetailsDto, 'resources' | 'resources_ready' | 'resources_total' | 'health' | 'services'>
  > {
    const found = await ReleaseResources.open(await cluster.api(), namespace, manifest);
    const { services, ...read } = await found.read();
    const resources = read.resources.map((resource) => {
      const { group, plural, health } = resource;
      if (plural === null) return resource;
      const type = { group: group === CORE_GROUP ? '' : group, plural };
      return { ...resource, health: this.watches.healthOf(cluster, type, resource, health) };
    });
    return {
      resources,
      resources_ready: resources.filter(({ present, health }) => present && isReady(health)).length,
      resources_total: resources.length,
      health: worstHealth(resources.map(({ health }) => health)),
      services,
    };
  }

  private async present(key: ClusterKey, release: Release): Promise<ReleaseDto> {
    const job = this.jobs.activeOf(key.name, key.runtime);
    const own = job && isJobOf(job, release) ? job : undefined;
    const entry = this.entryOf(key, release);
    const origin = this.originOf(key, release);
    return {
      name: entry?.title ?? release.chart,
      addon: entry?.name ?? null,
      release: release.release,
      namespace: release.namespace,
      state: stateOf(release, own),
      chart: release.chart,
      version: release.version,
      app_version: release.appVersion,
      revision: release.revision,
      updated_at: release.updatedAt,
      available_version: origin ? await this.charts.newerThan(release.version, origin) : null,
      source: origin?.source ?? null,
      active_job_id: own?.id ?? null,
      resources_ready: null,
      resources_total: null,
      health: null,
    };
  }
}

function presentAddon(
  entry: CatalogEntry,
  kubernetes: string | null,
  releases: readonly ReleaseDto[],
): AddonDto {
  const own = releases.filter(({ addon }) => addon === entry.name);
  const installed = own.find(({ release }) => release === entry.release) ?? own[0];
  return {
    ...presentEntry(entry, kubernetes),
    state: installed?.state ?? 'not_installed',
    installed_release: installed?.release ?? null,
    installed_namespace: installed?.namespace ?? null,
    installed_version: installed?.version ?? null,
  };
}

function hintsOf(
  entry: CatalogEntry | undefined,
  namespace: string,
  nodes: readonly { address: string | null }[],
): string[] {
  const pool = loadBalancerPool(nodes);
  return (entry?.hints ?? [])
    .filter((hint) => pool !== null || !hint.includes('%pool'))
    .map((hint) => hint.replaceAll('%ns', namespace).replaceAll('%pool', pool ?? ''));
}

function stateOf({ status }: Release, job: Job | undefined): AddonState {
  if (job) {
    switch (job.kind) {
      case 'addon-upgrade':
        return 'upgrading';
      case 'addon-rollback':
        return 'rolling_back';
      case 'addon-uninstall':
        return 'uninstalling';
      default:
        return 'installing';
    }
  }
  if (isPending(status)) return 'pending_repair';
  return status === 'deployed' ? 'deployed' : 'failed';
}

function isJobOf(job: Job, { release, namespace }: ReleaseName): boolean {
  if (!isAddonJob(job)) return false;
  return job.input.release === release && job.input.namespace === namespace;
}

async function shownValues(text: string, chart: string): Promise<string> {
  const [place] = kialiPaths({ name: chart, dependencies: [] });
  return place === undefined || text === '' ? text : await yaml.shownKialiValues(text, place);
}
