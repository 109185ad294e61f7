import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation, getSchemaPath } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { ReturnsJson } from '../common/json-response.js';
import { OPEN_FAILURES } from '../common/open-failures.js';
import { PodUsageDto, UsageQueryDto } from './usage.dto.js';
import { UsageReadings } from './usage-readings.js';

@GuardedController('resources', 'clusters/:name/pods/usage')
export class UsageController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly usage: UsageReadings,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the usage of pods',
    description:
      'CPU and memory of pods and their containers, from metrics-server, with the last hour, which is kept in memory. Slipway reads the usage of each running cluster every 15 s. Empty without metrics-server.',
  })
  @ApiClusterName()
  @ReturnsJson({ type: 'array', items: { $ref: getSchemaPath(PodUsageDto) } }, PodUsageDto)
  @Fails(...OPEN_FAILURES)
  async list(@Param('name') name: string, @Query() query: UsageQueryDto): Promise<string> {
    const open = await this.resources.open(clusterName(name), query.runtime);
    return JSON.stringify(await this.usage.ofPods(open, query));
  }
}
