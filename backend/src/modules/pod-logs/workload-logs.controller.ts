import { once } from 'node:events';
import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Response } from 'express';
import { abortOnDisconnect, ApiClusterName, clusterName, Fails } from '../../core/api/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { GuardedController } from '../../core/security/index.js';
import type { LoggedPod } from '../../drivers/kubernetes/index.js';
import { StoredLogs } from '../../drivers/log-store/index.js';
import { ResponseLimits } from '../log-lines/index.js';
import { ClusterResources, OPEN_FAILURES } from '../resources/index.js';
import { deletedPods } from './deleted-pods.js';
import { failureOf, NDJSON } from './pod-logs.controller.js';
import { OwnJobs } from './own-jobs.js';
import { WorkloadLogQueryDto } from './pod-logs.dto.js';
import { PodLogsService } from './pod-logs.service.js';
import { MAX_PODS, WorkloadLog } from './workload-log.js';

@GuardedController('resources', 'clusters/:name/pods/:namespace')
export class WorkloadLogsController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly logs: PodLogsService,
    private readonly stored: StoredLogs,
    private readonly limits: ResponseLimits,
    private readonly logger: AppLogger,
  ) {}

  // One response for all Pods: a browser opens at most six to one server.
  @Get('logs')
  @ApiOperation({
    summary: 'Follow the logs of a workload',
    description: `NDJSON until the client disconnects: the merged logs of the containers of at most ${MAX_PODS} Pods, without init containers. \`pods\` and \`source\` objects report the Pods and containers whenever they change: new Pods join, containers that restart continue, and the stored lines of Pods that were deleted before are added. \`line\` objects name their \`source\`; those of one source are in order. \`left_out\` and \`error\` as in the log of a container.`,
  })
  @ApiClusterName()
  @ApiParam({ name: 'namespace', example: 'shop' })
  @ApiOkResponse({
    description: 'OK',
    content: {
      [NDJSON]: { schema: { type: 'string', example: '{"type":"pods","count":2,"followed":2}\n' } },
    },
  })
  @Fails(...OPEN_FAILURES)
  async follow(
    @Param() { name, namespace }: { name: string; namespace: string },
    @Query() { workload, tail, runtime }: WorkloadLogQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const signal = abortOnDisconnect(response);
    const cluster = clusterName(name);
    const opened = await this.resources.open(cluster, runtime);
    const since = Date.parse(opened.cluster.created_at) * 1000;
    const pods = await this.resources.podLogs(cluster, runtime);
    let written = Promise.resolve();
    const write = async (text: string): Promise<void> => {
      signal.throwIfAborted();
      if (text !== '' && !response.write(text)) await once(response, 'drain', { signal });
    };
    const log = new WorkloadLog({
      open: (pod, container) => {
        const query = { container, tail, previous: false, follow: true };
        return this.logs.read({ cluster, runtime, namespace, pod }, query, signal, MAX_PODS);
      },
      // One after the other, so that a slow client slows all logs down.
      send: async (text) => {
        written = written.then(async () => await write(text));
        await written;
      },
    });
    const jobs = new OwnJobs(new Set(workload.split(',')), namespace);
    let all: readonly LoggedPod[] = [];
    const update = (): void => log.update(all.filter((pod) => workloadsOf(pod).some((of) => jobs.has(of))));
    const lookUpJobs = async (): Promise<void> => {
      // At first also without a Pod, since those of a Job may be deleted.
      const unknown = ['Job/', ...all.flatMap(workloadsOf)].filter((of) => jobs.isUnknown(of));
      if (unknown.length === 0) return;
      try {
        await jobs.lookUp(opened.api, unknown);
        update();
      } catch (error) {
        // The next change of a Pod repeats it.
        if (!signal.aborted) this.logger.failure('reading the jobs of a cron job failed', error);
      }
    };
    const addDeleted = async (present: readonly LoggedPod[]): Promise<void> => {
      const of = { cluster, runtime, namespace, since, isOwn: (each: string) => jobs.has(each) };
      const bytes = this.limits.pageBytes / MAX_PODS;
      try {
        const uids = new Set(present.map(({ uid }) => uid));
        await log.addDeleted(await deletedPods(this.stored, of, uids, { tail, bytes }));
      } catch (error) {
        if (!signal.aborted) this.logger.failure('reading the stored log of deleted pods failed', error);
      }
    };
    let isFirst = true;
    response.type(NDJSON);
    response.flushHeaders();
    try {
      await pods.followPods((every) => {
        all = every.filter((pod) => pod.namespace === namespace);
        update();
        const lookedUp = lookUpJobs();
        if (isFirst) void lookedUp.then(async () => await addDeleted(every));
        isFirst = false;
      }, signal);
      response.end();
    } catch (error) {
      if (signal.aborted) response.destroy();
      else response.end(`${JSON.stringify(failureOf(error, this.logger))}\n`);
    }
  }
}

/** Of its owner, and of the owner above. */
function workloadsOf({ workload, owner }: LoggedPod): string[] {
  return [workload, owner].flatMap((of) => (of ? `${of.kind}/${of.name}` : []));
}
