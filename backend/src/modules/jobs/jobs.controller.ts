import { Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { JOB_ID, GuardedController } from '../../core/security/index.js';
import { CancellationDto, ClearedJobsDto, JobDto, JobLogQueryDto, JobWithLogDto } from './job.dto.js';
import { presentJob, presentJobWithLog } from './job.presenter.js';
import { JobsService } from './jobs.service.js';

@GuardedController('jobs', 'jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @ApiOperation({ summary: 'List jobs', description: 'Newest first, without their logs.' })
  @Returns(JobDto, { list: true })
  list(): JobDto[] {
    return this.jobs.list().map(presentJob);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Get a job with its log',
    description: 'To poll it, set `log_after` to the last sequence.',
  })
  @ApiParam({ name: 'id', description: 'Id of the job', example: 12 })
  @Returns(JobWithLogDto)
  @Fails('job_not_found')
  one(@Param('id') id: string, @Query() { log_after }: JobLogQueryDto): JobWithLogDto {
    const jobId = parseId(id);
    const job = this.jobs.get(jobId);
    return presentJobWithLog(job, this.jobs.log(jobId, log_after));
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Cancel a job',
    description:
      'Ends its processes and undoes its changes. The request returns immediately; poll the job until it has ended.',
  })
  @ApiParam({ name: 'id', description: 'Id of the job', example: 12 })
  @Returns(CancellationDto, { status: 202 })
  @Fails('job_not_found', 'job_ended')
  cancel(@Param('id') id: string): CancellationDto {
    const { id: jobId, state } = this.jobs.cancel(parseId(id));
    return { id: jobId, state, cancelled: true };
  }

  @Delete()
  @ApiOperation({
    summary: 'Delete ended jobs',
    description: 'Queued and running jobs stay, and so do all journal entries.',
  })
  @Returns(ClearedJobsDto)
  clear(): ClearedJobsDto {
    return { cleared: this.jobs.clear() };
  }
}

function parseId(id: string): number {
  if (!JOB_ID.test(id)) {
    throw new DomainError('job_not_found', 'The job does not exist. A job id is an integer.');
  }
  return Number(id);
}
