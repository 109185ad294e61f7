import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
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
import { addressesOf, hasSeveralControlPlanes, stopOrder } from '../inventory/index.js';

export interface StopClusterInput {
  name: string;
  runtime: string;
  /** Containers when it was asked for: they give the step its title. */
  containers: number;
}

/** Stops a cluster so that it stays stopped, also when its engine restarts. */
@Injectable()
export class StopClusterHandler extends JobHandler<StopClusterInput> {
  override readonly kind = 'stop';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly gateways: GatewaySelector,
  ) {
    super();
  }

  override plan(input: StopClusterInput): JobPlan {
    return {
      stages: [
        {
          steps: [
            {
              name: 'stopping-nodes',
              title: `Stopping ${counted(input.containers, 'node')}`,
              weight: 1,
            },
          ],
          run: (context) => this.stop(input, context),
          undo: async (context) => {
            await this.nodes.reportState(input, context);
            const nodes = await this.nodes.list(input);
            if (nodes.some(({ state }) => state === 'running')) {
              await this.nodes.keep(input, nodes, { wanted: 'running' });
            }
          },
        },
      ],
    };
  }

  override announce({ name, runtime }: StopClusterInput): string {
    return `Stopping ${name} on ${runtime}.`;
  }

  override describe({ runtime }: StopClusterInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    const { stopped = [] } = (job.result ?? {}) as { stopped?: string[] };
    const left = conclusion.undone.join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return stopped.length === 0
          ? 'It was stopped already.'
          : `Stopped: ${counted(stopped.length, 'node')} on ${runtime}.`;
      case 'cancelled':
        return `Cancelled. ${left || 'Nothing was stopped.'}`;
      case 'interrupted':
        return conclusion.completed
          ? 'Interrupted by a restart of Slipway, then finished: all nodes are stopped.'
          : `Interrupted by a restart of Slipway. ${left || 'Stop it again to finish.'}`;
      case 'failed':
        return `Not stopped: ${conclusion.reason ?? 'the reason is not known'} ${left}`.trim();
    }
  }

  /** A stop that was begun is finished: half a cluster is of no use to anybody. */
  override async recover(input: StopClusterInput, context: UndoContext): Promise<boolean> {
    if (context.job.started_at === null) return false;
    await this.stopNodes(input, context);
    return true;
  }

  private async stop(input: StopClusterInput, context: JobContext): Promise<void> {
    context.result({ stopped: [] });
    const stopped = await this.stopNodes(input, context);
    context.result({ stopped });
    if (stopped.length === 0) context.log(`No node of ${input.name} runs`);
  }

  /** @returns the names of those that ran. @throws DomainError `node_unchanged` where one did not end. */
  private async stopNodes(
    input: StopClusterInput,
    context: UndoContext & Partial<Pick<JobContext, 'progress'>>,
  ): Promise<string[]> {
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    const nodes = await this.nodes.list(input, context.signal);
    const { node_addresses: recorded } = await this.nodes.record(input, nodes);
    const present = addressesOf(nodes);
    await this.nodes.keep(input, nodes, {
      wanted: 'stopped',
      // Several control planes know each other by the addresses that they were made with.
      node_addresses: hasSeveralControlPlanes(nodes)
        ? { ...present, ...recorded }
        : { ...recorded, ...present },
    });
    const running = nodes.filter(
      ({ state }) => state === 'running' || state === 'paused' || state === 'restarting',
    );
    const failed: string[] = [];
    let ended = 0;
    for (const group of stopOrder(running)) {
      context.signal.throwIfAborted();
      const failures = await eachNode(group, async (node) => {
        await this.nodes.stop(node, runtime, context.signal);
        ended += 1;
        context.progress?.(ended / running.length, `${ended} of ${running.length} stopped`);
        context.log(`${node.name} is stopped`);
      });
      failed.push(...failures.map(({ reason }) => reason));
    }
    if (failed.length > 0) throw new DomainError('node_unchanged', `${failed.join('; ')}.`);
    await this.nodes.keep(input, nodes, { degraded_reason: null, degraded_since: null });
    this.gateways.for(runtime.info().capabilities.provisioner).forget(input.name, input.runtime);
    return stopOrder(running)
      .flat()
      .map(({ name }) => name);
  }
}
