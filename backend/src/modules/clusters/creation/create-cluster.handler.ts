import { Injectable } from '@nestjs/common';
import type { ClusterShape } from '../../../drivers/provisioner/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobKind,
  type JobLogLine,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { counted } from '../cluster-removal.js';
import { ClusterStore } from '../cluster.store.js';
import { toProvisionLog } from '../provision-log.js';
import { CreationStages, type CreationInput } from './creation-stages.js';

/** Creates a cluster from its saved config. */
@Injectable()
export class CreateClusterHandler extends JobHandler<CreationInput> {
  override readonly kind: JobKind = 'create';

  constructor(
    private readonly store: ClusterStore,
    private readonly stages: CreationStages,
  ) {
    super();
  }

  override plan(input: CreationInput): JobPlan {
    return {
      keepOnFailure: input.keepOnFailure,
      stages: [...this.stages.before(input), ...this.stages.making(input)],
    };
  }

  override announce({ name, runtime, shape }: CreationInput): string {
    return `Creating ${name} with ${describeShape(shape)} on ${runtime}.`;
  }

  override describe(
    { shape, runtime, version, keepOnFailure }: CreationInput,
    _job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const at = conclusion.step === null ? 'before it began' : `at ${conclusion.step}`;
    const undone = conclusion.undone.join(' ');
    switch (conclusion.ending) {
      case 'succeeded':
        return `Created with ${describeShape(shape)}${version ? ` of ${version}` : ''} on ${runtime}.`;
      case 'cancelled':
        return `Cancelled ${at}. ${undone || 'Nothing had been made.'}`;
      case 'interrupted':
        return conclusion.whole
          ? `Interrupted ${at} by a restart of Slipway. The cluster was whole by then and stays.`
          : `Interrupted ${at} by a restart of Slipway. ${undone || 'Nothing had been made.'}`;
      case 'failed':
        return `Failed ${at}: ${sentence(conclusion.reason ?? 'the reason is not known')} ${keepOnFailure && undone === '' ? 'The nodes were kept.' : undone}`.trim();
    }
  }

  override async conclude(
    input: CreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    const { ending, whole, step } = conclusion;
    // A cancelled first creation leaves no trace but in the journal.
    if (ending === 'cancelled' && job.error === null) {
      await this.store.remove(input);
      return;
    }
    const endedAt = new Date().toISOString();
    const outcome = job.error !== null && ending === 'cancelled' ? 'failed' : ending;
    await this.store.writeProvisionLog(input, toProvisionLog(job, outcome, log, endedAt));
    const meta = await this.store.read(input);
    if (!meta) return;
    const made = ending === 'succeeded' || whole;
    await this.store.writeMeta({
      ...meta,
      creation: made ? 'created' : 'failed',
      creation_reason: made ? null : reasonFor(conclusion, step),
      creation_ended_at: endedAt,
      nodes_kept: ending === 'failed' && input.keepOnFailure,
      nodes_begun: this.stages.hasBegunNodes(job),
      config_changed: made ? false : meta.config_changed,
      node_addresses: made ? await this.stages.addressesOf(input) : {},
    });
  }

  override async recover(input: CreationInput, context: UndoContext): Promise<boolean> {
    return await this.stages.putRight(input, context);
  }
}

export function describeShape({ controlPlanes, workers }: ClusterShape): string {
  const parts = [counted(controlPlanes, 'control plane'), counted(workers, 'worker')];
  return parts.filter((part) => part !== '').join(' and ');
}

function reasonFor({ ending, reason }: JobConclusion, step: string | null): string {
  const at = step === null ? 'before it began' : `at ${step}`;
  if (ending === 'interrupted') return `interrupted ${at} by a restart of Slipway`;
  return `${at}: ${(reason ?? 'the reason is not known').replace(/\.$/, '')}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
