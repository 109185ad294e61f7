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
import { OperationFilesStore } from './operation-files.js';
import type { UpgradeJobInput } from './operation-input.js';
import { placeOf, sentence } from './operation-words.js';
import { ReleaseWork } from './release-work.js';

/** Puts another chart, other values or both in the place of a release's own. */
@Injectable()
export class UpgradeAddonHandler extends JobHandler<UpgradeJobInput> {
  override readonly kind = 'addon-upgrade';

  constructor(
    private readonly work: ReleaseWork,
    private readonly files: OperationFilesStore,
    private readonly sources: AddonSourceStore,
  ) {
    super();
  }

  override plan(input: UpgradeJobInput): JobPlan {
    return {
      stages: [
        {
          steps: [{ name: 'repair', title: 'Looking for what was left', weight: 0.5 }],
          run: (context) => this.work.repairFirst(input, context),
        },
        {
          steps: [{ name: 'upgrade', title: `Upgrading ${input.title}`, weight: 30 }],
          run: async (context) => {
            const { chart: source, values, manifest } = await this.files.read(input.files);
            await this.work.follow(input, manifest, context, async ({ manager, target }) => {
              const { release, namespace, timeoutMs } = input;
              const chart = await manager.chart(source, context.signal);
              const request = { release, namespace, chart, values };
              await manager.upgrade(target, request, this.work.options(context, timeoutMs));
            });
          },
          keepOnFailure: input.keepOnFailure,
          undo: (context) => this.work.takeBack(input, input.before, context),
        },
        {
          steps: [{ name: 'confirm', title: 'Asking how it stands', weight: 0.5 }],
          run: async (context) => {
            await this.work.confirm(input, context);
            this.sources.put(input, input, input.origin);
          },
        },
      ],
    };
  }

  override announce({ title, chart, version, release }: UpgradeJobInput): string {
    return `Upgrading ${title} (${release}) to ${chart} ${version}.`;
  }

  override describe(
    { title, chart, version, release, keepOnFailure }: UpgradeJobInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const undone = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded': {
        const { revision } = (job.result ?? {}) as { revision?: number };
        return `Upgraded ${title} (${release}) to ${chart} ${version}, revision ${revision ?? 'unknown'}.`;
      }
      case 'cancelled':
        return `The upgrade of ${title} was cancelled. ${undone || 'It is as it was.'}`;
      case 'interrupted':
        return conclusion.completed
          ? `The upgrade of ${title} was interrupted by a restart of Slipway. It was whole by then, and stays.`
          : `The upgrade of ${title} was interrupted by a restart of Slipway. ${undone || 'It is as it was.'}`;
      case 'failed':
        return `${title} could not be upgraded ${placeOf(conclusion)}: ${sentence(conclusion.reason)} ${undone || (keepOnFailure ? 'What was made of it is kept.' : '')}`.trim();
    }
  }

  override async conclude({ files }: UpgradeJobInput): Promise<void> {
    await this.files.remove(files);
  }

  override async recover(input: UpgradeJobInput, context: UndoContext): Promise<boolean> {
    const begun = context.job.steps.some(({ name, state }) => name === 'upgrade' && state !== 'pending');
    if (!begun) return false;
    return await this.work.putRight(input, context, async ({ manager, target }) => {
      const [last] = await historyOf(() => manager.history(target, input));
      if (last?.status === 'deployed' && last.revision > input.before) {
        this.sources.put(input, input, input.origin);
        return true;
      }
      await this.work.takeBack(input, input.before, context);
      return false;
    });
  }
}
