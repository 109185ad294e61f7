import { applyDecorators, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../../core/api/index.js';
import type { ErrorCode } from '../../../core/errors/index.js';
import { GuardedController, KindClustersOnly } from '../../../core/security/index.js';
import { StartsJob, type Job } from '../../jobs/index.js';
import { LifecycleService, type LifecycleKind } from './lifecycle.service.js';
import { StartQueryDto } from './start-query.dto.js';

function LifecycleRoute(
  kind: LifecycleKind,
  summary: string,
  description: string,
  ...codes: ErrorCode[]
): MethodDecorator {
  return applyDecorators(
    Post(`:name/${kind}`),
    ApiOperation({ summary, description: `${description} Runs as a job.` }),
    ApiClusterName(),
    StartsJob(),
    Fails('cluster_busy', 'cluster_state', 'runtime_unavailable', 'storage_unavailable', ...codes),
  );
}

@KindClustersOnly()
@GuardedController('clusters', 'clusters')
export class LifecycleController {
  constructor(private readonly lifecycle: LifecycleService) {}

  @LifecycleRoute(
    'start',
    'Start a cluster',
    'Starts the nodes in their recorded order and waits until the cluster is ready. Repairs a degraded cluster: starts stopped nodes and unpauses paused ones. Does nothing if the cluster is running. If `config_changed` is set, recreates the cluster from the saved config unless `keep_nodes=true`; GET /clusters/{name}/recreate/check lists what that deletes.',
    'config_refused',
    'provisioner_unavailable',
  )
  start(@Param('name') name: string, @Query() query: StartQueryDto): Promise<Job> {
    return this.lifecycle.submit('start', clusterName(name), query);
  }

  @LifecycleRoute(
    'stop',
    'Stop a cluster',
    'Stops the nodes, workers first. The cluster stays stopped when its engine restarts. Does nothing if the cluster is stopped.',
  )
  stop(@Param('name') name: string, @Query() query: RuntimeQueryDto): Promise<Job> {
    return this.lifecycle.submit('stop', clusterName(name), query);
  }

  @LifecycleRoute(
    'pause',
    'Pause a cluster',
    'Freezes its processes: the cluster keeps its memory, uses no CPU and does not respond.',
  )
  pause(@Param('name') name: string, @Query() query: RuntimeQueryDto): Promise<Job> {
    return this.lifecycle.submit('pause', clusterName(name), query);
  }

  @LifecycleRoute(
    'unpause',
    'Unpause a cluster',
    'Resumes its processes and waits until the cluster is ready.',
  )
  unpause(@Param('name') name: string, @Query() query: RuntimeQueryDto): Promise<Job> {
    return this.lifecycle.submit('unpause', clusterName(name), query);
  }
}
