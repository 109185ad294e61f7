import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobConclusion,
  type JobKind,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ChosenAddons } from './chosen-addons.js';
import {
  COMPLETED_CREATION,
  CONFIG_KEPT,
  CreationRecord,
  describeShape,
  remainsOf,
  withState,
} from './creation-record.js';
import type { CreationInput } from './creation-input.js';
import { CreationStages } from './creation-stages.js';

const NOTHING_CREATED = 'Nothing was created.';

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

  override plan(input: CreationInput): JobStage[] {
    return [
      ...this.stages.before(input),
      ...this.stages.creating(input),
      ...this.addons.stages(input, input.addons),
    ];
  }

  override title({ name }: CreationInput): string {
    return `Create ${name}`;
  }

  override texts(input: CreationInput, conclusion: JobConclusion): OutcomeTexts {
    const { name, runtime, shape, version } = input;
    const { job, outcome, completed } = conclusion;
    const remains = remainsOf(input, conclusion);
    const isListed = !completed && (outcome === 'failed' || outcome === 'interrupted' || job.error !== null);
    return {
      succeeded: withState(`Created ${name} with ${describeShape(shape, version)} on ${runtime}`, job),
      completed: COMPLETED_CREATION,
      unfinished: NOTHING_CREATED,
      undone: isListed ? [...(remains.length > 0 ? remains : [NOTHING_CREATED]), CONFIG_KEPT] : remains,
    };
  }

  override async conclude(input: CreationInput, conclusion: JobConclusion): Promise<void> {
    // Only the journal mentions a cancelled first creation.
    if (conclusion.outcome === 'cancelled' && conclusion.job.error === null) await this.store.remove(input);
    else await this.record.write(input, conclusion);
  }

  override async recover(input: CreationInput, context: UndoContext): Promise<boolean> {
    return await this.stages.reconcile(input, context);
  }
}
