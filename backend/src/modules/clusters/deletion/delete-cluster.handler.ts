import { Injectable } from '@nestjs/common';
import { reasonOf } from '../../../core/errors/index.js';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import { retryWhileUnavailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterHooks } from '../inventory/cluster-hooks.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { countedParts } from '../inventory/counted-parts.js';
import { ownsNodes } from '../inventory/cluster-meta.js';
import type { RemovedDto } from '../inventory/cluster.dto.js';
import { ClusterRemoval } from './cluster-removal.js';
import { jobObjectsOf } from './ownership.js';

const FILES_STEP = 'removing-files';
const AGAIN = 'Delete it again to finish.';

/** Deletes a cluster: its containers and volumes, its entry in the kubeconfig of the user, and its saved files. */
@Injectable()
export class DeleteClusterHandler extends JobHandler<ClusterKey> {
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

  override plan(input: ClusterKey): JobStage[] {
    return [
      {
        steps: [{ name: 'removing-nodes', title: 'Removing nodes and volumes', weight: 2 }],
        run: (context) => this.removeNodes(input, context),
        undo: (context) => this.reportLeft(input, context),
      },
      {
        steps: [{ name: FILES_STEP, title: 'Removing saved files', weight: 0.1 }],
        run: async (context) => {
          await this.hooks.afterRemoval(input, context);
          context.result({ files: await this.store.remove(input) });
        },
      },
    ];
  }

  override title({ name }: ClusterKey): string {
    return `Delete ${name}`;
  }

  override texts({ name, runtime }: ClusterKey, conclusion: JobConclusion): OutcomeTexts {
    const { containers = [], volumes = [] } = (conclusion.job.result ?? {}) as Partial<RemovedDto>;
    const removed = countedParts([containers.length, 'container'], [volumes.length, 'volume']);
    return {
      succeeded:
        removed === ''
          ? `Deleted ${name}. ${runtime} had no objects of it.`
          : `Deleted ${name}: ${removed} from ${runtime}.`,
      completed: 'The cluster is deleted.',
      unfinished: AGAIN,
      failed: AGAIN,
    };
  }

  /** Finishes an interrupted deletion, because a partly deleted cluster is of no use. */
  override async recover(input: ClusterKey, context: UndoContext): Promise<boolean> {
    if (!hasStarted(context)) return false;
    if (ownsNodes(await this.store.read(input))) {
      await this.removal.remove(input.name, this.runtimes.get(input.runtime), 'delete', context);
    }
    await this.hooks.afterRemoval(input, context);
    await this.store.remove(input);
    return true;
  }

  /** Removed objects stay removed. The rest is not worth waiting for an engine that does not respond. */
  private async reportLeft(input: ClusterKey, context: UndoContext): Promise<void> {
    const meta = await this.store.read(input);
    try {
      const volumes = context.objects.recorded('delete').filter(({ type }) => type === 'volume');
      const found = await this.runtimes.get(input.runtime).objectsOf(
        input.name,
        volumes.map(({ id }) => id),
      );
      const left = ownsNodes(meta)
        ? countedParts([found.containers.length, 'container'], [found.volumes.length, 'volume'])
        : '';
      context.undone(left === '' ? 'No containers or volumes are left.' : `Left: ${left}.`);
      if (left !== '' || meta !== undefined) context.undone(AGAIN);
    } catch (error) {
      context.log(`Could not determine what remains: ${reasonOf(error)}`, 'warning');
    }
  }

  private async removeNodes(input: ClusterKey, context: JobContext): Promise<void> {
    const { name, runtime: id } = input;
    if (!ownsNodes(await this.store.read(input))) {
      context.log('The cluster has no nodes in the engine.');
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

function hasStarted({ job, objects }: UndoContext): boolean {
  const files = job.steps.find(({ name }) => name === FILES_STEP);
  return objects.recorded('delete').length > 0 || (files !== undefined && files.state !== 'pending');
}
