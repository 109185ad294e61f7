import { Injectable } from '@nestjs/common';
import type { ClusterShape } from '../../../drivers/provisioner/index.js';
import type { Job, JobConclusion, JobLogLine } from '../../jobs/index.js';
import { counted } from '../deletion/index.js';
import { type ClusterMeta, ClusterStore, toProvisionLog } from '../inventory/index.js';
import { imagesOf, nodeImageTagOf, shapeOf } from '../../kind-config/index.js';
import { readSavedConfig } from './saved-config.js';
import { CreationStages, type CreationInput } from './creation-stages.js';

/** Writes down how a creation ended: `provision_log.json` and the meta. */
@Injectable()
export class CreationRecord {
  constructor(
    private readonly store: ClusterStore,
    private readonly stages: CreationStages,
  ) {}

  /** @param nodesLeft whether nodes are there although none were made: those of the cluster before. */
  async write(
    input: CreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
    nodesLeft = false,
  ): Promise<void> {
    const { outcome, completed } = conclusion;
    const endedAt = new Date().toISOString();
    const state = job.error !== null && outcome === 'cancelled' ? 'failed' : outcome;
    await this.store.writeProvisionLog(input, toProvisionLog(job, state, log, endedAt));
    const meta = await this.store.read(input);
    if (!meta) return;
    const made = outcome === 'succeeded' || completed;
    await this.store.writeMeta({
      ...meta,
      ...(made ? await this.madeFrom(input) : {}),
      creation: made ? 'created' : 'failed',
      creation_reason: made ? null : reasonFor(conclusion),
      creation_ended_at: endedAt,
      nodes_kept: outcome === 'failed' && input.keepOnFailure,
      nodes_begun: this.stages.mayHaveNodes(job) || nodesLeft,
      config_changed: made ? false : meta.config_changed,
      node_addresses: made ? await this.stages.addressesOf(input) : {},
    });
  }

  /** As the saved config says, which may have been changed since the meta was written. */
  private async madeFrom(input: CreationInput): Promise<Partial<ClusterMeta>> {
    const config = await readSavedConfig(this.store, input);
    const { controlPlanes, workers } = shapeOf(config);
    return {
      origin: 'created',
      wanted: 'running',
      degraded_reason: null,
      degraded_since: null,
      control_planes: controlPlanes,
      workers,
      node_image_tag: nodeImageTagOf(imagesOf(config)[0]),
    };
  }
}

/** `1 control plane and 2 workers` */
export function describeShape({ controlPlanes, workers }: ClusterShape): string {
  const parts = [counted(controlPlanes, 'control plane'), counted(workers, 'worker')];
  return parts.filter((part) => part !== '').join(' and ');
}

export function placeOf({ step }: JobConclusion): string {
  return step === null ? 'before it began' : `at ${step}`;
}

/** Why a cluster is `failed`, without the full stop. */
function reasonFor(conclusion: JobConclusion): string {
  const at = placeOf(conclusion);
  if (conclusion.outcome === 'interrupted') return `interrupted ${at} by a restart of Slipway`;
  if (conclusion.outcome === 'cancelled' && conclusion.reason === null) return `cancelled ${at}`;
  return `${at}: ${(conclusion.reason ?? 'the reason is not known').replace(/\.$/, '')}`;
}
