import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import {
  retryWhileUnavailable,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import {
  type Job,
  type JobConclusion,
  type JobContext,
  JobHandler,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterRemoval, describeRemoval, type RemovedObjects } from '../deletion/cluster-removal.js';
import { jobObjectsOf } from '../deletion/ownership.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { countedParts } from '../inventory/counted-parts.js';
import {
  COMPLETED_CREATION,
  CONFIG_KEPT,
  CreationRecord,
  describeShape,
  remainsOf,
  withState,
} from '../creation/creation-record.js';
import type { CreationInput, ReplacedNode } from '../creation/creation-input.js';
import { assertOnly } from '../creation/creation-checks.js';
import { CreationStages } from '../creation/creation-stages.js';

export interface RecreationInput extends CreationInput {
  /** Nodes of the cluster when the job was requested. */
  replaced: ReplacedNode[];
  /** A sentence about what is deleted with these nodes, or null. */
  losses: string | null;
}

interface RecreationResult {
  removed: RemovedObjects;
}

const REMOVAL_STEP = 'removing-old-nodes';
/** Of a retried creation that left no nodes. */
const LEFTOVERS_STEP = 'removing-leftovers';
/** An engine completes requests of a killed program: it takes some tenths of a second to remove a container. */
const SETTLE_MS = 1500;
const SETTLE_POLL_MS = 250;
const UNCHANGED = 'The cluster is unchanged.';
/** A retried creation that had failed before its first node. */
const NO_NODES = `No nodes exist. ${CONFIG_KEPT}`;

type OldNodes = 'unchanged' | 'removed';

/** Deletes a cluster and creates it again from its saved config. Also retries a failed creation. */
@Injectable()
export class RecreateClusterHandler extends JobHandler<RecreationInput> {
  override readonly kind = 'recreate';
  /** State of the old nodes after an undo or a recovery, by job, until the job is concluded. */
  private readonly oldNodes = new Map<number, OldNodes>();

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly gateways: GatewaySelector,
    private readonly store: ClusterStore,
    private readonly removal: ClusterRemoval,
    private readonly stages: CreationStages,
    private readonly record: CreationRecord,
  ) {
    super();
  }

  override plan(input: RecreationInput): JobStage[] {
    return [
      ...this.stages.before(input, input.replaced),
      this.removalStage(input),
      ...this.stages.creating(input),
    ];
  }

  override title({ name }: RecreationInput): string {
    return `Recreate ${name}`;
  }

  override announce(input: RecreationInput): string {
    return [super.announce(input), input.losses].filter(Boolean).join(' ');
  }

  override texts(input: RecreationInput, conclusion: JobConclusion): OutcomeTexts {
    const { job, outcome, completed } = conclusion;
    const { name, runtime, shape, version } = input;
    const { containers, volumes } = removedBy(job);
    const removed = countedParts([containers.length, 'container'], [volumes.length, 'volume']);
    const created = `Recreated ${name} with ${describeShape(shape, version)} on ${runtime}`;
    const unchanged = unchangedState(input);
    const undone =
      removalOf(job) === 'pending' || conclusion.undone.includes(unchanged)
        ? [unchanged]
        : [...remainsOf(input, conclusion), ...this.leftAfterRemoval(input, conclusion)];
    return {
      succeeded: withState(removed === '' ? created : `${created} after removing ${removed}`, job),
      completed: COMPLETED_CREATION,
      undone: outcome === 'succeeded' || completed ? [] : undone,
    };
  }

  override async conclude(input: RecreationInput, conclusion: JobConclusion): Promise<void> {
    const { job } = conclusion;
    const old = removalOf(job) === 'pending' ? 'unchanged' : this.oldNodes.get(job.id);
    this.oldNodes.delete(job.id);
    if (old === 'unchanged') {
      await this.noteAttempt(input, conclusion);
      return;
    }
    const nodesLeft = old !== 'removed' && removalOf(job) !== 'succeeded';
    await this.record.write(input, conclusion, nodesLeft);
  }

  override async recover(input: RecreationInput, context: UndoContext): Promise<boolean> {
    const removal = removalOf(context.job);
    if (removal === 'pending') return false;
    if (removal === 'succeeded') return await this.stages.reconcile(input, context);
    await this.reconcileOldNodes(input, this.runtimes.get(input.runtime), context);
    return false;
  }

  /** Records why a retry failed before it removed nodes. A cluster that was created keeps its record. */
  private async noteAttempt(input: RecreationInput, conclusion: JobConclusion): Promise<void> {
    const meta = await this.store.read(input);
    if (!meta || meta.creation === 'created' || conclusion.outcome !== 'failed') return;
    await this.record.write({ ...input, keepOnFailure: meta.nodes_kept }, conclusion, meta.nodes_begun);
  }

  /** Describes what remains once the old nodes are removed. Without certainty about the new nodes, nothing is said of them. */
  private leftAfterRemoval(input: RecreationInput, { job, undone, outcome }: JobConclusion): string[] {
    const isCertain =
      job.error?.code !== 'rollback_incomplete' &&
      !(outcome === 'failed' && input.keepOnFailure) &&
      !undone.some((sentence) => /^Recovery is incomplete|Not removed/.test(sentence));
    const removed = input.replaced.length > 0 && removalOf(job) === 'succeeded';
    return [
      removed ? 'The old nodes were removed before.' : '',
      isCertain ? `${input.name} has no nodes now.` : '',
      CONFIG_KEPT,
    ].filter(Boolean);
  }

  private removalStage(input: RecreationInput): JobStage {
    const runtime = this.runtimes.get(input.runtime);
    const replaces = input.replaced.length > 0;
    const [name, title] = replaces
      ? [REMOVAL_STEP, 'Removing the old nodes']
      : [LEFTOVERS_STEP, 'Removing leftovers of the old nodes'];
    let started = false;
    let done = false;
    return {
      steps: [{ name, title, weight: replaces ? 2 : 0.6 }],
      run: async (context) => {
        await this.recordOld(input, runtime, context);
        if (input.losses !== null) context.log(input.losses, 'warning');
        started = true;
        const removed = await this.remove(input, runtime, context);
        done = true;
        context.log(describeRemoval(removed));
        context.result({ removed } satisfies RecreationResult);
      },
      undo: async (context) => {
        if (done) return;
        if (started) await this.reconcileOldNodes(input, runtime, context);
        else this.keepOld(input, context);
      },
    };
  }

  /**
   * Records the objects to remove. Fails if containers appeared since the job was requested: during a pull, which can
   * take minutes, another program may create a cluster with the same name.
   */
  private async recordOld(
    { name, replaced }: RecreationInput,
    runtime: RuntimeDriver,
    { signal, objects }: JobContext,
  ): Promise<void> {
    const found = await retryWhileUnavailable(() => runtime.objectsOf(name), signal);
    assertOnly(replaced, found.containers, name, runtime);
    objects.record('delete', jobObjectsOf(found));
  }

  /** After an interrupted removal: keeps the old nodes if all of them still exist, and removes the rest otherwise. */
  private async reconcileOldNodes(
    input: RecreationInput,
    runtime: RuntimeDriver,
    context: UndoContext,
  ): Promise<void> {
    if (await this.isUnchanged(input, runtime)) {
      this.keepOld(input, context);
      return;
    }
    context.log('Some of the old nodes no longer exist. Removing the others.');
    const removed = await this.remove(input, runtime, context);
    this.oldNodes.set(context.job.id, 'removed');
    context.undone(describeRemoval(removed));
  }

  private keepOld(input: RecreationInput, context: UndoContext): void {
    this.oldNodes.set(context.job.id, 'unchanged');
    context.undone(unchangedState(input));
  }

  private async isUnchanged({ replaced }: RecreationInput, runtime: RuntimeDriver): Promise<boolean> {
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

function unchangedState({ replaced }: RecreationInput): string {
  return replaced.length > 0 ? UNCHANGED : NO_NODES;
}

function removedBy(job: Readonly<Job>): RemovedObjects {
  const { removed } = (job.result ?? {}) as Partial<RecreationResult>;
  return removed ?? { containers: [], volumes: [] };
}

function removalOf(job: Readonly<Job>): string {
  return job.steps.find(({ name }) => name === REMOVAL_STEP || name === LEFTOVERS_STEP)?.state ?? 'pending';
}
