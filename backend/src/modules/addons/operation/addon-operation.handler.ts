import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobStage,
  type OutcomeTexts,
  type StepPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { historyOf } from '../release/release-repair.js';
import { OperationFilesStore } from './operation-files.js';
import type { AddonJobInput } from '../release/operation-input.js';
import { ReleaseSteps } from './release-steps.js';

const TEXTS = {
  'addon-install': {
    title: (addon: string, cluster: string) => `Install ${addon} in ${cluster}`,
    present: 'Installing',
    past: 'Installed',
    completed: 'The installation was already complete.',
    unfinished: 'Nothing was installed.',
    failed: '',
  },
  'addon-upgrade': {
    title: (addon: string, cluster: string) => `Upgrade ${addon} in ${cluster}`,
    present: 'Upgrading',
    past: 'Upgraded',
    completed: 'The upgrade was already complete.',
    unfinished: 'The release is unchanged.',
    failed: '',
  },
  'addon-rollback': {
    title: (addon: string, cluster: string) => `Roll back ${addon} in ${cluster}`,
    present: 'Rolling back',
    past: 'Rolled back',
    completed: 'The rollback was already complete.',
    unfinished: 'The release is unchanged.',
    failed: '',
  },
  'addon-uninstall': {
    title: (addon: string, cluster: string) => `Uninstall ${addon} from ${cluster}`,
    present: 'Uninstalling',
    past: 'Uninstalled',
    completed: 'Slipway finished it after the restart.',
    unfinished: 'Uninstall the addon again to remove the rest.',
    failed: 'Uninstall the addon again to remove the rest.',
  },
} as const;

/** An operation on a release: one step that runs helm, and the messages about it. */
@Injectable()
export abstract class AddonOperationHandler<TInput extends AddonJobInput> extends JobHandler<TInput> {
  abstract override readonly kind: keyof typeof TEXTS;
  /** The step that runs helm; the weight is in seconds. */
  protected abstract readonly step: Pick<StepPlan, 'name' | 'weight'>;

  constructor(
    protected readonly release: ReleaseSteps,
    protected readonly files: OperationFilesStore,
    protected readonly sources: AddonSourceStore,
  ) {
    super();
  }

  /** The object of the operation, for messages: `Traefik (traefik) to traefik 41.3.0`. */
  protected abstract subject(input: TInput, result?: Job['result']): string;

  override title({ title, name }: TInput): string {
    return TEXTS[this.kind].title(title, name);
  }

  override texts(input: TInput, { job }: JobConclusion): OutcomeTexts {
    const { past, completed, unfinished, failed } = TEXTS[this.kind];
    return {
      succeeded: `${past} ${this.subject(input, job.result)}.`,
      completed,
      unfinished,
      failed: !this.hasStarted(job)
        ? unfinished
        : input.keepOnFailure
          ? 'The failed release was kept.'
          : failed,
    };
  }

  override async conclude({ files }: TInput): Promise<void> {
    if (files !== undefined) await this.files.remove(files);
  }

  protected stepPlan({ title }: TInput): StepPlan {
    return { ...this.step, varies: true, title: `${TEXTS[this.kind].present} ${title}` };
  }

  protected hasStarted({ steps }: Readonly<Job>): boolean {
    return steps.some(({ name, state }) => name === this.step.name && state !== 'pending');
  }
}

/** An operation that leaves a new revision of a release. A failed one returns to the revision before it. */
@Injectable()
export abstract class ChartOperationHandler<
  TInput extends AddonJobInput,
> extends AddonOperationHandler<TInput> {
  protected abstract operate(input: TInput): Required<Pick<JobStage, 'run' | 'undo'>>;

  override plan(input: TInput): JobStage[] {
    return [
      {
        steps: [{ name: 'repair', title: 'Checking for unfinished operations', weight: 0.5 }],
        run: (context) => this.release.repair(input, context),
      },
      {
        steps: [this.stepPlan(input)],
        ...this.operate(input),
        keepOnFailure: input.keepOnFailure,
      },
      {
        steps: [{ name: 'confirm', title: 'Verifying the release', weight: 0.5 }],
        run: async (context) => {
          await this.release.verify(input, context);
          this.recordOrigin(input);
        },
      },
    ];
  }

  override async recover(input: TInput, context: UndoContext): Promise<boolean> {
    if (!this.hasStarted(context.job)) return false;
    return await this.release.reconcile(input, context, async (cluster) => {
      const [last] = await historyOf(cluster, input);
      if (last?.status === 'deployed' && last.revision > (input.before ?? 0)) {
        this.recordOrigin(input);
        return true;
      }
      await this.release.revert(input, context);
      return false;
    });
  }

  private recordOrigin(input: TInput): void {
    if (input.origin) this.sources.put(input, input, input.origin);
  }
}
