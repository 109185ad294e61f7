import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { ResourceApi } from '../../../drivers/kubernetes/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobPlan,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterResources } from '../cluster-resources.js';
import { planDrain, podName, podsOn, type DrainedPod } from './drain-plan.js';
import { assertLossesAccepted, type AcceptedLosses } from './drain-losses.js';

export interface DrainInput extends AcceptedLosses {
  name: string;
  runtime: string;
  node: string;
  /** That were to leave when it was asked for; they give the steps their weight. */
  pods: number;
  /** Each pod's own where it is null. */
  graceSeconds: number | null;
  timeoutSeconds: number;
}

/** A budget that forbids an eviction is asked again after this; kubectl takes five seconds. */
const ASK_AGAIN_MS = 2000;
const LOOK_EVERY_MS = 500;
/** Evictions that are asked for at the same time. */
const AT_ONCE = 8;

const NODES = { group: '', version: 'v1', plural: 'nodes', namespace: null };

interface Leaving extends DrainedPod {
  /** Whether it was asked to leave, and nobody forbade it. */
  asked: boolean;
  /** What forbids it for now. */
  blocked: string | null;
  askAt: number;
}

/** Empties a node: no new pods, and those that are there leave as their disruption budgets allow. */
@Injectable()
export class DrainHandler extends JobHandler<DrainInput> {
  override readonly kind = 'drain';

  constructor(
    private readonly resources: ClusterResources,
    private readonly runtimes: RuntimeRegistry,
  ) {
    super();
  }

  override plan(input: DrainInput): JobPlan {
    return {
      stages: [
        {
          steps: [
            { name: 'cordoning', title: `Cordoning ${input.node}`, weight: 1 },
            { name: 'evicting', title: `Evicting the pods of ${input.node}`, weight: 5 + 3 * input.pods },
          ],
          run: (context) => this.drain(input, context),
          undo: (context) => this.reportState(input, context),
        },
      ],
    };
  }

  override announce({ node, name }: DrainInput): string {
    return `Draining ${node} of ${name}.`;
  }

  override describe(
    { node }: DrainInput,
    job: Readonly<Job>,
    { outcome, undone, reason }: JobConclusion,
  ): string {
    const { evicted = 0 } = (job.result ?? {}) as { evicted?: number };
    const left = undone.join(' ');
    switch (outcome) {
      case 'succeeded':
        return `${node} is drained: ${count(evicted)} left it, and no new ones come. Uncordon it to use it again.`;
      case 'cancelled':
        return `Cancelled. ${left || 'Nothing was changed.'}`;
      case 'interrupted':
        return `Interrupted by a restart of Slipway. ${left || 'Drain it again to finish.'}`;
      case 'failed':
        return `${node} is not drained: ${reason ?? 'the reason is not known.'} ${left}`.trim();
    }
  }

  /**
   * Evictions are not taken back, and a node stays cordoned until somebody wants it again.
   * @throws DomainError `runtime_unavailable` until the engine answers: only then can anybody tell
   */
  override async recover(input: DrainInput, context: UndoContext): Promise<boolean> {
    if (context.job.started_at === null) return false;
    this.runtimes.get(input.runtime);
    await this.reportState(input, context);
    return false;
  }

  private async drain(input: DrainInput, context: JobContext): Promise<void> {
    const { api } = await this.resources.open(input.name, input.runtime);
    await api.patch({ ...NODES, name: input.node }, 'merge', { spec: { unschedulable: true } });
    context.log(`${input.node} takes no new pods`);
    context.step('evicting');
    // Asked again now that no more can come.
    const plan = await planDrain(api, input.node);
    assertLossesAccepted(input.node, plan.losses, input);
    for (const [what, pods] of [
      ['of a daemon set, which would be back at once', plan.stay.daemonSet],
      ['static, and the kubelet’s own', plan.stay.mirror],
    ] as const) {
      if (pods.length > 0) context.log(`${pods.map(podName).join(', ')} stay: ${what}`);
    }
    context.result({
      evicted: 0,
      total: plan.leave.length,
      stayed: plan.stay.daemonSet.length + plan.stay.mirror.length,
    });
    await evictAll(api, input, plan.leave, context);
  }

