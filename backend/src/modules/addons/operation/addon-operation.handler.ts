import { Injectable } from '@nestjs/common';
import { asSentence } from '../../../core/errors/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobStage,
  type StepPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { historyOf } from '../release/release-repair.js';
import { OperationFilesStore } from './operation-files.js';
import type { AddonJobInput } from '../release/operation-input.js';
import { ReleaseSteps } from './release-steps.js';

const MESSAGES = {
  'addon-install': {
    verb: 'install',
    present: 'Installing',
    past: 'Installed',
    noun: 'installation',
    completed: 'The installation was already complete.',
    cancelled: 'Nothing was installed.',
    failed: '',
  },
  'addon-upgrade': {
    verb: 'upgrade',
    present: 'Upgrading',
    past: 'Upgraded',
    noun: 'upgrade',
    completed: 'The upgrade was already complete.',
    cancelled: 'The release is unchanged.',
    failed: '',
  },
  'addon-rollback': {
    verb: 'roll back',
    present: 'Rolling back',
    past: 'Rolled back',
    noun: 'rollback',
    completed: 'The rollback was already complete.',
    cancelled: 'The release is unchanged.',
    failed: '',
  },
  'addon-uninstall': {
    verb: 'uninstall',
    present: 'Uninstalling',
    past: 'Uninstalled',
    noun: 'removal',
    completed: 'Slipway finished it after the restart.',
    cancelled: 'Uninstall the addon again to remove the rest.',
    failed: 'Uninstall the addon again to remove the rest.',
  },
} as const;

/** An operation on a release: one step that runs helm, and the messages about it. */
@Injectable()
export abstract class AddonOperationHandler<TInput extends AddonJobInput> extends JobHandler<TInput> {
  abstract override readonly kind: keyof typeof MESSAGES;
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

  override announce(input: TInput): string {
    return `${MESSAGES[this.kind].present} ${this.subject(input)}.`;
  }

  override describe(input: TInput, conclusion: JobConclusion): string {
    const { verb, past, noun, completed, cancelled, failed } = MESSAGES[this.kind];
    const undone = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return `${past} ${this.subject(input, conclusion.job.result)}.`;
      case 'cancelled':
        return `Cancelled the ${noun} of ${input.title}. ${undone || cancelled}`;
      case 'interrupted':
        return `A restart of Slipway interrupted the ${noun} of ${input.title}. ${conclusion.completed ? completed : undone || cancelled}`;
      case 'failed': {
        const at = conclusion.step === null ? '' : ` at step "${conclusion.step}"`;
        const reason = asSentence((conclusion.reason ?? 'unknown reason').trim());
        const left = undone || (input.keepOnFailure ? 'The failed release was kept.' : failed);
        return `Could not ${verb} ${input.title}${at}: ${reason} ${left}`.trim();
      }
    }
  }

  override async conclude({ files }: TInput): Promise<void> {
    if (files !== undefined) await this.files.remove(files);
  }

  protected stepPlan({ title }: TInput): StepPlan {
    return { ...this.step, title: `${MESSAGES[this.kind].present} ${title}` };
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
