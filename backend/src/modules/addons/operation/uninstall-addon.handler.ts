import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { historyOf } from '../release/release-repair.js';
import type { AddonJobInput } from './operation-input.js';
import { placeOf, sentence } from './operation-words.js';
import { ReleaseWork } from './release-work.js';

const TIMEOUT_MS = 5 * 60_000;

/** Removes a release with everything that it brought. */
@Injectable()
export class UninstallAddonHandler extends JobHandler<AddonJobInput> {
  override readonly kind = 'addon-uninstall';

  constructor(
    private readonly work: ReleaseWork,
    private readonly sources: AddonSourceStore,
  ) {
    super();
  }

  override plan(input: AddonJobInput): JobPlan {
    return {
      stages: [
        {
          steps: [{ name: 'uninstall', title: `Removing ${input.title}`, weight: 10 }],
          run: async (context) => {
            const { manager, target } = await this.work.waysTo(input);
            await manager.uninstall(target, input, this.work.options(context, TIMEOUT_MS));
            const left = await historyOf(() => manager.history(target, input));
            if (left.length > 0) throw new Error(`helm ended well, and yet ${input.release} is still there`);
            this.sources.remove(input, input);
          },
        },
      ],
    };
  }

  override announce({ title, release, namespace }: AddonJobInput): string {
    return `Removing ${title} (${release}) from ${namespace}.`;
  }

  override describe(
    { title, release, namespace }: AddonJobInput,
    _job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const left = 'What is left of it can be removed once more.';
    switch (conclusion.outcome) {
      case 'succeeded':
        return `Removed ${title} (${release}) from ${namespace}. The namespace stays.`;
      case 'cancelled':
        return `The removal of ${title} was cancelled. ${left}`;
      case 'interrupted':
        return conclusion.completed
          ? `The removal of ${title} was interrupted by a restart of Slipway, and finished afterwards.`
          : `The removal of ${title} was interrupted by a restart of Slipway. ${conclusion.undone.join(' ') || 'It had not begun.'}`;
      case 'failed':
        return `${title} could not be removed ${placeOf(conclusion)}: ${sentence(conclusion.reason)} ${left}`;
    }
  }

  /** What was begun is finished: half a release is of no use to anybody. */
  override async recover(input: AddonJobInput, context: UndoContext): Promise<boolean> {
    if (context.job.steps.every(({ state }) => state === 'pending')) return false;
    return await this.work.putRight(input, context, async ({ manager, target }) => {
      await manager.uninstall(target, input, this.work.options(context, TIMEOUT_MS));
      this.sources.remove(input, input);
      return true;
    });
  }
}
