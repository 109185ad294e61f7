import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns, Fails } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { ApiClusterName, clusterName, RuntimeQueryDto } from '../clusters/index.js';
import { MAX_CHART_BYTES, UPLOADED } from './addon.js';
import {
  AddRepositoryDto,
  ChartDto,
  ChartDetailsQueryDto,
  OfferedChartsDto,
  OfferedChartsQueryDto,
  RepositoryDto,
} from './chart.dto.js';
import { ChartsService } from './charts/charts.service.js';
import { RepositoriesService } from './charts/repositories.service.js';

const CHART_TYPES = ['application/gzip', 'application/x-gzip', 'application/x-tgz'];

/** Where charts come from: repositories, and uploads. They are the same for all clusters. */
@ApiTags('addons')
@UseGuards(AccessGuard)
@Controller('clusters/:name/addons')
export class ChartsController {
  constructor(
    private readonly charts: ChartsService,
    private readonly repositories: RepositoriesService,
  ) {}

  @Get('charts')
  @ApiOperation({
    summary: 'A chart with what its values may be',
    description:
      'An entry of the catalogue (`addon`), or a chart of a repository or an uploaded one (`repository`, `chart`). It is fetched for this.',
  })
  @ApiClusterName()
  @Returns(ChartDto)
  @Fails(
    'invalid_input',
    'cluster_not_found',
    'cluster_ambiguous',
    'addon_not_found',
    'chart_not_found',
    'chart_refused',
    'repository_unreachable',
    'package_manager_unavailable',
  )
  chart(@Param('name') name: string, @Query() query: ChartDetailsQueryDto): Promise<ChartDto> {
    return this.charts.details(clusterName(name), query);
  }

  @Post('charts')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Upload a chart',
    description: `Packed as helm package does (.tgz), up to ${MAX_CHART_BYTES / 1e6} MB. It is then offered as a chart of the repository \`${UPLOADED}\`.`,
  })
  @ApiClusterName()
  @ApiConsumes(...CHART_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Returns(ChartDto, { status: 201 })
  @Fails(
    'cluster_not_found',
    'cluster_ambiguous',
    'chart_refused',
    'payload_too_large',
    'unsupported_media_type',
    'storage_unavailable',
  )
  upload(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
  ): Promise<ChartDto> {
    if (!CHART_TYPES.some((type) => type === request.headers['content-type']?.split(';')[0]?.trim())) {
      throw new DomainError('unsupported_media_type', 'Send the packed chart as application/gzip.');
    }
    return this.charts.upload(clusterName(name), runtime, request);
  }

  @Delete('charts/:chart/:version')
  @ApiOperation({
    summary: 'Remove an uploaded chart',
    description: 'What was installed from it stays. The answer is what is left.',
  })
  @ApiClusterName()
  @ApiParam({ name: 'chart', example: 'shop' })
  @ApiParam({ name: 'version', example: '1.4.0' })
  @Returns(OfferedChartsDto)
  @Fails('cluster_not_found', 'cluster_ambiguous', 'chart_not_found')
  async removeChart(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Param('chart') chart: string,
    @Param('version') version: string,
  ): Promise<OfferedChartsDto> {
    return await this.charts.remove(clusterName(name), runtime, chart, version);
  }

  @Get('repositories')
  @ApiOperation({
    summary: 'Repositories of charts that were added',
    description: 'Passwords are never told.',
  })
  @ApiClusterName()
  @Returns(RepositoryDto, { list: true })
  @Fails('cluster_not_found', 'cluster_ambiguous')
  async list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<RepositoryDto[]> {
    await this.charts.assertCluster(clusterName(name), runtime);
    return this.repositories.list();
  }

  @Post('repositories')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Add a repository of charts',
    description:
      'By https or oci. One that leads to this machine or a private network must be named in APP_CHART_HOSTS. A password is kept encrypted.',
  })
  @ApiClusterName()
  @ApiBody({
    type: AddRepositoryDto,
    examples: { public: { value: { name: 'bitnami', url: 'https://charts.bitnami.com/bitnami' } } },
  })
  @Returns(RepositoryDto, { status: 201 })
  @Fails('invalid_input', 'cluster_not_found', 'cluster_ambiguous')
  async add(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: AddRepositoryDto,
  ): Promise<RepositoryDto> {
    await this.charts.assertCluster(clusterName(name), runtime);
    return await this.repositories.add(request);
  }

  @Delete('repositories/:repository')
  @ApiOperation({
    summary: 'Forget a repository',
    description: 'What was installed from it stays. The answer is what is left.',
  })
  @ApiClusterName()
  @ApiParam({ name: 'repository', example: 'bitnami' })
  @Returns(RepositoryDto, { list: true })
  @Fails('cluster_not_found', 'cluster_ambiguous', 'chart_not_found')
  async forget(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Param('repository') repository: string,
  ): Promise<RepositoryDto[]> {
    await this.charts.assertCluster(clusterName(name), runtime);
    await this.repositories.remove(repository);
    return this.repositories.list();
  }

  @Get('repositories/:repository')
  @ApiOperation({
    summary: 'Charts that a repository offers',
    description: `\`${UPLOADED}\` stands for those that were uploaded. A registry (oci) has no list that it tells.`,
  })
  @ApiClusterName()
  @ApiParam({ name: 'repository', example: 'bitnami' })
  @Returns(OfferedChartsDto)
  @Fails(
    'invalid_input',
    'cluster_not_found',
    'cluster_ambiguous',
    'chart_not_found',
    'repository_unreachable',
    'package_manager_unavailable',
  )
  offered(
    @Param('name') name: string,
    @Param('repository') repository: string,
    @Query() { runtime, search }: OfferedChartsQueryDto,
  ): Promise<OfferedChartsDto> {
    return this.charts.offered(clusterName(name), runtime, repository, search);
  }
}
