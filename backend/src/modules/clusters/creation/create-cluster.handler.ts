import { Injectable } from '@nestjs/common';
import { asSentence } from '../../../core/errors/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobKind,
  type JobLogLine,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterStore } from '../inventory/index.js';
import { ChosenAddons } from './chosen-addons.js';
import { CreationRecord, describeShape, placeOf } from './creation-record.js';
import { CreationStages, type CreationInput } from './creation-stages.js';

/** Creates a cluster from its saved config. */
@Injectable()
export class CreateClusterHandler extends JobHandler<CreationInput> {
  override readonly kind: JobKind = 'create';

  constructor(
    private readonly store: ClusterStore,
    private readonly stages: CreationStages,
    private readonly record: CreationRecord,
    private readonly addons: ChosenAddons,
  ) {
    super();
  }

  override plan(input: CreationInput): JobPlan {
    return {
      stages: [
        ...this.stages.before(input),
        ...this.stages.making(input),
        ...this.addons.stages(input, input.addons),
      ],
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
    const at = placeOf(conclusion);
    const undone = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return `Created with ${describeShape(shape)}${version ? ` of ${version}` : ''} on ${runtime}.`;
      case 'cancelled':
        return `Cancelled ${at}. ${undone || 'Nothing had been made.'}`;
      case 'interrupted':
        return conclusion.completed
          ? `Interrupted ${at} by a restart of Slipway. The cluster was whole by then and stays.`
          : `Interrupted ${at} by a restart of Slipway. ${undone || 'Nothing had been made.'}`;
      case 'failed':
        return `Failed ${at}: ${asSentence(conclusion.reason ?? 'the reason is not known')} ${keepOnFailure && undone === '' ? 'The nodes were kept.' : undone}`.trim();
    }
  }

  override async conclude(
    input: CreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    // A cancelled first creation leaves no trace but in the journal.
    if (conclusion.outcome === 'cancelled' && job.error === null) await this.store.remove(input);
    else await this.record.write(input, job, conclusion, log);
  }

  override async recover(input: CreationInput, context: UndoContext): Promise<boolean> {
    return await this.stages.reconcile(input, context);
  }
}
