import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterNodes, eachNode, type LifecycleInput } from './cluster-nodes.js';
import { addressesOf, hasSeveralControlPlanes, stopOrder } from '../inventory/node-order.js';

/** Stops a cluster so that it stays stopped when its engine restarts. */
@Injectable()
export class StopClusterHandler extends JobHandler<LifecycleInput> {
  override readonly kind = 'stop';

  constructor(
    private readonly nodes: ClusterNodes,
    private readonly gateways: GatewaySelector,
  ) {
    super();
  }

  override plan(input: LifecycleInput): JobStage[] {
    return [
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
            await this.nodes.updateMeta(input, nodes, { wanted: 'running' });
          }
        },
      },
    ];
  }

  override title({ name }: LifecycleInput): string {
    return `Stop ${name}`;
  }

  override texts({ name, runtime }: LifecycleInput, conclusion: JobConclusion): OutcomeTexts {
    const { stopped = [] } = (conclusion.job.result ?? {}) as { stopped?: string[] };
    return {
      succeeded:
        stopped.length === 0
          ? `${name} was already stopped.`
          : `Stopped ${counted(stopped.length, 'node')} of ${name} on ${runtime}.`,
      completed: 'All nodes are stopped.',
      unfinished: 'Stop it again to finish.',
    };
  }

  /** Finishes an interrupted stop, because a partly stopped cluster is of no use. */
  override async recover(input: LifecycleInput, context: UndoContext): Promise<boolean> {
    await this.stopNodes(input, context);
    return true;
  }

  private async stop(input: LifecycleInput, context: JobContext): Promise<void> {
    context.result({ stopped: [] });
    const stopped = await this.stopNodes(input, context);
    context.result({ stopped });
    if (stopped.length === 0) context.log(`No node of ${input.name} is running`);
  }

  /** @returns the names of the stopped nodes. @throws DomainError `node_unchanged` if a node did not stop. */
  private async stopNodes(
    input: LifecycleInput,
    context: UndoContext & Partial<Pick<JobContext, 'progress'>>,
  ): Promise<string[]> {
    const runtime = await this.nodes.runtimeOf(input, context.signal);
    const nodes = await this.nodes.list(input, context.signal);
    const { node_addresses: recorded } = await this.nodes.metaOf(input, nodes);
    const present = addressesOf(nodes);
    await this.nodes.updateMeta(input, nodes, {
      wanted: 'stopped',
      // Several control planes know each other by their original addresses.
      node_addresses: hasSeveralControlPlanes(nodes)
        ? { ...present, ...recorded }
        : { ...recorded, ...present },
    });
    const running = nodes.filter(
      ({ state }) => state === 'running' || state === 'paused' || state === 'restarting',
    );
    const failed: string[] = [];
    let done = 0;
    for (const group of stopOrder(running)) {
      context.signal.throwIfAborted();
      const failures = await eachNode(group, async (node) => {
        await this.nodes.stop(node, runtime, context.signal);
        done += 1;
        context.progress?.(done / running.length, `${done} of ${running.length} stopped`);
        context.log(`Stopped ${node.name}`);
      });
      failed.push(...failures.map(({ reason }) => reason));
    }
    if (failed.length > 0) throw new DomainError('node_unchanged', `${failed.join('; ')}.`);
    await this.nodes.updateMeta(input, nodes, { degraded_reason: null, degraded_since: null });
    this.gateways.for(runtime.info().capabilities.provisioner).forget(input.name, input.runtime);
    return stopOrder(running)
      .flat()
      .map(({ name }) => name);
  }
}
