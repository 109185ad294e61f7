import { applyDecorators, Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { StartsJob, type Job } from '../../jobs/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { ChangedResourceDto } from '../change/change.dto.js';
import { DrainDto } from './drain.dto.js';
import { NodesService } from './nodes.service.js';

const drainExamples = {
  careful: { summary: 'Fail if pods or data would be lost', value: {} },
  all: {
    summary: 'Accept losses, within two minutes',
    value: { force: true, delete_emptydir_data: true, timeout_seconds: 120 },
  },
};

@GuardedController('resources', 'clusters/:name/resources/core/v1/nodes/:object')
export class NodesController {
  constructor(private readonly nodes: NodesService) {}

  @Post('cordon')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cordon a node',
    description: 'No new pods are scheduled on the node. Existing pods stay.',
  })
  @ApiNode()
  @Returns(ChangedResourceDto)
  @Fails(...CHANGE_FAILURES)
  cordon(
    @Param('name') name: string,
    @Param('object') node: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<ChangedResourceDto> {
    return this.nodes.cordon({ cluster: clusterName(name), runtime, node }, true);
  }

  @Post('uncordon')
  @HttpCode(200)
  @ApiOperation({ summary: 'Uncordon a node', description: 'New pods can be scheduled on the node again.' })
  @ApiNode()
  @Returns(ChangedResourceDto)
  @Fails(...CHANGE_FAILURES)
  uncordon(
    @Param('name') name: string,
    @Param('object') node: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<ChangedResourceDto> {
    return this.nodes.cordon({ cluster: clusterName(name), runtime, node }, false);
  }

  @Post('drain')
  @ApiOperation({
    summary: 'Drain a node',
    description:
      'Cordons the node and evicts its pods as their disruption budgets allow, with retries until the timeout. Pods of DaemonSets and static pods stay. If pods or data in emptyDir volumes would be lost, the request fails with `confirmation_required` and their names unless `force` or `delete_emptydir_data` is set. After a canceled drain, the node stays cordoned.',
  })
  @ApiNode()
  @ApiBody({ type: DrainDto, required: false, examples: drainExamples })
  @StartsJob()
  @Fails(...CHANGE_FAILURES, 'cluster_busy', 'confirmation_required', 'too_many_requests')
  drain(
    @Param('name') name: string,
    @Param('object') node: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: DrainDto,
  ): Promise<Job> {
    return this.nodes.drain({ cluster: clusterName(name), runtime, node }, request);
  }
}

function ApiNode(): MethodDecorator {
  return applyDecorators(
    ApiClusterName(),
    ApiParam({ name: 'object', description: 'Name of the node', example: 'staging-worker' }),
  );
}
