import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { counted } from '../deletion/index.js';
import { ClusterNodes, eachNode } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';

export interface PauseClusterInput {
  name: string;
  runtime: string;
  /** Containers and Kubernetes nodes when it was asked for: they give the steps their titles. */
  containers: number;
  members: number;
}

/** Freezes a cluster's processes: it keeps its memory, uses no CPU and answers nothing. */
@Injectable()
export class PauseClusterHandler extends JobHandler<PauseClusterInput> {
  override readonly kind = 'pause';

  constructor(private readonly nodes: ClusterNodes) {
    super();
  }

  override plan(input: PauseClusterInput): JobPlan {
    return {
      stages: [
        {
          steps: [
            { name: 'pausing-nodes', title: `Pausing ${counted(input.containers, 'node')}`, weight: 1 },
          ],
          run: (context) => this.pause(input, context),
          undo: async (context) => {
            await unpauseNodes(this.nodes, input, context);
            await this.nodes.reportState(input, context);
          },
        },
      ],
    };
  }

  override announce({ name, runtime }: PauseClusterInput): string {
    return `Pausing ${name} on ${runtime}.`;
  }

  override describe(_input: PauseClusterInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    return describePause('paused', job, conclusion);
  }

  override async recover(input: PauseClusterInput, context: UndoContext): Promise<boolean> {
    if (context.job.started_at === null) return false;
    await pauseNodes(this.nodes, input, context);
    return true;
  }

  private async pause(input: PauseClusterInput, context: JobContext): Promise<void> {
    context.result({ changed: await pauseNodes(this.nodes, input, context) });
  }
}

/** Lets a paused cluster go on, and waits until it has caught up. */
@Injectable()
export class UnpauseClusterHandler extends JobHandler<PauseClusterInput> {
  override readonly kind = 'unpause';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly verification: StartVerification,
  ) {
    super();
  }

  override plan(input: PauseClusterInput): JobPlan {
    return {
      stages: [
        {
          steps: [
            { name: 'unpausing-nodes', title: `Unpausing ${counted(input.containers, 'node')}`, weight: 1 },
            this.verification.step(input.members),
          ],
          run: (context) => this.unpause(input, context),
          undo: (context) => this.nodes.reportState(input, context),
        },
      ],
    };
  }

  override announce({ name, runtime }: PauseClusterInput): string {
    return `Unpausing ${name} on ${runtime}.`;
  }

  override describe(_input: PauseClusterInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    return describePause('unpaused', job, conclusion);
  }

  override async recover(input: PauseClusterInput, context: UndoContext): Promise<boolean> {
    if (context.job.started_at === null) return false;
    await unpauseNodes(this.nodes, input, context);
    return true;
  }

  private async unpause(input: PauseClusterInput, context: JobContext): Promise<void> {
    const changed = await unpauseNodes(this.nodes, input, context);
    context.result({ changed });
    if (changed.length === 0) return;
    context.step('ready');
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    const degraded = await this.verification.check(input, runtime, context, [], []);
    context.result({ degraded });
  }
}

function pauseNodes(nodes: ClusterNodes, input: PauseClusterInput, context: UndoContext): Promise<string[]> {
  return changeNodes(nodes, input, context, 'running', (runtime, name) => runtime.pauseNode(name));
}

function unpauseNodes(
  nodes: ClusterNodes,
  input: PauseClusterInput,
  context: UndoContext,
): Promise<string[]> {
  return changeNodes(nodes, input, context, 'paused', (runtime, name) => runtime.unpauseNode(name));
}

/** @returns the names of those that it changed. @throws DomainError `node_unchanged` naming those it did not. */
async function changeNodes(
  nodes: ClusterNodes,
  input: PauseClusterInput,
  { signal }: UndoContext,
  from: 'running' | 'paused',
  change: (runtime: RuntimeDriver, name: string) => Promise<void>,
): Promise<string[]> {
  const runtime = await nodes.runtimeOf(input, signal);
  const wanted = (await nodes.list(input, signal)).filter(({ state }) => state === from);
  const failed = await eachNode(wanted, ({ name }) => change(runtime, name));
  if (failed.length > 0) {
    throw new DomainError('node_unchanged', `${failed.map(({ reason }) => reason).join('; ')}.`);
  }
  return wanted.map(({ name }) => name);
}

function describePause(
  done: 'paused' | 'unpaused',
  job: Readonly<Job>,
  { outcome, undone, completed, reason }: JobConclusion,
): string {
  const { changed = [], degraded = null } = (job.result ?? {}) as {
    changed?: string[];
    degraded?: string | null;
  };
  const left = undone.join(' ');
  const word = `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
  switch (outcome) {
    case 'succeeded':
      if (degraded !== null) return `${word}, but it is degraded: ${degraded}.`;
      if (changed.length > 0) return `${word}: ${counted(changed.length, 'node')}.`;
      return done === 'paused' ? 'It was paused already.' : 'It was not paused.';
    case 'cancelled':
      return `Cancelled. ${left || 'Nothing was changed.'}`;
    case 'interrupted':
      return completed
        ? `Interrupted by a restart of Slipway, then finished: all nodes are ${done}.`
        : `Interrupted by a restart of Slipway. ${left || 'Ask for it again to finish.'}`;
    case 'failed':
      return `Not ${done}: ${reason ?? 'the reason is not known'} ${left}`.trim();
  }
}
