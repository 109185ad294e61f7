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
import { counted, describeOutcome } from '../inventory/index.js';
import { ClusterNodes, eachNode } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';

export interface PauseClusterInput {
  name: string;
  runtime: string;
  /** Numbers of containers and Kubernetes nodes at the request, for the titles of the steps. */
  containers: number;
  members: number;
}

/** Freezes the processes of a cluster: it keeps its memory, uses no CPU and does not respond. */
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
            { name: 'pausing-nodes', title: `Pausing ${counted([input.containers, 'node'])}`, weight: 1 },
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

/** Resumes a paused cluster, and waits until it is ready. */
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
            { name: 'unpausing-nodes', title: `Unpausing ${counted([input.containers, 'node'])}`, weight: 1 },
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

/** @returns the names of the changed nodes. @throws DomainError `node_unchanged` naming the nodes that failed. */
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

function describePause(done: 'paused' | 'unpaused', job: Readonly<Job>, conclusion: JobConclusion): string {
  const { changed = [], degraded = null } = (job.result ?? {}) as {
    changed?: string[];
    degraded?: string | null;
  };
  const title = done === 'paused' ? 'Paused' : 'Unpaused';
  const unneeded = done === 'paused' ? 'It was already paused.' : 'It was not paused.';
  const changes = changed.length === 0 ? unneeded : `${title}: ${counted([changed.length, 'node'])}.`;
  return describeOutcome(conclusion, {
    succeeded: degraded === null ? changes : `${title}, but it is degraded: ${degraded}.`,
    completed: `All nodes are ${done}.`,
    unfinished: 'Repeat the action to finish.',
  });
}
