import {
  Body,
  Controller,
  Delete,
  Get,
  HttpStatus,
  Param,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard, DryRunScope, RouteScope } from '../../core/security/index.js';
import { ApiClusterName, clusterName, RuntimeQueryDto } from '../clusters/index.js';
import { accepted } from '../jobs/index.js';
import { AddonCatalogueDto, AddonOperationDto, ReleaseDetailsDto, ReleaseDto } from './addon.dto.js';
import {
  InstallAddonDto,
  InstalledQueryDto,
  ReleaseQueryDto,
  RollbackAddonDto,
  UpgradeAddonDto,
} from './operation.dto.js';
import { OperationsService, type OperationResult } from './operation/operations.service.js';
import { ReleasesService } from './release/releases.service.js';

const DRY_RUN =
  'With dry_run nothing is changed, and the answer is 200 with the difference in place of a job. The chart is rendered without access to the cluster then: `lookup` finds nothing.';

/** What is wrong with a chart or its values. */
const REFUSALS = [
  'invalid_input',
  'values_refused',
  'chart_refused',
  'chart_not_found',
  'repository_unreachable',
  'package_manager_unavailable',
] as const;
/** What is wrong with a cluster. */
const CLUSTER = [
  'cluster_not_found',
  'cluster_ambiguous',
  'cluster_state',
  'cluster_unreachable',
  'runtime_unavailable',
] as const;

@ApiTags('addons')
@UseGuards(AccessGuard)
@Controller('clusters/:name/addons')
export class AddonsController {
  constructor(
    private readonly releases: ReleasesService,
    private readonly operations: OperationsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'The catalogue of addons, each as it stands in the cluster',
    description: 'Answers also for a cluster that does not run, with the reason why states are not told.',
  })
  @ApiClusterName()
  @Returns(AddonCatalogueDto)
  @Fails('cluster_not_found', 'cluster_ambiguous')
  catalogue(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<AddonCatalogueDto> {
    return this.releases.catalogue(clusterName(name), runtime);
  }

  @Get('installed')
  @ApiOperation({
    summary: 'Every release of helm in the cluster',
    description: 'In whatever state, also those that were made by hand.',
  })
  @ApiClusterName()
  @Returns(ReleaseDto, { list: true })
  @Fails(...CLUSTER, 'package_manager_unavailable')
  installed(
    @Param('name') name: string,
    @Query() { runtime, resources }: InstalledQueryDto,
  ): Promise<ReleaseDto[]> {
    return this.releases.installed(clusterName(name), runtime, resources);
  }

  @Post()
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Install an addon',
    description: `One of the catalogue (\`addon\`), or a chart of a repository or an uploaded one (\`repository\`, \`chart\`). Everything that can be refused is before anything is changed. ${DRY_RUN} There is no field for a login or a password: Kiali opens without a sign-in, and values that say otherwise are refused.`,
  })
  @ApiClusterName()
  @ApiBody({
    type: InstallAddonDto,
    examples: {
      'of the catalogue': { value: { addon: 'metrics-server' } },
      'of a repository': {
        value: {
          repository: 'bitnami',
          chart: 'nginx',
          release: 'web',
          namespace: 'shop',
          values: 'replicaCount: 2\n',
        },
      },
      'only looked at': { value: { addon: 'kiali', dry_run: true } },
    },
  })
  @Returns(AddonOperationDto)
  @ApiResponse({ status: 202, type: AddonOperationDto, description: 'Accepted' })
  @Fails(
    ...CLUSTER,
    ...REFUSALS,
    'addon_not_found',
    'cluster_busy',
    'release_exists',
    'release_busy',
    'storage_unavailable',
  )
  async install(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: InstallAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    return answer(await this.operations.install({ name: clusterName(name), runtime }, request), response);
  }

  @Get(':release')
  @RouteScope('full')
  @ApiOperation({
    summary: 'One release',
    description:
      'Values given and computed, notes, history, and its resources as they stand. An access token needs the scope `full`, because values may contain passwords.',
  })
  @ApiClusterName()
  @ApiReleaseName()
  @Returns(ReleaseDetailsDto)
  @Fails(...CLUSTER, 'invalid_input', 'addon_not_found', 'package_manager_unavailable')
  details(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() query: ReleaseQueryDto,
  ): Promise<ReleaseDetailsDto> {
    return this.releases.details(clusterName(name), release, query);
  }

  @Put(':release')
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Upgrade a release',
    description: `Without a chart it keeps its own, without a version its version, without values those that it was given. ${DRY_RUN}`,
  })
  @ApiClusterName()
  @ApiReleaseName()
  @ApiBody({
    type: UpgradeAddonDto,
    examples: {
      'another version': { value: { version: '41.3.0' } },
      'other values': { value: { values: 'replicas: 2\n', dry_run: true } },
    },
  })
  @Returns(AddonOperationDto)
  @ApiResponse({ status: 202, type: AddonOperationDto, description: 'Accepted' })
  @Fails(...CLUSTER, ...REFUSALS, 'addon_not_found', 'cluster_busy', 'release_busy', 'storage_unavailable')
  async upgrade(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() { runtime, namespace }: ReleaseQueryDto,
    @Body() request: UpgradeAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    const where = { name: clusterName(name), runtime, namespace };
    return answer(await this.operations.upgrade(where, release, request), response);
  }

  @Post(':release/rollback')
  @DryRunScope('body')
  @ApiOperation({ summary: 'Take a release back to an earlier revision', description: DRY_RUN })
  @ApiClusterName()
  @ApiReleaseName()
  @ApiBody({ type: RollbackAddonDto, examples: { back: { value: { revision: 1 } } } })
  @Returns(AddonOperationDto)
  @ApiResponse({ status: 202, type: AddonOperationDto, description: 'Accepted' })
  @Fails(
    ...CLUSTER,
    'invalid_input',
    'addon_not_found',
    'cluster_busy',
    'release_busy',
    'package_manager_unavailable',
  )
  async rollback(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() { runtime, namespace }: ReleaseQueryDto,
    @Body() request: RollbackAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    const where = { name: clusterName(name), runtime, namespace };
    return answer(await this.operations.rollback(where, release, request), response);
  }

  @Delete(':release')
  @ApiOperation({
    summary: 'Uninstall a release',
    description: 'Its namespace stays, and so do definitions that a chart brought in crds/.',
  })
  @ApiClusterName()
  @ApiReleaseName()
  @Returns(AddonOperationDto, { status: 202 })
  @Fails(
    ...CLUSTER,
    'invalid_input',
    'addon_not_found',
    'cluster_busy',
    'release_busy',
    'package_manager_unavailable',
  )
  async uninstall(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() { runtime, namespace }: ReleaseQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    const where = { name: clusterName(name), runtime, namespace };
    return answer(await this.operations.uninstall(where, release), response);
  }
}

export function ApiReleaseName(): MethodDecorator {
  return ApiParam({ name: 'release', description: 'Name of the release', example: 'traefik' });
}

function answer(
  { job, diff, cluster, release, namespace }: OperationResult,
  response: Response,
): AddonOperationDto {
  const common = { cluster, release, namespace };
  if (!job) {
    response.status(HttpStatus.OK);
    return { ...common, dry_run: true, job_id: null, status_url: null, difference: diff };
  }
  response.status(HttpStatus.ACCEPTED);
  const { job_id, status_url } = accepted(job, response);
  return { ...common, dry_run: false, job_id, status_url, difference: null };
}
