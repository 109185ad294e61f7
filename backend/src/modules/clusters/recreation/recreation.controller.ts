import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../../core/api/index.js';
import { GuardedController, KindClustersOnly } from '../../../core/security/index.js';
import { StartsJob, type Job } from '../../jobs/index.js';
import { RecreateClusterDto, RecreationCheckDto } from './recreation.dto.js';
import { RecreationService } from './recreation.service.js';

@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters/:name/recreate')
export class RecreationController {
  constructor(private readonly recreations: RecreationService) {}

  @Post()
  @ApiOperation({
    summary: 'Recreate a cluster',
    description:
      'Deletes the cluster and creates it again from its saved config, in one job. Runs all checks and pulls the image before it deletes anything. Also retries a `failed` creation and restores a `missing` cluster. Workloads and volumes are deleted; see the check.',
  })
  @ApiBody({
    type: RecreateClusterDto,
    required: false,
    examples: { inspection: { summary: 'Keep the nodes if it fails', value: { keep_on_failure: true } } },
  })
  @StartsJob()
  @Fails(
    'cluster_busy',
    'cluster_state',
    'config_refused',
    'runtime_unavailable',
    'provisioner_unavailable',
    'storage_unavailable',
  )
  recreate(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() { keep_on_failure }: RecreateClusterDto,
  ): Promise<Job> {
    return this.recreations.recreate(clusterName(name), runtime, keep_on_failure);
  }

  @Get('check')
  @ApiOperation({
    summary: 'Check a recreation',
    description:
      'Changes nothing. Returns what the recreation would delete and create, and all problems that prevent it. Also applies to a start with `config_changed`.',
  })
  @Returns(RecreationCheckDto)
  check(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<RecreationCheckDto> {
    return this.recreations.check(clusterName(name), runtime);
  }
}
