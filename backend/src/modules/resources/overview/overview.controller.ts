import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Fails, ApiClusterName, clusterName } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { ReturnsJson } from '../common/json-response.js';
import { OPEN_FAILURES } from '../common/open-failures.js';
import { OverviewSummaryDto, ResourceBlockDto } from '../common/resource.dto.js';
import { OverviewQueryDto, overviewSchema } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

@GuardedController('resources', 'clusters/:name/overview')
export class OverviewController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly overviews: OverviewService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get an overview of a cluster',
    description:
      'Contains one block per kind that the cluster serves: its total and its first rows from all namespaces, those that need attention first. Columns and cells are those of kubectl. If a kind cannot be read, its block contains the error. Of an external cluster, most kinds are missing until its server has listed them.',
  })
  @ApiClusterName()
  @ReturnsJson(overviewSchema(), OverviewSummaryDto, ResourceBlockDto)
  @Fails(...OPEN_FAILURES)
  async read(@Param('name') name: string, @Query() query: OverviewQueryDto): Promise<string> {
    const open = await this.resources.open(clusterName(name), query.runtime);
    return await this.overviews.read(open, query);
  }
}
