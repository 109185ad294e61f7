import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { asSentence } from '../../../core/errors/index.js';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import {
  retryWhileUnavailable,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import type {
  Job,
  JobConclusion,
  JobContext,
  JobLogLine,
  JobPlan,
  JobStage,
  UndoContext,
} from '../../jobs/index.js';
import { ClusterRemoval, describeRemoval, jobObjectsOf, type RemovedObjects } from '../deletion/index.js';
import { ClusterStore } from '../inventory/index.js';
import {
  type CreationInput,
  CreationRecord,
  CreationStages,
  describeShape,
  nameTaken,
  placeOf,
  type ReplacedNode,
} from '../creation/index.js';

export interface RecreationInput extends CreationInput {
  /** The cluster's nodes as they were when it was asked for; none where there is nothing to lose. */
  replaced: ReplacedNode[];
  /** What goes with them, as a sentence; null where there is nothing to lose. */
  losses: string | null;
}

/** What the job's result carries. */
interface RecreationResult {
  removed: RemovedObjects;
}

const REMOVAL_STEP = 'removing-old-nodes';
/** Engines take some tenths of a second to end and remove a container. */
const SETTLE_MS = 1500;
const SETTLE_POLL_MS = 250;
const UNTOUCHED = 'The cluster is as it was.';

/** How the nodes of the cluster before stand once a job is undone. */
type OldNodes = 'as they were' | 'gone';

/**
 * Makes a cluster again from its saved config: what was there is deleted, and only after everything that
 * could stand in the way was looked at and the image is here. One job, whichever kind it is of: recreating,
 * and a start whose config was changed.
 */
@Injectable()
export class Recreation {
  /** Of jobs that were undone or put right, until they are concluded. */
  private readonly oldNodes = new Map<number, OldNodes>();

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly gateways: GatewaySelector,
    private readonly store: ClusterStore,
    private readonly removal: ClusterRemoval,
    private readonly stages: CreationStages,
    private readonly record: CreationRecord,
  ) {}

  plan(input: RecreationInput): JobPlan {
    return {
      stages: [
        ...this.stages.before(input, input.replaced),
        this.removalStage(input),
        ...this.stages.making(input),
      ],
    };
  }

  announce({ name, runtime, shape, losses }: RecreationInput): string {
    const what = `Making ${name} again from its saved config, with ${describeShape(shape)} on ${runtime}.`;
    return losses === null ? what : `${what} ${losses}`;
  }

  describe(
    { shape, runtime, version, keepOnFailure, replaced }: RecreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
  ): string {
    const at = placeOf(conclusion);
    const undone = removalOf(job) === 'pending' ? UNTOUCHED : conclusion.undone.join(' ');
    const after = [undone, undone === UNTOUCHED ? '' : 'Its config is kept: recreate it to try again.']
      .filter((part) => part !== '')
      .join(' ');
    switch (conclusion.outcome) {
      case 'succeeded':
        return [
          `Made again with ${describeShape(shape)}${version ? ` of ${version}` : ''} on ${runtime}.`,
          ...(replaced.length > 0 ? [`Before that: ${describeRemoval(removedBy(job))}`] : []),
        ].join(' ');
      case 'cancelled':
        return `Cancelled ${at}. ${after}`;
      case 'interrupted':
        return conclusion.completed
          ? `Interrupted ${at} by a restart of Slipway. The cluster was whole by then and stays.`
          : `Interrupted ${at} by a restart of Slipway. ${after}`;
      case 'failed': {
        const kept = keepOnFailure && undone === '' ? 'The nodes were kept. ' : '';
        return `Failed ${at}: ${asSentence(conclusion.reason ?? 'the reason is not known')} ${kept}${after}`;
      }
    }
  }

  async conclude(
    input: RecreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    const old = removalOf(job) === 'pending' ? 'as they were' : this.oldNodes.get(job.id);
    this.oldNodes.delete(job.id);
    if (old === 'as they were') {
      await this.noteAttempt(input, job, conclusion, log);
      return;
    }
    const nodesLeft = old !== 'gone' && removalOf(job) !== 'succeeded';
    await this.record.write(input, job, conclusion, log, nodesLeft);
  }

  async recover(input: RecreationInput, context: UndoContext): Promise<boolean> {
    const removal = removalOf(context.job);
    if (removal === 'pending') return false;
    if (removal === 'succeeded') return await this.stages.reconcile(input, context);
    await this.reconcileOldNodes(input, this.runtimes.get(input.runtime), context);
    return false;
  }

  /** A retry that got nowhere says why; a cluster that was made earlier and stays keeps its own record. */
  private async noteAttempt(
    input: RecreationInput,
    job: Readonly<Job>,
    conclusion: JobConclusion,
    log: readonly JobLogLine[],
  ): Promise<void> {
    const meta = await this.store.read(input);
    if (!meta || meta.creation === 'created' || conclusion.outcome !== 'failed') return;
    await this.record.write(
      { ...input, keepOnFailure: meta.nodes_kept },
      job,
      conclusion,
      log,
      meta.nodes_begun,
    );
  }

  private removalStage(input: RecreationInput): JobStage {
    const runtime = this.runtimes.get(input.runtime);
    const replaces = input.replaced.length > 0;
    const title = replaces ? 'Removing the old nodes' : 'Removing what is left of the old nodes';
    let begun = false;
    let done = false;
    return {
      steps: [{ name: REMOVAL_STEP, title, weight: replaces ? 2 : 0.6 }],
      run: async (context) => {
        await this.recordOld(input, runtime, context);
        if (input.losses !== null) context.log(input.losses, 'warning');
        begun = true;
        const removed = await this.remove(input, runtime, context);
        done = true;
        context.log(describeRemoval(removed));
        context.result({ removed } satisfies RecreationResult);
      },
      undo: async (context) => {
        if (done) return;
        if (begun) await this.reconcileOldNodes(input, runtime, context);
        else this.keepOld(context);
      },
    };
  }

  /**
   * Records what is to be removed: the nodes that were there when it was asked for. A pull can take minutes, in which
   * another program may have created a cluster of this name.
   */
  private async recordOld(
    { name, replaced }: RecreationInput,
    runtime: RuntimeDriver,
    { signal, objects }: JobContext,
  ): Promise<void> {
    const found = await retryWhileUnavailable(() => runtime.objectsOf(name), signal);
    const foreign = found.containers.filter(({ id }) => !replaced.some((node) => node.id === id));
    if (foreign.length > 0) throw nameTaken(name, runtime, foreign);
    objects.record('delete', jobObjectsOf(found));
  }

  /** After a removal that was cut short: the cluster stays where nothing of it is lost, and goes where something is. */
  private async reconcileOldNodes(
    input: RecreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<void> {
    if (await this.staysAsItWas(input, runtime)) {
      this.keepOld(context);
      return;
    }
    context.log('Some of the old nodes are gone. Removing the others, as half a cluster is of no use.');
    const removed = await this.remove(input, runtime, context);
    this.oldNodes.set(context.job.id, 'gone');
    context.undone(describeRemoval(removed));
  }

  private keepOld(context: UndoContext): void {
    this.oldNodes.set(context.job.id, 'as they were');
    context.undone(UNTOUCHED);
  }

  /** Asked for a while: an engine goes on with what a killed program had asked it for. */
  private async staysAsItWas({ replaced }: RecreationInput, runtime: RuntimeDriver): Promise<boolean> {
    if (replaced.length === 0) return false;
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      const nodes = await retryWhileUnavailable(() => runtime.listNodes());
      const same = replaced.every(({ id, state }) =>
        nodes.some((node) => node.id === id && node.state === state),
      );
      if (!same || performance.now() > until) return same;
      await delay(SETTLE_POLL_MS);
    }
  }

  private async remove(
    input: RecreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<RemovedObjects> {
    const removed = await this.removal.remove(input.name, runtime, 'delete', context);
    await this.store.removeKubeconfig(input);
    this.gateways.for(runtime.info().capabilities.provisioner).forget(input.name, runtime.id);
    return removed;
  }
}

function removedBy(job: Readonly<Job>): RemovedObjects {
  const { removed } = (job.result ?? {}) as Partial<RecreationResult>;
  return removed ?? { containers: [], volumes: [] };
}

function removalOf(job: Readonly<Job>): string {
  return job.steps.find(({ name }) => name === REMOVAL_STEP)?.state ?? 'pending';
}
