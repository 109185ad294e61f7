import { Body, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { GuardedController } from '../../core/security/index.js';
import { MAX_CHART_BYTES, UPLOADED } from './common/addon.js';
import {
  AddRepositoryDto,
  ChartDto,
  ChartDetailsQueryDto,
  OfferedChartsDto,
  OfferedChartsQueryDto,
  RepositoryDto,
} from './common/chart.dto.js';
import { ChartFinder, presentChart } from './charts/chart-finder.js';
import { RepositoriesService } from './charts/repositories.service.js';
import { UploadedCharts } from './charts/uploaded-charts.js';
import { AddonClusters } from './common/addon-clusters.js';

const CHART_TYPES = ['application/gzip', 'application/x-gzip', 'application/x-tgz'];

/** Chart repositories and uploaded charts. All clusters share them. */
@ApiClusterName()
@GuardedController('addons', 'clusters/:name/addons')
export class ChartsController {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly charts: ChartFinder,
    private readonly uploaded: UploadedCharts,
    private readonly repositories: RepositoriesService,
  ) {}

  @Get('charts')
  @ApiOperation({
    summary: 'Get a chart with its default values and schema',
    description:
      'From the catalog (`addon`), or from a repository or an upload (`repository`, `chart`). Slipway downloads the chart.',
  })
  @Returns(ChartDto)
  @Fails(
    'addon_not_found',
    'chart_not_found',
    'chart_refused',
    'repository_unreachable',
    'package_manager_unavailable',
  )
  async chart(
    @Param('name') name: string,
    @Query() { runtime, ...query }: ChartDetailsQueryDto,
  ): Promise<ChartDto> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    const found = await this.charts.find(this.clusters.managerOf(cluster.runtime), query);
    return presentChart(found, cluster.kubernetes_version);
  }

  @Post('charts')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Upload a chart',
    description: `A packaged chart (.tgz, as from \`helm package\`) of up to ${MAX_CHART_BYTES / 1e6} MB. It appears in the repository \`${UPLOADED}\`.`,
  })
  @ApiConsumes(...CHART_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Returns(ChartDto, { status: 201 })
  @Fails('chart_refused', 'payload_too_large', 'unsupported_media_type', 'storage_unavailable')
  async upload(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
  ): Promise<ChartDto> {
    if (!CHART_TYPES.some((type) => type === request.headers['content-type']?.split(';')[0]?.trim())) {
      throw new DomainError(
        'unsupported_media_type',
        'Send the packaged chart (.tgz) with content type application/gzip.',
      );
    }
    const { kubernetes_version } = await this.clusters.get(clusterName(name), runtime);
    return presentChart({ chart: await this.uploaded.add(request), entry: null }, kubernetes_version);
  }

  @Delete('charts/:chart/:version')
  @ApiOperation({
    summary: 'Delete an uploaded chart',
    description: 'Releases installed from it stay. Returns the remaining charts.',
  })
  @ApiParam({ name: 'chart', example: 'shop' })
  @ApiParam({ name: 'version', example: '1.4.0' })
  @Returns(OfferedChartsDto)
  @Fails('chart_not_found')
  async removeChart(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Param('chart') chart: string,
    @Param('version') version: string,
  ): Promise<OfferedChartsDto> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    await this.uploaded.remove(chart, version);
    return await this.charts.list(this.clusters.managerOf(cluster.runtime), UPLOADED);
  }

  @Get('repositories')
  @ApiOperation({ summary: 'List chart repositories', description: 'Without their passwords.' })
  @Returns(RepositoryDto, { list: true })
  async list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<RepositoryDto[]> {
    await this.clusters.get(clusterName(name), runtime);
    return this.repositories.list();
  }

  @Post('repositories')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Add a chart repository',
    description:
      'With an https:// or oci:// URL. Addresses of the host or of a private network must be listed in `APP_CHART_HOSTS`. The password is stored encrypted.',
  })
  @ApiBody({
    type: AddRepositoryDto,
    examples: { public: { value: { name: 'bitnami', url: 'https://charts.bitnami.com/bitnami' } } },
  })
  @Returns(RepositoryDto, { status: 201 })
  async add(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: AddRepositoryDto,
  ): Promise<RepositoryDto> {
    await this.clusters.get(clusterName(name), runtime);
    return await this.repositories.add(request);
  }

  @Delete('repositories/:repository')
  @ApiOperation({
    summary: 'Remove a chart repository',
    description: 'Releases installed from it stay. Returns the remaining repositories.',
  })
  @ApiParam({ name: 'repository', example: 'bitnami' })
  @Returns(RepositoryDto, { list: true })
  @Fails('chart_not_found')
  async removeRepository(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Param('repository') repository: string,
  ): Promise<RepositoryDto[]> {
    await this.clusters.get(clusterName(name), runtime);
    await this.repositories.remove(repository);
    return this.repositories.list();
  }

  @Get('repositories/:repository')
  @ApiOperation({
    summary: 'List the charts of a repository',
    description: `\`${UPLOADED}\` lists the uploaded charts. The list of an OCI registry is empty, because registries have no chart index.`,
  })
  @ApiParam({ name: 'repository', example: 'bitnami' })
  @Returns(OfferedChartsDto)
  @Fails('chart_not_found', 'repository_unreachable', 'package_manager_unavailable')
  async offered(
    @Param('name') name: string,
    @Param('repository') repository: string,
    @Query() { runtime, search }: OfferedChartsQueryDto,
  ): Promise<OfferedChartsDto> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    return await this.charts.list(this.clusters.managerOf(cluster.runtime), repository, search);
  }
}
