import { Injectable } from '@nestjs/common';
import { parseJson } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import { invalidField } from '../../../core/errors/index.js';
import type { Chart, ChartSource, PackageManager } from '../../../drivers/package-manager/index.js';
import { FROM_CATALOG, UPLOADED } from '../common/addon.js';
import { findEntry, getEntry, unsupportedReason, type CatalogEntry } from '../catalog/catalog.js';
import type { ChartDto, ChartQueryDto, OfferedChartsDto } from '../common/chart.dto.js';
import type { AddonSource } from './addon-source.store.js';
import { newestAbove } from './newest-version.js';
import { RepositoriesService } from './repositories.service.js';
import { UploadedCharts } from './uploaded-charts.js';

export interface FoundChart {
  chart: Chart;
  entry: CatalogEntry | null;
  origin: AddonSource;
}

const MAX_LISTED = 200;

/** Finds charts in the catalog, in repositories, and among the uploaded ones. */
@Injectable()
export class ChartFinder {
  /** By the URL of their repository, as last listed. */
  private readonly listed = new Map<string, OfferedChartsDto['charts']>();

  constructor(
    private readonly repositories: RepositoriesService,
    private readonly uploaded: UploadedCharts,
  ) {}

  /**
   * Downloads the chart that a request selects.
   * @throws DomainError `invalid_input` unless it selects exactly one chart, `chart_not_found`, `repository_unreachable`,
   *   `chart_refused`, `package_manager_unavailable`.
   */
  async find(manager: PackageManager, query: ChartQueryDto, signal?: AbortSignal): Promise<FoundChart> {
    const { addon, chart, repository, version } = query;
    if ((addon === undefined) === (chart === undefined)) {
      throw invalidField('addon', 'or chart and repository are required, but not both');
    }
    if (addon !== undefined) {
      if (repository !== undefined) {
        throw invalidField('repository', 'must not be set together with addon');
      }
      return await this.ofCatalog(manager, addon, version, signal);
    }
    if (repository === undefined) {
      throw invalidField('repository', `is required with chart: the name of a repository, or ${UPLOADED}`);
    }
    return await this.ofOrigin(manager, { source: repository, chart: chart ?? '' }, version, signal);
  }

  /** Downloads the chart of a recorded source. @throws DomainError as `find` */
  async ofOrigin(
    manager: PackageManager,
    origin: AddonSource,
    version: string | undefined,
    signal?: AbortSignal,
  ): Promise<FoundChart> {
    const { source, chart: name } = origin;
    if (source === FROM_CATALOG) return await this.ofCatalog(manager, name, version, signal);
    if (source === UPLOADED) {
      const { source: archive } = await this.uploaded.get(name, version);
      return { chart: await manager.chart(archive, signal), entry: null, origin };
    }
    const { url, credentials } = await this.repositories.open(source);
    const chart: ChartSource = url.startsWith('oci://')
      ? { type: 'registry', reference: `${url}/${name}`, version, credentials }
      : { type: 'repository', repository: { url, credentials }, chart: name, version };
    return { chart: await manager.chart(chart, signal), entry: null, origin };
  }

  /** The charts of a repository. @throws DomainError `chart_not_found`, `repository_unreachable` */
  async list(manager: PackageManager, repository: string, search = ''): Promise<OfferedChartsDto> {
    const all =
      repository === UPLOADED ? await this.uploadedCharts() : await this.ofRepository(manager, repository);
    const wanted = search.toLowerCase();
    const found = all.filter(
      ({ chart, description }) =>
        chart.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
    );
    return { charts: found.slice(0, MAX_LISTED), total: found.length };
  }

  /**
   * The newest version above that of a release, or null. Of a repository, it is known once a user has listed its charts:
   * nothing is requested in the background.
   */
  async newerThan(version: string, { source, chart: name }: AddonSource): Promise<string | null> {
    if (source === FROM_CATALOG) return newestAbove(version, [findEntry(name)?.version ?? version]);
    if (source === UPLOADED) return await this.uploaded.newerThan(name, version);
    const url = this.repositories.list().find((repository) => repository.name === source)?.url ?? '';
    const charts = this.listed.get(url)?.filter(({ chart }) => chart === name) ?? [];
    return newestAbove(
      version,
      charts.flatMap(({ versions }) => versions.map((each) => each.version)),
    );
  }

  private async ofCatalog(
    manager: PackageManager,
    name: string,
    version: string | undefined,
    signal?: AbortSignal,
  ): Promise<FoundChart> {
    const entry = getEntry(name);
    const { source: url, chart, version: pinned } = entry;
    const source: ChartSource = url.startsWith('oci://')
      ? { type: 'registry', reference: url, version: version ?? pinned }
      : { type: 'repository', repository: { url }, chart, version: version ?? pinned };
    const origin = { source: FROM_CATALOG, chart: name };
    return { chart: await manager.chart(source, signal), entry, origin };
  }

  private async ofRepository(manager: PackageManager, name: string): Promise<OfferedChartsDto['charts']> {
    const { url, credentials } = await this.repositories.open(name);
    // OCI registries have no chart index.
    if (url.startsWith('oci://')) return [];
    const charts = (await manager.offered({ url, credentials })).map((offered) => ({
      repository: name,
      chart: offered.name,
      description: offered.description,
      versions: offered.versions.map(({ version, appVersion }) => ({ version, app_version: appVersion })),
    }));
    this.listed.set(url, charts);
    return charts;
  }

  private async uploadedCharts(): Promise<OfferedChartsDto['charts']> {
    const charts = new Map<string, OfferedChartsDto['charts'][number]>();
    for (const { name, version, appVersion, description } of await this.uploaded.list()) {
      const known = charts.get(name) ?? { repository: UPLOADED, chart: name, description, versions: [] };
      known.versions.push({ version, app_version: appVersion });
      charts.set(name, known);
    }
    return [...charts.values()];
  }
}

/** @param kubernetes version of the cluster; null if unknown. */
export function presentChart(
  { chart, entry }: Pick<FoundChart, 'chart' | 'entry'>,
  kubernetes: string | null,
): ChartDto {
  const release = entry?.release ?? chart.name.toLowerCase();
  return {
    chart: chart.name,
    version: chart.version,
    app_version: chart.appVersion,
    description: chart.description,
    kubernetes: chart.kubeVersion,
    unfit: entry ? unsupportedReason(entry, kubernetes) : null,
    default_values: chart.defaultValues,
    values: entry?.values ?? '',
    schema: chart.schema === null ? null : recordOf(parseJson(chart.schema)),
    dependencies: chart.dependencies,
    notes: entry?.notes ?? [],
    namespace: entry?.namespace ?? release,
    release,
  };
}
