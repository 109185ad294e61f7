import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { historyOf, isTaken } from '../release/release-repair.js';
import { OperationFilesStore } from './operation-files.js';
import type { ChartJobInput } from './operation-input.js';
import { placeOf, sentence } from './operation-words.js';
import { ReleaseWork } from './release-work.js';

/** Installs a chart as a first release. */
@Injectable()
export class InstallAddonHandler extends JobHandler<ChartJobInput> {
  override readonly kind = 'addon-install';

  constructor(
    private readonly work: ReleaseWork,
    private readonly files: OperationFilesStore,
    private readonly sources: AddonSourceStore,
  ) {
    super();
  }

  override plan(input: ChartJobInput): JobPlan {
    let taken = false;
    return {
      stages: [
        {
          steps: [{ name: 'repair', title: 'Looking for what was left', weight: 0.5 }],
          run: (context) => this.work.repairFirst(input, context),
        },
        {
          steps: [{ name: 'install', title: `Installing ${input.title}`, weight: 30 }],
          run: async (context) => {
            const { chart: source, values, manifest } = await this.files.read(input.files);
            await this.work.follow(input, manifest, context, async ({ manager, target }) => {
              const { release, namespace, timeoutMs } = input;
              const chart = await manager.chart(source, context.signal);
              const request = { release, namespace, chart, values };
              await manager
                .install(target, request, this.work.options(context, timeoutMs))
                .catch((error: unknown) => {
                  taken = isTaken(error);
                  throw error;
                });
            });
          },
          keepOnFailure: input.keepOnFailure,
          undo: async (context) => {
            if (!taken) await this.work.takeBack(input, null, context);
          },
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

  override announce({ title, chart, version, release, namespace }: ChartJobInput): string {
    return `Installing ${title} (${chart} ${version}) as ${release} in ${namespace}.`;
  }

  override describe(
    { title, chart, version, release, namespace, keepOnFailure }: ChartJobInput,
    _job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const undone = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return `Installed ${title} (${chart} ${version}) as ${release} in ${namespace}.`;
      case 'cancelled':
        return `The installation of ${title} was cancelled. ${undone || 'Nothing of it had been installed.'}`;
      case 'interrupted':
        return conclusion.completed
          ? `The installation of ${title} was interrupted by a restart of Slipway. It was whole by then, and stays.`
          : `The installation of ${title} was interrupted by a restart of Slipway. ${undone || 'Nothing of it had been installed.'}`;
      case 'failed':
        return `${title} could not be installed ${placeOf(conclusion)}: ${sentence(conclusion.reason)} ${undone || (keepOnFailure ? 'What was made of it is kept.' : '')}`.trim();
    }
  }

  override async conclude({ files }: ChartJobInput): Promise<void> {
    await this.files.remove(files);
  }

  override async recover(input: ChartJobInput, context: UndoContext): Promise<boolean> {
    const begun = context.job.steps.some(({ name, state }) => name === 'install' && state !== 'pending');
    if (!begun) return false;
    return await this.work.putRight(input, context, async ({ manager, target }) => {
      const [last] = await historyOf(() => manager.history(target, input));
      if (last?.status === 'deployed') {
        this.sources.put(input, input, input.origin);
        return true;
      }
      await this.work.takeBack(input, null, context);
      return false;
    });
  }
}
