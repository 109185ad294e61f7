import { applyDecorators, Controller, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../../core/api/index.js';
import type { ErrorCode } from '../../../core/errors/index.js';
import { AccessGuard } from '../../../core/security/index.js';
import { accepted, JobReferenceDto } from '../../jobs/index.js';
import { LifecycleService } from './lifecycle.service.js';
import { StartQueryDto } from './start-query.dto.js';
import type { LifecycleKind } from './transitions.js';

function LifecycleRoute(
  kind: LifecycleKind,
  summary: string,
  description: string,
  ...codes: ErrorCode[]
): MethodDecorator {
  return applyDecorators(
    Post(`:name/${kind}`),
    HttpCode(202),
    ApiOperation({ summary, description: `${description} Runs as a job; poll it for its end.` }),
    ApiClusterName(),
    Returns(JobReferenceDto, { status: 202 }),
    Fails(
      'invalid_input',
      'cluster_not_found',
      'cluster_ambiguous',
      'cluster_busy',
      'cluster_state',
      'runtime_unavailable',
      'storage_unavailable',
      ...codes,
    ),
  );
}

@ApiTags('clusters')
@UseGuards(AccessGuard)
@Controller('clusters')
export class LifecycleController {
  constructor(private readonly lifecycle: LifecycleService) {}

  @LifecycleRoute(
    'start',
    'Start a cluster',
    'Starts its nodes in their recorded order and waits until it is ready. A degraded one is repaired: what is missing is started, what is paused goes on. Of a running one the job succeeds at once. With `config_changed` set, whatever its state, it is deleted and made again from the saved config, unless `keep_nodes=true`; GET /clusters/{name}/recreate/check tells beforehand what is lost by that.',
    'config_refused',
    'provisioner_unavailable',
  )
  async start(
    @Param('name') name: string,
    @Query() query: StartQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return await this.submit('start', name, query, response);
  }

  @LifecycleRoute(
    'stop',
    'Stop a cluster',
    'Ends its nodes, workers first; it stays stopped when its engine restarts. Of a stopped one the job succeeds at once.',
  )
  async stop(
    @Param('name') name: string,
    @Query() query: RuntimeQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return await this.submit('stop', name, query, response);
  }

  @LifecycleRoute(
    'pause',
    'Pause a cluster',
    'Freezes its processes: it keeps its memory, uses no CPU and answers nothing.',
  )
  async pause(
    @Param('name') name: string,
    @Query() query: RuntimeQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return await this.submit('pause', name, query, response);
  }

  @LifecycleRoute(
    'unpause',
    'Unpause a cluster',
    'Lets its processes go on and waits until it is ready again.',
  )
  async unpause(
    @Param('name') name: string,
    @Query() query: RuntimeQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return await this.submit('unpause', name, query, response);
  }

  private async submit(
    kind: LifecycleKind,
    name: string,
    query: RuntimeQueryDto & Partial<StartQueryDto>,
    response: Response,
  ): Promise<JobReferenceDto> {
    return accepted(await this.lifecycle.submit(kind, clusterName(name), query), response);
  }
}
