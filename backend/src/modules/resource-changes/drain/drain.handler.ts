import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import type { ResourceApi } from '../../../drivers/kubernetes/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type UndoContext,
} from '../../jobs/index.js';
import { ClusterResources, isCordoned } from '../../resources/index.js';
import { planDrain, podName, podsOn, type DrainedPod } from './drain-plan.js';
import { assertLossesAccepted, type AcceptedLosses } from './drain-losses.js';

export interface DrainInput extends ClusterKey, AcceptedLosses {
  node: string;
  /** Pods to evict when the job was submitted; determines the weight of the steps. */
  pods: number;
  /** Null for each pod's own setting. */
  graceSeconds: number | null;
  timeoutSeconds: number;
}

/** Wait before the next attempt for a pod whose budget forbids the eviction. kubectl waits 5 s. */
const RETRY_MS = 2000;
const POLL_INTERVAL_MS = 500;
const CONCURRENT_EVICTIONS = 8;

const NODES = { group: '', version: 'v1', plural: 'nodes', namespace: null };

interface PodToEvict extends DrainedPod {
  accepted: boolean;
  /** Why the eviction was rejected, for now. */
  blocked: string | null;
  retryAt: number;
}

@Injectable()
export class DrainHandler extends JobHandler<DrainInput> {
  override readonly kind = 'drain';

  constructor(
    private readonly resources: ClusterResources,
    private readonly runtimes: RuntimeRegistry,
  ) {
    super();
  }

  override plan(input: DrainInput): JobStage[] {
    return [
      {
        steps: [
          { name: 'cordoning', title: `Cordon ${input.node}`, weight: 1 },
          { name: 'evicting', title: `Evict the pods of ${input.node}`, weight: 5 + 3 * input.pods },
        ],
        run: (context) => this.drain(input, context),
        undo: (context) => this.reportState(input, context),
      },
    ];
  }

  override title({ node, name }: DrainInput): string {
    return `Drain ${node} in ${name}`;
  }

  override texts({ node }: DrainInput, { job }: JobConclusion): OutcomeTexts {
    const { evicted = 0 } = (job.result ?? {}) as { evicted?: number };
    return {
      succeeded: `Drained ${node}: evicted ${counted(evicted, 'pod')}. The node is cordoned. Uncordon it to use it again.`,
      unfinished: 'Drain the node again to finish.',
    };
  }

  /**
   * Evictions cannot be reverted, and the node stays cordoned.
   * @throws DomainError `runtime_unavailable` until the engine responds: the state is unknown before that
   */
  override async recover(input: DrainInput, context: UndoContext): Promise<boolean> {
    this.runtimes.get(input.runtime);
    await this.reportState(input, context);
    return false;
  }

  private async drain(input: DrainInput, context: JobContext): Promise<void> {
    const { api } = await this.resources.open(input.name, input.runtime);
    await api.patch({ ...NODES, name: input.node }, 'merge', { spec: { unschedulable: true } });
    context.log(`cordoned ${input.node}`);
    context.signal.throwIfAborted();
    context.step('evicting');
    // Planned again, since no more pods can be scheduled now.
    const plan = await planDrain(api, input.node);
    assertLossesAccepted(input.node, plan.losses, input);
    for (const [what, pods] of [
      ['controlled by a DaemonSet, which would recreate it', plan.stay.daemonSet],
      ['static, run by the kubelet', plan.stay.mirror],
    ] as const) {
      if (pods.length > 0) context.log(`skipped ${pods.map(podName).join(', ')}: ${what}`);
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
    const progress = total === undefined ? '' : ` Evicted ${evicted} of ${counted(total, 'pod')}.`;
    try {
      const { api } = await this.resources.open(name, runtime);
      context.undone(
        isCordoned(await api.read({ ...NODES, name: node }))
          ? `${node} stays cordoned. Uncordon it to use it again, or drain it again.${progress}`
          : `${node} is not cordoned.${progress}`,
      );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      context.undone(
        `Could not determine whether ${node} is cordoned: ${error.message} Once ${name} is reachable, uncordon the node or drain it again.${progress}`,
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
  const remaining = new Map<string, PodToEvict>(
    pods.map((pod) => [pod.uid, { ...pod, accepted: false, blocked: null, retryAt: 0 }]),
  );
  while (remaining.size > 0) {
    context.signal.throwIfAborted();
    const due = [...remaining.values()].filter(
      ({ accepted, retryAt }) => !accepted && retryAt <= performance.now(),
    );
    for (let index = 0; index < due.length; index += CONCURRENT_EVICTIONS) {
      context.signal.throwIfAborted();
      await Promise.all(
        due.slice(index, index + CONCURRENT_EVICTIONS).map((pod) => evict(api, pod, graceSeconds, context)),
      );
    }
    const present = new Set((await podsOn(api, node)).map(({ metadata: { uid } }) => uid));
    for (const { uid, ...pod } of [...remaining.values()]) {
      if (present.has(uid)) continue;
      remaining.delete(uid);
      context.log(`evicted ${podName(pod)}`);
    }
    const evicted = pods.length - remaining.size;
    const held = [...remaining.values()].filter(({ blocked }) => blocked !== null).length;
    context.result({ evicted });
    context.progress(
      evicted / Math.max(pods.length, 1),
      `Evicted ${evicted} of ${counted(pods.length, 'pod')}${held > 0 ? `, ${held} blocked by a disruption budget` : ''}`,
    );
    if (remaining.size === 0) return;
    if (performance.now() > deadline) throw timeoutError([...remaining.values()], timeoutSeconds);
    await delay(POLL_INTERVAL_MS, undefined, { signal: context.signal });
  }
}

async function evict(
  api: ResourceApi,
  pod: PodToEvict,
  graceSeconds: number | null,
  context: JobContext,
): Promise<void> {
  try {
    const { blocked } = await api.evict(
      pod,
      graceSeconds === null ? {} : { gracePeriodSeconds: graceSeconds },
    );
    if (blocked === null) {
      pod.accepted = true;
      pod.blocked = null;
      return;
    }
    if (pod.blocked === null) context.log(`${podName(pod)} is blocked: ${blocked}`, 'warning');
    pod.blocked = blocked;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // It no longer exists. A pod of the same name would be another one.
    if (error.code === 'resource_not_found') pod.accepted = true;
    else {
      if (pod.blocked === null) context.log(`could not evict ${podName(pod)}: ${error.message}`, 'warning');
      pod.blocked = error.message;
    }
  }
  pod.retryAt = performance.now() + RETRY_MS;
}

function timeoutError(pods: readonly PodToEvict[], seconds: number): DomainError {
  const listed = pods
    .slice(0, 5)
    .map((pod) => `${podName(pod)} (${(pod.blocked ?? 'still terminating').replace(/\.$/, '')})`);
  const more = pods.length > 5 ? `, and ${pods.length - 5} more` : '';
  return new DomainError(
    'resource_refused',
    `${counted(pods.length, 'pod')} could not be evicted within ${seconds} s: ${listed.join(', ')}${more}.`,
  );
}
