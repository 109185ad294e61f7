import { Injectable } from '@nestjs/common';
import type { ProvisionerStatus } from '../../../drivers/provisioner/index.js';
import { JobsService } from '../../jobs/index.js';
import { publishedPorts } from '../../kind-config/index.js';
import type { CreationPlanDto } from '../inventory/cluster.dto.js';
import { Preflight } from '../preflight/preflight.js';
import type { ClusterDraft } from './cluster-drafts.js';
import { creationInput } from './creation-input.js';

/** Tells what a creation makes and costs before it starts. */
@Injectable()
export class CreationPlans {
  constructor(
    private readonly preflight: Preflight,
    private readonly jobs: JobsService,
  ) {}

  /** @param addons names of the catalog */
  async of(
    { name, runtime, config, shape }: ClusterDraft,
    provisioner: ProvisionerStatus,
    addons: readonly string[],
  ): Promise<CreationPlanDto> {
    const { needed, available = null } = await this.preflight.memoryFor(runtime, shape);
    const seconds = async (): Promise<number | null> => {
      const input = await creationInput(name, runtime, config, provisioner, false);
      const chosen = addons.map((addon) => ({ addon, values: null }));
      return this.jobs.estimate('create', runtime.id, { ...input, addons: chosen });
    };
    return {
      control_planes: shape.controlPlanes,
      workers: shape.workers,
      ports: publishedPorts(config),
      memory_bytes: needed,
      memory_free_bytes: available,
      seconds: provisioner.problem === null ? await seconds() : null,
    };
  }
}
