import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { ApiClusterName, clusterName, RuntimeQueryDto } from '../clusters/index.js';
import { ForwardsService } from './forward/forwards.service.js';
import { ForwardDto, ForwardRequestDto, ReleaseQueryDto } from './operation.dto.js';

@ApiTags('addons')
@UseGuards(AccessGuard)
@Controller('clusters/:name/addons')
export class ForwardsController {
  constructor(private readonly forwards: ForwardsService) {}

  @Get('forwards')
  @ApiOperation({ summary: 'Ports of this machine that lead to releases of the cluster' })
  @ApiClusterName()
  @Returns(ForwardDto, { list: true })
  @Fails('cluster_not_found', 'cluster_ambiguous')
  list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ForwardDto[]> {
    return this.forwards.list(clusterName(name), runtime);
  }

  @Delete('forwards/:id')
  @ApiOperation({ summary: 'Close a port-forward', description: 'The answer is what is left.' })
  @ApiClusterName()
  @ApiParam({ name: 'id', example: '5f0c2d1e9a7b' })
  @Returns(ForwardDto, { list: true })
  @Fails('cluster_not_found', 'cluster_ambiguous', 'forward_not_found')
  close(
    @Param('name') name: string,
    @Param('id') id: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<ForwardDto[]> {
    return this.forwards.close(clusterName(name), runtime, id);
  }

  @Post(':release/forward')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Open a release’s page through a port-forward',
    description:
      'Listens on a free port of 127.0.0.1 and leads to a web page (HTTP or HTTPS) of a Service of the release, until it is closed, or its release, its cluster or Slipway ends. Only a browser that opened `url` is let through: it gets a cookie for this port-forward, and is redirected. A port-forward that is open already is returned again, with a new link.',
  })
  @ApiClusterName()
  @ApiParam({ name: 'release', description: 'Name of the release', example: 'kiali' })
  @ApiBody({ type: ForwardRequestDto, examples: { 'the likeliest': { value: {} } } })
  @Returns(ForwardDto, { status: 201 })
  @Fails(
    'invalid_input',
    'cluster_not_found',
    'cluster_ambiguous',
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
    @Body() request: ForwardRequestDto,
  ): Promise<ForwardDto> {
    return this.forwards.open({ name: clusterName(name), runtime, namespace }, release, request);
  }
}
