import { Body, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../../core/api/index.js';
import {
  GuardedController,
  KindClustersOnly,
  requireRecentPassword,
  RouteScope,
} from '../../../core/security/index.js';
import { StartsJob, type Job } from '../../jobs/index.js';
import { CloneCheckDto, CloneClusterDto } from './clone.dto.js';
import { CloneService } from './clone.service.js';

const EXAMPLES = {
  'in the same engine': { value: { name: 'staging-2' } },
  'in another engine': { value: { name: 'staging-podman', runtime: 'podman' } },
};

@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters/:name/clone')
export class CloneController {
  constructor(private readonly clones: CloneService) {}

  @Post()
  @ApiOperation({
    summary: 'Clone a cluster',
    description:
      'Creates another cluster from its config. Host ports in use change to free ones, which the result of the job lists. Workloads are not copied.',
  })
  @ApiBody({ type: CloneClusterDto, examples: EXAMPLES })
  @StartsJob()
  @Fails(
    'cluster_exists',
    'cluster_busy',
    'cluster_state',
    'config_refused',
    'runtime_unavailable',
    'provisioner_unavailable',
    'reauthentication_required',
    'storage_unavailable',
  )
  clone(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() clone: CloneClusterDto,
    @Req() request: Request,
  ): Promise<Job> {
    return this.clones.clone(clusterName(name), runtime, clone, () => requireRecentPassword(request));
  }

  @Post('check')
  @HttpCode(200)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Check a clone',
    description: 'Changes nothing. Returns the ports that would change, and what both clusters would share.',
  })
  @ApiBody({ type: CloneClusterDto, examples: EXAMPLES })
  @Returns(CloneCheckDto)
  @Fails('cluster_state', 'config_refused', 'runtime_unavailable')
  check(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: CloneClusterDto,
  ): Promise<CloneCheckDto> {
    return this.clones.check(clusterName(name), runtime, request);
  }
}
