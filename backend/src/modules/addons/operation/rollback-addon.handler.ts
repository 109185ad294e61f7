import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { historyOf } from '../release/release-repair.js';
import type { RollbackJobInput } from './operation-input.js';
import { placeOf, sentence } from './operation-words.js';
import { ReleaseWork } from './release-work.js';

const TIMEOUT_MS = 10 * 60_000;

/** Makes an earlier revision of a release the last one again. */
@Injectable()
export class RollbackAddonHandler extends JobHandler<RollbackJobInput> {
  override readonly kind = 'addon-rollback';

  constructor(private readonly work: ReleaseWork) {
    super();
  }

  override plan(input: RollbackJobInput): JobPlan {
    return {
      stages: [
        {
          steps: [{ name: 'repair', title: 'Looking for what was left', weight: 0.5 }],
          run: (context) => this.work.repairFirst(input, context),
        },
        {
          steps: [{ name: 'rollback', title: `Rolling back ${input.title}`, weight: 20 }],
          run: async (context) => {
            const { manager, target } = await this.work.waysTo(input);
            const { manifest } = await manager.contents(target, input, input.revision);
            await this.work.follow(input, manifest, context, (ways) =>
              ways.manager.rollback(
                ways.target,
                input,
                input.revision,
                this.work.options(context, TIMEOUT_MS),
              ),
            );
          },
          undo: (context) => this.work.takeBack(input, input.before, context),
        },
        {
          steps: [{ name: 'confirm', title: 'Asking how it stands', weight: 0.5 }],
          run: (context) => this.work.confirm(input, context),
        },
      ],
    };
  }

  override announce({ title, release, revision }: RollbackJobInput): string {
    return `Rolling ${title} (${release}) back to revision ${revision}.`;
  }

  override describe(
    { title, release, revision }: RollbackJobInput,
    _job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const undone = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return `Rolled ${title} (${release}) back to revision ${revision}.`;
      case 'cancelled':
        return `The rollback of ${title} was cancelled. ${undone || 'It is as it was.'}`;
      case 'interrupted':
        return conclusion.completed
          ? `The rollback of ${title} was interrupted by a restart of Slipway. It was whole by then, and stays.`
          : `The rollback of ${title} was interrupted by a restart of Slipway. ${undone || 'It is as it was.'}`;
      case 'failed':
        return `${title} could not be rolled back ${placeOf(conclusion)}: ${sentence(conclusion.reason)} ${undone}`.trim();
    }
  }

  override async recover(input: RollbackJobInput, context: UndoContext): Promise<boolean> {
    const begun = context.job.steps.some(({ name, state }) => name === 'rollback' && state !== 'pending');
    if (!begun) return false;
    return await this.work.putRight(input, context, async ({ manager, target }) => {
      const [last] = await historyOf(() => manager.history(target, input));
      if (last?.status === 'deployed' && last.revision > input.before) return true;
      await this.work.takeBack(input, input.before, context);
      return false;
    });
  }
}
