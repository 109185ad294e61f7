import { Injectable } from '@nestjs/common';
import { invalidField } from '../../../core/errors/index.js';
import { RuntimeRegistry, assertAvailable } from '../../../drivers/runtime/index.js';
import { ENGINE_ITSELF, JobsService, type Job } from '../../jobs/index.js';
import type { PruneDto } from '../common/usage.dto.js';

@Injectable()
export class PruneService {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly jobs: JobsService,
  ) {}

  /** @throws DomainError `invalid_input` for an empty request, `cluster_busy` while another prune is active. */
  async start({ runtime, images, volumes }: PruneDto): Promise<Job> {
    if (images.length + volumes.length === 0) {
      throw invalidField('images', 'or volumes must not be empty');
    }
    await assertAvailable(this.runtimes.get(runtime));
    const input: PruneDto = { runtime, images: [...new Set(images)], volumes: [...new Set(volumes)] };
    return this.jobs.submit('prune', { name: ENGINE_ITSELF, runtime }, input);
  }
}
