import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Fails, Returns } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { addressOf, type AddressParameters } from '../change/change-target.js';
import { ChangedResourceDto, ChangeQueryDto } from '../change/change.dto.js';
import { ApiResourceObject, NamespaceQueryDto } from '../../resources/index.js';
import { RolloutDto, UndoneRolloutDto, UndoRolloutDto } from './rollout.dto.js';
import { RolloutService } from './rollout.service.js';

const undoExamples = {
  previous: { summary: 'To the revision before the current one', value: {} },
  second: { summary: 'To revision 2', value: { revision: 2 } },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/rollout')
export class RolloutController {
  constructor(private readonly rollouts: RolloutService) {}

  @Get()
  @ApiOperation({
    summary: 'List the revisions of a workload',
    description:
      'The Pod templates that a Deployment, StatefulSet or DaemonSet has had, as `kubectl rollout history`.',
  })
  @ApiResourceObject()
  @Returns(RolloutDto)
  @Fails(...CHANGE_FAILURES)
  read(@Param() parameters: AddressParameters, @Query() query: NamespaceQueryDto): Promise<RolloutDto> {
    return this.rollouts.read(addressOf(parameters, query));
  }

  @Post('undo')
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Roll back a workload',
    description:
      'Takes the Pod template of an earlier revision after a dry run by the cluster, and returns the diff. `dry_run=true` returns only the diff.',
  })
  @ApiResourceObject()
  @ApiBody({ type: UndoRolloutDto, examples: undoExamples })
  @Returns(UndoneRolloutDto)
  @Fails(...CHANGE_FAILURES)
  undo(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
    @Body() { revision }: UndoRolloutDto,
  ): Promise<UndoneRolloutDto> {
    return this.rollouts.undo(addressOf(parameters, query), revision, dry_run);
  }

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Pause the rollout of a Deployment' })
  @ApiResourceObject()
  @Returns(ChangedResourceDto)
  @Fails(...CHANGE_FAILURES)
  pause(
    @Param() parameters: AddressParameters,
    @Query() query: NamespaceQueryDto,
  ): Promise<ChangedResourceDto> {
    return this.rollouts.pause(addressOf(parameters, query), true);
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Resume the rollout of a Deployment' })
  @ApiResourceObject()
  @Returns(ChangedResourceDto)
  @Fails(...CHANGE_FAILURES)
  resume(
    @Param() parameters: AddressParameters,
    @Query() query: NamespaceQueryDto,
  ): Promise<ChangedResourceDto> {
    return this.rollouts.pause(addressOf(parameters, query), false);
  }
}
