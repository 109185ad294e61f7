import { Injectable } from '@nestjs/common';
import type { JobConclusion, JobContext, JobKind, JobStage, OutcomeTexts } from '../../jobs/index.js';
import { CreateClusterHandler } from '../creation/create-cluster.handler.js';
import type { CreationInput } from '../creation/creation-input.js';
import type { PortMoveDto } from './clone.dto.js';

export interface CloneInput extends CreationInput {
  source: string;
  moves: PortMoveDto[];
  warnings: string[];
}

@Injectable()
export class CloneClusterHandler extends CreateClusterHandler {
  override readonly kind: JobKind = 'clone';

  override plan(input: CloneInput): JobStage[] {
    const [first, ...others] = super.plan(input);
    if (!first) return [];
    const run = async (context: JobContext): Promise<void> => {
      context.result({ source: input.source, moves: input.moves });
      for (const move of input.moves) context.log(describeMove(move));
      for (const warning of input.warnings) context.warn(warning);
      await first.run(context);
    };
    return [{ ...first, run }, ...others];
  }

  override title({ source, name }: CloneInput): string {
    return `Clone ${source} into ${name}`;
  }

  override texts(input: CloneInput, conclusion: JobConclusion): OutcomeTexts {
    const texts = super.texts(input, conclusion);
    const moves = input.moves.map(describeMove);
    return { ...texts, succeeded: [`Cloned ${input.source}.`, texts.succeeded, ...moves].join(' ') };
  }
}

function describeMove({ from, to, protocol, reason }: PortMoveDto): string {
  return `Changed host port ${from}/${protocol} to ${to}: ${reason}.`;
}
