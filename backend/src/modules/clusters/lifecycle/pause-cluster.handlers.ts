import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { capitalized, counted } from '../../../core/values/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type StepPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterNodes, eachNode, type LifecycleInput } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';

type PauseKind = 'pause' | 'unpause';

const TEXTS = {
  pause: { from: 'running', doing: 'Pausing', done: 'Paused', unneeded: 'was already paused' },
  unpause: { from: 'paused', doing: 'Unpausing', done: 'Unpaused', unneeded: 'was not paused' },
} as const;

@Injectable()
abstract class PauseHandler extends JobHandler<LifecycleInput> {
  abstract override readonly kind: PauseKind;

  constructor(protected readonly nodes: ClusterNodes) {
    super();
  }

  override title({ name }: LifecycleInput): string {
    return `${capitalized(this.kind)} ${name}`;
  }

  override texts({ name }: LifecycleInput, conclusion: JobConclusion): OutcomeTexts {
    const { done, unneeded } = TEXTS[this.kind];
    const { changed = [], degraded = null } = (conclusion.job.result ?? {}) as {
      changed?: string[];
      degraded?: string | null;
    };
    const changes =
      changed.length === 0
        ? `${name} ${unneeded}.`
        : `${done} ${counted(changed.length, 'node')} of ${name}.`;
    return {
      succeeded: degraded === null ? changes : `${done} ${name}, but it is degraded: ${degraded}.`,
      completed: `All nodes are ${done.toLowerCase()}.`,
      unfinished: 'Repeat the action to finish.',
    };
  }

  override async recover(input: LifecycleInput, context: UndoContext): Promise<boolean> {
    await this.change(this.kind, input, context);
    return true;
  }

  protected step({ containers }: LifecycleInput): StepPlan {
    const { doing } = TEXTS[this.kind];
    return {
      name: `${doing.toLowerCase()}-nodes`,
      title: `${doing} ${counted(containers, 'node')}`,
      weight: 1,
    };
  }

  /** @returns the names of the changed nodes. @throws DomainError `node_unchanged` naming the nodes that failed. */
  protected async change(kind: PauseKind, input: LifecycleInput, { signal }: UndoContext): Promise<string[]> {
    const runtime = await this.nodes.runtimeOf(input, signal);
    const nodes = await this.nodes.list(input, signal);
    const wanted = nodes.filter(({ state }) => state === TEXTS[kind].from);
    const failed = await eachNode(wanted, ({ name }) =>
      kind === 'pause' ? runtime.pauseNode(name) : runtime.unpauseNode(name),
    );
    if (wanted.length > failed.length) {
      await this.nodes.updateMeta(input, nodes, { pause_changed_at: new Date().toISOString() });
    }
    if (failed.length > 0) {
      throw new DomainError('node_unchanged', `${failed.map(({ reason }) => reason).join('; ')}.`);
    }
    return wanted.map(({ name }) => name);
  }
}

@Injectable()
export class PauseClusterHandler extends PauseHandler {
  override readonly kind = 'pause';

  override plan(input: LifecycleInput): JobStage[] {
    return [
      {
        steps: [this.step(input)],
        run: async (context) => context.result({ changed: await this.change('pause', input, context) }),
        undo: async (context) => {
          await this.change('unpause', input, context);
          await this.nodes.reportState(input, context);
        },
      },
    ];
  }
}

@Injectable()
export class UnpauseClusterHandler extends PauseHandler {
  override readonly kind = 'unpause';

  constructor(
    nodes: ClusterNodes,
    private readonly verification: StartVerification,
  ) {
    super(nodes);
  }

  override plan(input: LifecycleInput): JobStage[] {
    return [
      {
        steps: [this.step(input), this.verification.step(input.members)],
        run: (context) => this.unpause(input, context),
        undo: (context) => this.nodes.reportState(input, context),
      },
    ];
  }

  private async unpause(input: LifecycleInput, context: JobContext): Promise<void> {
    const changed = await this.change('unpause', input, context);
    context.result({ changed });
    if (changed.length === 0) return;
    context.signal.throwIfAborted();
    context.step('ready');
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    context.result({ degraded: await this.verification.check(input, runtime, context, [], []) });
  }
}
