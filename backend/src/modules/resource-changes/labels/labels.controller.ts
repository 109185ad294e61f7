import { HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, Returns } from '../../../core/api/index.js';
import { DryRunScope, GuardedController, KindClustersOnly } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { AppliedLabelsDto, LabelsQueryDto } from './labels.dto.js';
import { LabelsService } from './labels.service.js';

@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters/:name/config/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Post()
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Apply changed node labels',
    description:
      'If the saved config changes only labels of nodes, sets them on the running nodes after a dry run by the cluster. No node is recreated, and the saved config is then the applied one. `dry_run=true` returns only the diff.',
  })
  @Returns(AppliedLabelsDto)
  @Fails(...CHANGE_FAILURES, 'cluster_busy', 'config_not_found', 'storage_unavailable')
  apply(
    @Param('name') name: string,
    @Query() { runtime, dry_run }: LabelsQueryDto,
  ): Promise<AppliedLabelsDto> {
    return this.labels.apply(clusterName(name), runtime, dry_run ?? false);
  }
}
