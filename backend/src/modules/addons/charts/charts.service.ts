import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { JournalService } from '../../journal/index.js';
import { AddonClusters } from '../common/addon-clusters.js';
import { UPLOADED } from '../common/addon.js';
import type { ChartDetailsQueryDto, ChartDto, OfferedChartsDto } from '../common/chart.dto.js';
import { unsupportedReason } from '../catalog/catalog.js';
import { ChartFinder, type FoundChart } from './chart-finder.js';
import { UploadedCharts } from './uploaded-charts.js';

@Injectable()
export class ChartsService {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly finder: ChartFinder,
    private readonly uploaded: UploadedCharts,
    private readonly journal: JournalService,
  ) {}

  /** Charts are shared, but their routes belong to a cluster. @throws DomainError `cluster_not_found`, `cluster_ambiguous` */
  async assertCluster(name: string, runtime: string | undefined): Promise<void> {
    await this.clusters.get(name, runtime);
  }

  /** @throws DomainError as `ChartFinder.find` */
  async details(name: string, { runtime, ...query }: ChartDetailsQueryDto): Promise<ChartDto> {
    const cluster = await this.clusters.get(name, runtime);
    const found = await this.finder.find(this.clusters.managerOf(cluster.runtime), query);
    return present(found, cluster.kubernetes_version);
  }

  async offered(
    name: string,
    runtime: string | undefined,
    repository: string,
    search: string | undefined,
  ): Promise<OfferedChartsDto> {
    const cluster = await this.clusters.get(name, runtime);
    return await this.finder.list(this.clusters.managerOf(cluster.runtime), repository, search);
  }

  /** @throws DomainError `chart_refused`, `payload_too_large` */
  async upload(name: string, runtime: string | undefined, content: Readable): Promise<ChartDto> {
    const cluster = await this.clusters.get(name, runtime);
    const chart = await this.uploaded.add(content);
    this.record(`Uploaded chart ${chart.name} ${chart.version}.`);
    return present(
      { chart, entry: null, origin: { source: UPLOADED, chart: chart.name } },
      cluster.kubernetes_version,
    );
  }

  /** @returns the remaining uploaded charts. @throws DomainError `chart_not_found` */
  async remove(
    name: string,
    runtime: string | undefined,
    chart: string,
    version: string,
  ): Promise<OfferedChartsDto> {
    const cluster = await this.clusters.get(name, runtime);
    await this.uploaded.remove(chart, version);
    this.record(`Deleted uploaded chart ${chart} ${version}. Releases installed from it stay.`);
    return await this.finder.list(this.clusters.managerOf(cluster.runtime), UPLOADED);
  }

  private record(message: string): void {
    this.journal.record({ kind: 'chart-upload', outcome: 'succeeded', message });
  }
}

function present({ chart, entry }: FoundChart, kubernetes: string | null): ChartDto {
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
    schema: chart.schema === null ? null : (JSON.parse(chart.schema) as object),
    dependencies: chart.dependencies,
    notes: entry?.notes ?? [],
    namespace: entry?.namespace ?? release,
    release,
  };
}
