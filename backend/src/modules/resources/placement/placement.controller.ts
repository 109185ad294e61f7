import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, Returns, RuntimeQueryDto } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { OPEN_FAILURES } from '../common/open-failures.js';
import { PodPlacementDto } from './placement.dto.js';
import { PlacementService } from './placement.service.js';

@GuardedController('resources', 'clusters/:name/pods/placement')
export class PlacementController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly placement: PlacementService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get the placement of pods',
    description:
      'Each pod in short: its node, its health and the memory that it requests. The overview of the cluster on `/events` says when it changes.',
  })
  @ApiClusterName()
  @Returns(PodPlacementDto)
  @Fails(...OPEN_FAILURES)
  async read(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<PodPlacementDto> {
    return await this.placement.read(await this.resources.open(clusterName(name), runtime));
  }
}
