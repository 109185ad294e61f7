import { HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Fails, Returns } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { addressOf, type AddressParameters } from '../change/change-target.js';
import { ChangeQueryDto } from '../change/change.dto.js';
import { ApiResourceObject } from '../../resources/index.js';
import { RunCronJobDto, SuspendedDto } from './batch.dto.js';
import { BatchService } from './batch.service.js';

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object')
export class BatchController {
  constructor(private readonly batch: BatchService) {}

  @Post('run')
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Run a CronJob now',
    description: 'Creates a Job from its template, as `kubectl create job --from` does.',
  })
  @ApiResourceObject()
  @Returns(RunCronJobDto)
  @Fails(...CHANGE_FAILURES)
  run(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
  ): Promise<RunCronJobDto> {
    return this.batch.run(addressOf(parameters, query), dry_run);
  }

  @Post('suspend')
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Suspend a CronJob or Job',
    description: 'A suspended CronJob starts no Jobs. Suspending a Job terminates its running Pods.',
  })
  @ApiResourceObject()
  @Returns(SuspendedDto)
  @Fails(...CHANGE_FAILURES)
  suspend(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
  ): Promise<SuspendedDto> {
    return this.batch.suspend(addressOf(parameters, query), true, dry_run);
  }

  @Post('resume')
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({ summary: 'Resume a CronJob or Job' })
  @ApiResourceObject()
  @Returns(SuspendedDto)
  @Fails(...CHANGE_FAILURES)
  resume(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
  ): Promise<SuspendedDto> {
    return this.batch.suspend(addressOf(parameters, query), false, dry_run);
  }
}
