import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { RestartedPodDto, RestartPodDto } from './pod-restart.dto.js';
import { PodRestartService } from './pod-restart.service.js';

const examples = {
  owned: { summary: 'A pod that its controller recreates', value: { namespace: 'shop', name: 'web-0' } },
  bare: { summary: 'A pod without a controller', value: { namespace: 'shop', name: 'debug', force: true } },
};

@GuardedController('resources', 'clusters/:name/pods')
export class PodsController {
  constructor(private readonly restarts: PodRestartService) {}

  @Post('restart')
  @HttpCode(200)
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Restart a pod',
    description:
      'Deletes the pod, so that its controller creates a new one, and returns the owner and the replacement. If the pod would not be recreated, the request fails with `pod_unowned` unless `force` is set. Static pods are not deleted, since only their kubelet can restart them.',
  })
  @ApiClusterName()
  @ApiBody({ type: RestartPodDto, examples })
  @Returns(RestartedPodDto)
  @Fails(...CHANGE_FAILURES, 'pod_unowned')
  restart(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: RestartPodDto,
  ): Promise<RestartedPodDto> {
    return this.restarts.restart(clusterName(name), runtime, request);
  }
}
