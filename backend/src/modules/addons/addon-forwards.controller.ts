import { Body, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController, KeepsCluster } from '../../core/security/index.js';
import { AddonForwardsService } from './forward/addon-forwards.service.js';
import { AddonForwardDto, OpenAddonDto, ReleaseQueryDto } from './common/operation.dto.js';

@ApiClusterName()
@KeepsCluster()
@GuardedController('addons', 'clusters/:name/addons')
export class AddonForwardsController {
  constructor(private readonly forwards: AddonForwardsService) {}

  @Get('forwards')
  @ApiOperation({ summary: 'List port-forwards to releases of the cluster' })
  @Returns(AddonForwardDto, { list: true })
  list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<AddonForwardDto[]> {
    return this.forwards.list(clusterName(name), runtime);
  }

  @Delete('forwards/:id')
  @ApiOperation({ summary: 'Close a port-forward', description: 'Returns the remaining port-forwards.' })
  @ApiParam({ name: 'id', example: '5f0c2d1e9a7b' })
  @Returns(AddonForwardDto, { list: true })
  @Fails('forward_not_found')
  close(
    @Param('name') name: string,
    @Param('id') id: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<AddonForwardDto[]> {
    return this.forwards.close(clusterName(name), runtime, id);
  }

  @Post('releases/:release/forward')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Open a port-forward to the web page of a release',
    description:
      'Listens on a free port of 127.0.0.1 and forwards HTTP or HTTPS to a Service of the release, until it is closed, the release is uninstalled, or the cluster or Slipway stops. Only a browser that has opened `url` has access: it gets a cookie for this port-forward and is redirected. If the port-forward is already open, it is returned with a new link.',
  })
  @ApiParam({ name: 'release', description: 'Name of the release', example: 'kiali' })
  @ApiBody({ type: OpenAddonDto, examples: { 'default Service': { value: {} } } })
  @Returns(AddonForwardDto, { status: 201 })
  @Fails(
    'cluster_state',
    'cluster_unreachable',
    'runtime_unavailable',
    'addon_not_found',
    'resource_not_found',
    'resource_forbidden',
    'resource_refused',
    'package_manager_unavailable',
  )
  open(
    @Param('name') name: string,
    @Param('release') release: string,
    @Query() { runtime, namespace }: ReleaseQueryDto,
    @Body() request: OpenAddonDto,
    @Req() { headers }: Request,
  ): Promise<AddonForwardDto> {
    return this.forwards.open(
      { name: clusterName(name), runtime, namespace },
      release,
      request,
      headers['user-agent'],
    );
  }
}
