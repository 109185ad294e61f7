import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { assertAvailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { isActive, JobsService, type Job } from '../../jobs/index.js';
import type { DeleteQueryDto } from './delete-query.dto.js';
import type { ClusterKey } from '../inventory/cluster.store.js';
import { ClustersService } from '../inventory/clusters.service.js';
import type { RemovedDto } from '../inventory/cluster.dto.js';

/** How long a DELETE request waits for its job, which takes about a second. */
const DELETE_WAIT_MS = 30_000;

@Injectable()
export class DeletionService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly runtimes: RuntimeRegistry,
    private readonly jobs: JobsService,
  ) {}

  /**
   * @param wait for the job, up to 30 s. `removed` is undefined if it is still running.
   * @throws DomainError
   */
  async delete(
    name: string,
    { runtime, wait }: DeleteQueryDto,
  ): Promise<{ job: Job; removed: RemovedDto | undefined }> {
    const cluster = await this.clusters.get(name, runtime);
    // Checked before the job exists, so that the response is a 503 and not a failed job.
    await assertAvailable(this.runtimes.get(cluster.runtime));
    const input: ClusterKey = { name: cluster.name, runtime: cluster.runtime };
    const { id } = this.jobs.submit('delete', cluster, input);
    if (wait) {
      await Promise.race([this.jobs.whenEnded(id), delay(DELETE_WAIT_MS, undefined, { ref: false })]);
    }
    const job = this.jobs.get(id);
    if (isActive(job.state)) return { job, removed: undefined };
    if (job.state !== 'succeeded') {
      throw new DomainError(
        'cluster_not_deleted',
        `Could not delete ${name}. ${job.error?.message ?? `The job was ${job.state}.`}`,
        { job_id: job.id, state: job.state },
      );
    }
    const { containers = [], volumes = [], files = [] } = (job.result ?? {}) as Partial<RemovedDto>;
    return { job, removed: { containers, volumes, files } };
  }
}
