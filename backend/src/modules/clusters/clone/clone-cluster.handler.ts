import { Injectable } from '@nestjs/common';
import type { Job, JobConclusion, JobContext, JobKind, JobPlan } from '../../jobs/index.js';
import { CreateClusterHandler, type CreationInput } from '../creation/index.js';
import type { PortMove } from './port-moves.js';

export interface CloneInput extends CreationInput {
  /** The cluster whose config it was. */
  source: string;
  moves: PortMove[];
  warnings: string[];
}

/** Creates a cluster from the config of another: a creation like any, which says what is different. */
@Injectable()
export class CloneClusterHandler extends CreateClusterHandler {
  override readonly kind: JobKind = 'clone';

  override plan(input: CloneInput): JobPlan {
    const plan = super.plan(input);
    const [first, ...others] = plan.stages;
    if (!first) return plan;
    const tellAndRun = async (context: JobContext): Promise<void> => {
      context.result({ source: input.source, moves: input.moves });
      for (const move of input.moves) context.log(describeMove(move));
      for (const warning of input.warnings) context.warn(warning);
      await first.run(context);
    };
    return { ...plan, stages: [{ ...first, run: tellAndRun }, ...others] };
  }

  override announce(input: CloneInput): string {
    return `Cloning ${input.source}. ${super.announce(input)}`;
  }

  override describe(input: CloneInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    const told = super.describe(input, job, conclusion);
    if (conclusion.outcome !== 'succeeded') return told;
    return [`Cloned from ${input.source}.`, told, ...input.moves.map(describeMove)].join(' ');
  }
}

function describeMove({ from, to, protocol, reason }: PortMove): string {
  return `Port ${from}/${protocol} became ${to}: ${reason}.`;
}
