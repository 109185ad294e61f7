import { Injectable } from '@nestjs/common';
import type { ClusterShape } from '../../../drivers/provisioner/index.js';
import { placeOf, type Job, type JobConclusion } from '../../jobs/index.js';
import type { ClusterMeta } from '../inventory/cluster-meta.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { countedParts } from '../inventory/counted-parts.js';
import { toProvisionLog } from '../inventory/provision-log.js';
import { imagesOf, nodeImageTagOf, shapeOf } from '../../kind-config/index.js';
import { readSavedConfig } from './saved-config.js';
import type { CreationInput } from './creation-input.js';
import { type CreationResult, CreationStages, hasBegunNodes } from './creation-stages.js';

/** Follows the message of an interrupted creation that was complete. */
export const COMPLETED_CREATION = 'The cluster was complete and is kept.';
/** Follows the message of a creation that did not succeed, and whose cluster is still listed. */
export const CONFIG_KEPT = 'The config is kept. Recreate the cluster to try again.';

/** Saves the outcome of a creation in `provision_log.json` and the metadata. */
@Injectable()
export class CreationRecord {
  constructor(
    private readonly store: ClusterStore,
    private readonly stages: CreationStages,
  ) {}

  /** @param nodesLeft whether nodes of the replaced cluster are left. */
  async write(input: CreationInput, conclusion: JobConclusion, nodesLeft = false): Promise<void> {
    const { job, outcome, completed } = conclusion;
    const endedAt = new Date().toISOString();
    const state = job.error !== null && outcome === 'cancelled' ? 'failed' : outcome;
    await this.store.writeProvisionLog(input, toProvisionLog(job, state, conclusion.log(), endedAt));
    const meta = await this.store.read(input);
    if (!meta) return;
    const created = outcome === 'succeeded' || completed;
    await this.store.writeMeta({
      ...meta,
      ...(created ? await this.valuesOf(input, conclusion, endedAt) : {}),
      creation: created ? 'created' : state === 'cancelled' ? 'cancelled' : 'failed',
      creation_reason: created ? null : reasonFor(conclusion),
      creation_ended_at: endedAt,
      nodes_kept: outcome === 'failed' && input.keepOnFailure,
      nodes_begun: this.stages.mayHaveNodes(job) || nodesLeft,
      config_changed: created ? false : meta.config_changed,
      node_addresses: created ? await this.stages.addressesOf(input) : {},
    });
  }

  /** Values of the saved config, which may have changed since the metadata was written. */
  private async valuesOf(
    input: CreationInput,
    { job }: JobConclusion,
    endedAt: string,
  ): Promise<Partial<ClusterMeta>> {
    const config = await readSavedConfig(this.store, input);
    const { controlPlanes, workers } = shapeOf(config);
    const degraded = degradedOf(job);
    return {
      origin: 'created',
      wanted: 'running',
      degraded_reason: degraded,
      degraded_since: degraded === null ? null : endedAt,
      control_planes: controlPlanes,
      workers,
      node_image_tag: nodeImageTagOf(imagesOf(config)[0]),
    };
  }
}

/** `1 control plane and 2 workers of v1.34.4` */
export function describeShape(
  { controlPlanes, workers }: ClusterShape,
  version: string | null = null,
): string {
  const nodes = countedParts([controlPlanes, 'control plane'], [workers, 'worker']);
  return version === null ? nodes : `${nodes} of ${version}`;
}

/** Why a created cluster is not ready, or null. */
function degradedOf({ result }: Pick<Job, 'result'>): string | null {
  const { degraded } = (result ?? {}) as CreationResult;
  return degraded ?? null;
}

/** Adds to a sentence about a created cluster that it is not ready. */
export function withState(created: string, job: Pick<Job, 'result'>): string {
  const degraded = degradedOf(job);
  return degraded === null ? `${created}.` : `${created}, but it is degraded: ${degraded}.`;
}

export function remainsOf(
  { keepOnFailure }: CreationInput,
  { job, outcome, undone }: JobConclusion,
): string[] {
  const wereKept = outcome === 'failed' && keepOnFailure && undone.length === 0 && hasBegunNodes(job);
  return wereKept ? ['The nodes were kept.'] : undone;
}

/** Why a cluster is `failed`, without a period. */
function reasonFor(conclusion: JobConclusion): string {
  const place = placeOf(conclusion);
  if (conclusion.outcome === 'interrupted') return `interrupted by a restart of Slipway ${place}`;
  if (conclusion.outcome === 'cancelled' && conclusion.reason === null) return `canceled ${place}`;
  return `${place}: ${(conclusion.reason ?? 'unknown reason').replace(/\.$/, '')}`;
}
