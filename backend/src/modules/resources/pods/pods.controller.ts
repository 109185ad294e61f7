import { Body, Controller, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../../core/api/index.js';
import { AccessGuard, DryRunScope } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { RestartedPodDto, RestartPodDto } from './pod-restart.dto.js';
import { PodRestartService } from './pod-restart.service.js';

const examples = {
  owned: { summary: 'One that its owner brings back', value: { namespace: 'shop', name: 'web-0' } },
  bare: { summary: 'One that nobody brings back', value: { namespace: 'shop', name: 'debug', force: true } },
};

@ApiTags('resources')
@UseGuards(AccessGuard)
@Controller('clusters/:name/pods')
export class PodsController {
  constructor(private readonly restarts: PodRestartService) {}

  @Post('restart')
  @HttpCode(200)
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Restart a pod',
    description:
      'Deletes it, so that its owner makes another one; says who that is, and whether it does. One that does not come back answers `pod_unowned` with the reason, unless `force` is sent. A static pod is its kubelet’s: nothing is done, and the answer says so.',
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