  private async reportState({ name, runtime, node }: DrainInput, context: UndoContext): Promise<void> {
    const { evicted = 0, total } = (context.job.result ?? {}) as { evicted?: number; total?: number };
    const gone = total === undefined ? '' : ` ${evicted} of ${count(total)} had left it.`;
    try {
      const { api } = await this.resources.open(name, runtime);
      const { spec } = await api.read({ ...NODES, name: node });
      const cordoned = (spec as { unschedulable?: boolean } | undefined)?.unschedulable === true;
      context.undone(
        cordoned
          ? `${node} stays cordoned: uncordon it to use it again, or drain it once more.${gone}`
          : `${node} is not cordoned.${gone}`,
      );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      context.undone(
        `It cannot be told now whether ${node} stays cordoned: ${error.message} Once ${name} answers, uncordon it to use it again, or drain it once more.${gone}`,
      );
    }
  }
}

/** @throws DomainError `resource_refused` naming what did not leave in time, and why */
async function evictAll(
  api: ResourceApi,
  { node, graceSeconds, timeoutSeconds }: DrainInput,
  pods: readonly DrainedPod[],
  context: JobContext,
): Promise<void> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  const leaving = new Map<string, Leaving>(
    pods.map((pod) => [pod.uid, { ...pod, asked: false, blocked: null, askAt: 0 }]),
  );
  while (leaving.size > 0) {
    context.signal.throwIfAborted();
    const due = [...leaving.values()].filter(({ asked, askAt }) => !asked && askAt <= performance.now());
    for (let index = 0; index < due.length; index += AT_ONCE) {
      context.signal.throwIfAborted();
      await Promise.all(
        due.slice(index, index + AT_ONCE).map((pod) => evict(api, pod, graceSeconds, context)),
      );
    }
    const present = new Set((await podsOn(api, node)).map(({ metadata: { uid } }) => uid));
    for (const { uid, ...pod } of [...leaving.values()]) {
      if (present.has(uid)) continue;
      leaving.delete(uid);
      context.log(`${podName(pod)} has left`);
    }
    const evicted = pods.length - leaving.size;
    const held = [...leaving.values()].filter(({ blocked }) => blocked !== null).length;
    context.result({ evicted });
    context.progress(
      evicted / Math.max(pods.length, 1),
      `${evicted} of ${count(pods.length)} left${held > 0 ? `, ${held} held by a disruption budget` : ''}`,
    );
    if (leaving.size === 0) return;
    if (performance.now() > deadline) throw timeoutError([...leaving.values()], timeoutSeconds);
    await delay(LOOK_EVERY_MS, undefined, { signal: context.signal });
  }
}

async function evict(
  api: ResourceApi,
  pod: Leaving,
  graceSeconds: number | null,
  context: JobContext,
): Promise<void> {
  try {
    const { blocked } = await api.evict(
      pod,
      graceSeconds === null ? {} : { gracePeriodSeconds: graceSeconds },
    );
    if (blocked === null) {
      pod.asked = true;
      pod.blocked = null;
      return;
    }
    if (pod.blocked === null) context.log(`${podName(pod)} is held for now: ${blocked}`, 'warning');
    pod.blocked = blocked;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // It is gone, and what may be there under its name is another pod.
    if (error.code === 'resource_not_found') pod.asked = true;
    else {
      if (pod.blocked === null) context.log(`${podName(pod)} is not evicted: ${error.message}`, 'warning');
      pod.blocked = error.message;
    }
  }
  pod.askAt = performance.now() + ASK_AGAIN_MS;
}

function timeoutError(pods: readonly Leaving[], seconds: number): DomainError {
  const told = pods
    .slice(0, 5)
    .map((pod) => `${podName(pod)} (${(pod.blocked ?? 'it has not ended yet').replace(/\.$/, '')})`);
  const more = pods.length > 5 ? `, and ${pods.length - 5} more` : '';
  return new DomainError(
    'resource_refused',
    `${count(pods.length)} did not leave within ${seconds} s: ${told.join(', ')}${more}.`,
  );
}

function count(pods: number): string {
  return `${pods} ${pods === 1 ? 'pod' : 'pods'}`;
}
