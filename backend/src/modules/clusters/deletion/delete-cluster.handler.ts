import { Injectable } from '@nestjs/common';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import { retryWhileUnavailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterHooks, ClusterStore, ownsNodes } from '../inventory/index.js';
import { ClusterRemoval, counted } from './cluster-removal.js';
import { jobObjectsOf } from './ownership.js';

const FILES_STEP = 'removing-files';

export interface DeleteClusterInput {
  name: string;
  runtime: string;
}

/** What a deletion removed, as the job's result carries it. */
export interface RemovedParts {
  containers: string[];
  volumes: string[];
  files: string[];
}

/** Deletes a cluster: its containers and volumes, its entry in the user's own kubeconfig, then its saved files. */
@Injectable()
export class DeleteClusterHandler extends JobHandler<DeleteClusterInput> {
  override readonly kind = 'delete';

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly gateways: GatewaySelector,
    private readonly store: ClusterStore,
    private readonly removal: ClusterRemoval,
    private readonly hooks: ClusterHooks,
  ) {
    super();
  }

  override plan(input: DeleteClusterInput): JobPlan {
    return {
      stages: [
        {
          steps: [{ name: 'removing-nodes', title: 'Removing nodes and volumes', weight: 2 }],
          run: (context) => this.removeNodes(input, context),
        },
        {
          steps: [{ name: FILES_STEP, title: 'Removing saved files', weight: 0.1 }],
          run: async (context) => {
            await this.hooks.afterRemoval(input, context);
            context.result({ files: await this.store.remove(input) });
          },
        },
      ],
    };
  }

  override announce({ name, runtime }: DeleteClusterInput): string {
    return `Deleting ${name} from ${runtime}.`;
  }

  override describe(input: DeleteClusterInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    return [this.describeEnding(input, job, conclusion), ...conclusion.undone].join(' ');
  }

  /** A deletion that was begun is finished, with what it recorded when it started: half a cluster is of no use. */
  override async recover(input: DeleteClusterInput, context: UndoContext): Promise<boolean> {
    if (!hasBegun(context)) return false;
    if (ownsNodes(await this.store.read(input))) {
      await this.removal.remove(input.name, this.runtimes.get(input.runtime), 'delete', context);
    }
    await this.hooks.afterRemoval(input, context);
    await this.store.remove(input);
    return true;
  }

  private describeEnding(
    { runtime }: DeleteClusterInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const { containers = [], volumes = [] } = (job.result ?? {}) as Partial<RemovedParts>;
    const parts = [counted(containers.length, 'container'), counted(volumes.length, 'volume')].filter(
      (part) => part !== '',
    );
    switch (conclusion.outcome) {
      case 'succeeded':
        return parts.length > 0
          ? `Deleted: ${parts.join(' and ')} removed from ${runtime}.`
          : `Deleted. ${runtime} held nothing of it any more.`;
      case 'cancelled':
        if (job.started_at === null) return 'Cancelled before it began. The cluster was not touched.';
        return 'Cancelled. What was removed by then stays removed; delete it again to finish.';
      case 'interrupted':
        if (job.started_at === null) {
          return 'Interrupted before it began: Slipway stopped. The cluster was not touched. Delete it again if you still want to.';
        }
        return conclusion.completed
          ? 'Interrupted by a restart of Slipway, then finished.'
          : 'Interrupted by a restart of Slipway. Delete it again to finish.';
      case 'failed':
        return `Not deleted: ${conclusion.reason ?? 'the reason is not known'}`;
    }
  }

  private async removeNodes(input: DeleteClusterInput, context: JobContext): Promise<void> {
    const { name, runtime: id } = input;
    if (!ownsNodes(await this.store.read(input))) {
      context.log('The cluster has no nodes of its own, so there is nothing to remove from the engine.');
      return;
    }
    const runtime = await retryWhileUnavailable(async () => this.runtimes.get(id), context.signal);
    const found = await retryWhileUnavailable(() => runtime.objectsOf(name), context.signal);
    context.objects.record('delete', jobObjectsOf(found));
    const removed = await this.removal.remove(name, runtime, 'delete', context);
    this.gateways.for(runtime.info().capabilities.provisioner).forget(name, id);
    context.result({ ...removed });
  }
}

/** Whether a deletion came as far as removing anything. */
function hasBegun({ job, objects }: UndoContext): boolean {
  const files = job.steps.find(({ name }) => name === FILES_STEP);
  return objects.recorded('delete').length > 0 || (files !== undefined && files.state !== 'pending');
}
