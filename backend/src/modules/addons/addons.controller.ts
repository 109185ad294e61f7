import {
  All,
  applyDecorators,
  Body,
  Delete,
  Get,
  HttpStatus,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiExcludeEndpoint, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { basePathOf, DryRunScope, RouteScope, GuardedController } from '../../core/security/index.js';
import { accepted } from '../jobs/index.js';
import { AddonCatalogDto, AddonOperationDto, ReleaseDetailsDto, ReleaseDto } from './common/addon.dto.js';
import {
  InstallAddonDto,
  InstalledQueryDto,
  ReleaseDetailsQueryDto,
  ReleaseQueryDto,
  UninstallQueryDto,
  RollbackAddonDto,
  UpgradeAddonDto,
} from './common/operation.dto.js';
import { OperationsService, type OperationResult } from './operation/operations.service.js';
import { ReleasesService } from './release/releases.service.js';

const DRY_RUN =
  'With `dry_run`, nothing changes: the response is 200 with the diff instead of a job. The chart is rendered without access to the cluster, so `lookup` returns nothing.';

const CHANGE_ERRORS = ['addon_not_found', 'cluster_busy', 'release_busy'] as const;
const CHART_ERRORS = [
  'values_refused',
  'chart_refused',
  'chart_not_found',
  'repository_unreachable',
  'package_manager_unavailable',
] as const;
const CLUSTER_ERRORS = ['cluster_state', 'cluster_unreachable', 'runtime_unavailable'] as const;

@ApiClusterName()
@GuardedController('addons', 'clusters/:name/addons')
export class AddonsController {
  constructor(
    private readonly releases: ReleasesService,
    private readonly operations: OperationsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the addon catalog with the state of each addon in the cluster',
    description: 'If the cluster is not running, the states are unknown and `reason` says why.',
  })
  @Returns(AddonCatalogDto)
  catalog(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<AddonCatalogDto> {
    return this.releases.catalog(clusterName(name), runtime);
  }

  @Get('installed')
  @ApiOperation({
    summary: 'List the Helm releases of the cluster',
    description: 'In any state, including releases that Slipway did not install.',
  })
  @Returns(ReleaseDto, { list: true })
  @Fails(...CLUSTER_ERRORS, 'package_manager_unavailable')
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
    description: `From the catalog (\`addon\`), or a chart from a repository or an upload (\`repository\`, \`chart\`). Invalid requests are rejected before anything changes. ${DRY_RUN} There is no field for a user name or password: Kiali opens without a sign-in, and values that enable one are rejected.`,
  })
  @ApiBody({
    type: InstallAddonDto,
    examples: {
      catalog: { value: { addon: 'metrics-server' } },
      repository: {
        value: {
          repository: 'bitnami',
          chart: 'nginx',
          release: 'web',
          namespace: 'shop',
          values: 'replicaCount: 2\n',
        },
      },
      'dry run': { value: { addon: 'kiali', dry_run: true } },
    },
  })
  @ReturnsOperation()
  @Fails(...CLUSTER_ERRORS, ...CHANGE_ERRORS, ...CHART_ERRORS, 'release_exists', 'storage_unavailable')
  async install(
    @Param('name') name: string,
    @Query() query: RuntimeQueryDto,
    @Body() request: InstallAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    return respond(await this.operations.install(clusterName(name), query, request), response);
  }

  @Get('releases/:release')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Get a release',
    description:
      'With its values, notes, history and resources. An access token needs the scope `full`, because values may contain passwords.',
  })
  @ApiReleaseName()
  @Returns(ReleaseDetailsDto)
  @Fails(...CLUSTER_ERRORS, 'addon_not_found', 'package_manager_unavailable')
  details(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() query: ReleaseDetailsQueryDto,
  ): Promise<ReleaseDetailsDto> {
    return this.releases.details(clusterName(name), release, query);
  }

  @Put('releases/:release')
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Upgrade a release',
    description: `Chart, version and values that are not set stay as they are. ${DRY_RUN}`,
  })
  @ApiReleaseName()
  @ApiBody({
    type: UpgradeAddonDto,
    examples: {
      'another version': { value: { version: '41.3.0' } },
      'other values': { value: { values: 'replicas: 2\n', dry_run: true } },
    },
  })
  @ReturnsOperation()
  @Fails(...CLUSTER_ERRORS, ...CHANGE_ERRORS, ...CHART_ERRORS, 'storage_unavailable')
  async upgrade(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() query: ReleaseQueryDto,
    @Body() request: UpgradeAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    return respond(await this.operations.upgrade(clusterName(name), query, release, request), response);
  }

  @Post('releases/:release/rollback')
  @DryRunScope('body')
  @ApiOperation({ summary: 'Roll back a release to an earlier revision', description: DRY_RUN })
  @ApiReleaseName()
  @ApiBody({ type: RollbackAddonDto, examples: { 'first revision': { value: { revision: 1 } } } })
  @ReturnsOperation()
  @Fails(...CLUSTER_ERRORS, ...CHANGE_ERRORS, 'package_manager_unavailable')
  async rollback(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() query: ReleaseQueryDto,
    @Body() request: RollbackAddonDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    return respond(await this.operations.rollback(clusterName(name), query, release, request), response);
  }

  @Delete('releases/:release')
  @ApiOperation({
    summary: 'Uninstall a release',
    description:
      'Keeps its namespace and the CRDs from the chart’s `crds/` folder, which the job names as a warning.',
  })
  @ApiReleaseName()
  @Returns(AddonOperationDto, { status: 202 })
  @Fails(...CLUSTER_ERRORS, ...CHANGE_ERRORS, 'package_manager_unavailable')
  async uninstall(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() query: UninstallQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddonOperationDto> {
    return respond(await this.operations.uninstall(clusterName(name), query, release), response);
  }
}

/** Paths of releases before they had a segment of their own. Declared last, so that it hides no other path. */
@GuardedController('addons', 'clusters/:name/addons')
export class FormerAddonPathsController {
  @All([':release', ':release/rollback', ':release/forward'])
  @ApiExcludeEndpoint()
  redirect(@Req() request: Request, @Res() response: Response): void {
    const location = request.originalUrl.replace(/^(\/[^?]{1,200}?\/addons\/)/, '$1releases/');
    response.redirect(HttpStatus.PERMANENT_REDIRECT, basePathOf(request) + location);
  }
}

function ReturnsOperation(): MethodDecorator {
  const accepted = { status: 202, type: AddonOperationDto, description: 'Accepted' };
  return applyDecorators(Returns(AddonOperationDto), ApiResponse(accepted));
}

function ApiReleaseName(): MethodDecorator {
  return ApiParam({ name: 'release', description: 'Name of the release', example: 'traefik' });
}

function respond(
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
