import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobLogLine,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { Recreation, type RecreationInput } from './recreation.js';

/** Deletes a cluster and makes it again, and tries a failed creation once more. */
@Injectable()
export class RecreateClusterHandler extends JobHandler<RecreationInput> {
  override readonly kind = 'recreate';

  constructor(private readonly recreation: Recreation) {
    super();
  }

  override plan(input: RecreationInput): JobPlan {
    return this.recreation.plan(input);
  }

  override announce(input: RecreationInput): string {
    return this.recreation.announce(input);
  }

  override describe(input: RecreationInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    return this.recreation.describe(input, job, conclusion);
  }

  override async conclude(
    input: RecreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    await this.recreation.conclude(input, job, conclusion, log);
  }

  override async recover(input: RecreationInput, context: UndoContext): Promise<boolean> {
    return await this.recreation.recover(input, context);
  }
}
