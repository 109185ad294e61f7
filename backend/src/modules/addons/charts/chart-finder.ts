import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import type { Chart, ChartSource, PackageManager } from '../../../drivers/package-manager/index.js';
import { UPLOADED } from '../addon.js';
import { CATALOGUE, entryOf } from '../catalogue/catalogue.js';
import type { CatalogueEntry } from '../catalogue/catalogue-entry.js';
import type { ChartQueryDto, OfferedChartsDto } from '../chart.dto.js';
import type { AddonSource } from './addon-source.store.js';
import { RepositoriesService } from './repositories.service.js';
import { UploadedCharts } from './uploaded-charts.js';

/** A chart that was asked for, and whence it comes. */
export interface FoundChart {
  chart: Chart;
  entry: CatalogueEntry | null;
  origin: AddonSource;
}

/** In the place of a repository's name. */
export const FROM_CATALOGUE = 'catalogue';
const CHARTS_TOLD = 200;

/** Finds charts: those of the catalogue, of repositories, and uploaded ones. */
@Injectable()
export class ChartFinder {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly uploaded: UploadedCharts,
  ) {}

  /**
   * Fetches the chart that a request names.
   * @throws DomainError `invalid_input` where it names none or two, `chart_not_found`, `repository_unreachable`,
   *   `chart_refused`, `package_manager_unavailable`.
   */
  async find(manager: PackageManager, query: ChartQueryDto, signal?: AbortSignal): Promise<FoundChart> {
    const { addon, chart, repository, version } = query;
    if ((addon === undefined) === (chart === undefined)) {
      throw invalidInput([
        {
          field: 'addon',
          problem: 'of the catalogue, or chart and repository: one of them names what is meant',
        },
      ]);
    }
    if (addon !== undefined) {
      if (repository !== undefined) {
        throw invalidInput([{ field: 'repository', problem: 'is not told for an addon of the catalogue' }]);
      }
      return await this.ofCatalogue(manager, addon, version, signal);
    }
    if (repository === undefined) {
      throw invalidInput([
        { field: 'repository', problem: `must be told with chart: a repository, or ${UPLOADED}` },
      ]);
    }
    return await this.ofOrigin(manager, { source: repository, chart: chart ?? '' }, version, signal);
  }

  /** The same for what a release came from. @throws DomainError as `find` */
  async ofOrigin(
    manager: PackageManager,
    origin: AddonSource,
    version: string | undefined,
    signal?: AbortSignal,
  ): Promise<FoundChart> {
    const { source, chart: name } = origin;
    if (source === FROM_CATALOGUE) return await this.ofCatalogue(manager, name, version, signal);
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

  /** What a repository offers. @throws DomainError `chart_not_found`, `repository_unreachable` */
  async offered(manager: PackageManager, repository: string, search = ''): Promise<OfferedChartsDto> {
    const all =
      repository === UPLOADED ? await this.uploadedCharts() : await this.ofRepository(manager, repository);
    const wanted = search.toLowerCase();
    const found = all.filter(
      ({ chart, description }) =>
        chart.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
    );
    return { charts: found.slice(0, CHARTS_TOLD), total: found.length };
  }

  private async ofCatalogue(
    manager: PackageManager,
    name: string,
    version: string | undefined,
    signal?: AbortSignal,
  ): Promise<FoundChart> {
    const entry = entryOf(name);
    if (!entry) {
      throw new DomainError(
        'addon_not_found',
        `The catalogue has no ${name}. It has ${CATALOGUE.map((one) => one.name).join(', ')}.`,
      );
    }
    const pinned = version ?? entry.version;
    const source: ChartSource =
      'reference' in entry.source
        ? { type: 'registry', reference: entry.source.reference, version: pinned }
        : {
            type: 'repository',
            repository: { url: entry.source.repository },
            chart: entry.chart,
            version: pinned,
          };
    return {
      chart: await manager.chart(source, signal),
      entry,
      origin: { source: FROM_CATALOGUE, chart: name },
    };
  }

  private async ofRepository(manager: PackageManager, name: string): Promise<OfferedChartsDto['charts']> {
    const { url, credentials } = await this.repositories.open(name);
    if (url.startsWith('oci://')) {
      // Registries have no list that they tell; a chart of theirs is asked for by its name.
      return [];
    }
    return (await manager.offered({ url, credentials })).map((offered) => ({
      repository: name,
      chart: offered.name,
      description: offered.description,
      versions: offered.versions.map(({ version, appVersion }) => ({ version, app_version: appVersion })),
    }));
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
