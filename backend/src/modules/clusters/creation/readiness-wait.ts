import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { counted } from '../../../core/values/index.js';
import {
  GatewaySelector,
  type ClusterReadiness,
  type ClusterTarget,
} from '../../../drivers/kubernetes/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { JobContext, StepPlan } from '../../jobs/index.js';
import type { Impediments } from '../../kind-config/index.js';

const TIMEOUT_MS = 5 * 60_000;
const POLL_MS = 300;

export interface ReadinessGoal {
  /** Number of Kubernetes nodes, without the load balancer. */
  nodes: number;
  /** If set, the API can also list nodes that no longer exist, which do not count. */
  names?: readonly string[];
  /** The wait does not go on for parts that do not become ready by themselves. */
  impediments: Impediments;
}

export interface Unready {
  /** The parts that are not ready and why, without a period. */
  reason: string;
  /** Whether the API server has responded, so that the cluster can be used. */
  answered: boolean;
}

interface WaitLimits {
  timeoutMs?: number;
  /** Time for parts that do not become ready by themselves, but may be ready already. */
  graceMs?: number;
}

/** Waits until the API, all nodes and the DNS of a cluster are ready. kind itself waits only for control planes. */
@Injectable()
export class ReadinessWait {
  constructor(private readonly gateways: GatewaySelector) {}

  step(nodes: number, withoutDefaultNetwork: boolean): StepPlan {
    return {
      name: 'ready',
      title: withoutDefaultNetwork
        ? `Ready: API, ${counted(nodes, 'node')} registered`
        : `Ready: API, ${counted(nodes, 'node')}, DNS`,
      weight: 6 + nodes,
    };
  }

  /**
   * @param goal a function if the goal can change during the wait because nodes stop. It returns null if no node is left.
   * @returns null once the cluster is ready, or what is not when nothing more can become ready.
   */
  async wait(
    runtime: RuntimeDriver,
    target: Omit<ClusterTarget, 'runtime'>,
    goal: ReadinessGoal | (() => Promise<ReadinessGoal | null>),
    { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
    { timeoutMs = TIMEOUT_MS, graceMs = 0 }: WaitLimits = {},
  ): Promise<Unready | null> {
    const deadline = performance.now() + timeoutMs;
    let answered = false;
    let completeAt: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      const wanted = typeof goal === 'function' ? await goal() : goal;
      if (wanted === null) return { reason: `no control plane of ${target.name} is running`, answered };
      const { done, of, detail, reason, isComplete } = await this.ask(runtime, target, wanted);
      answered ||= done > 0;
      progress(done / of, detail);
      if (done === of) return null;
      const now = performance.now();
      completeAt = isComplete ? (completeAt ?? now) : undefined;
      if (completeAt !== undefined && now >= completeAt + graceMs) return { reason, answered };
      if (now > deadline) {
        const late = `${target.name} did not become ready within ${timeoutMs / 60_000} minutes: ${reason}`;
        return { reason: late, answered };
      }
      await delay(POLL_MS, undefined, { signal });
    }
  }

  /** @returns what is missing now, or null if the cluster is ready. */
  async missing(
    runtime: RuntimeDriver,
    target: Omit<ClusterTarget, 'runtime'>,
    goal: ReadinessGoal,
  ): Promise<string | null> {
    const { done, of, reason } = await this.ask(runtime, target, goal);
    return done === of ? null : reason;
  }

  private async ask(
    runtime: RuntimeDriver,
    target: Omit<ClusterTarget, 'runtime'>,
    goal: ReadinessGoal,
  ): Promise<Omit<ReturnType<typeof share>, 'cause'> & { reason: string }> {
    const gateway = this.gateways.for(runtime.info().capabilities.provisioner);
    const readiness = await gateway.readiness({ ...target, runtime: runtime.id });
    const { cause, ...found } = share(readiness, goal);
    const reason = readiness.reason ?? found.detail;
    return { ...found, reason: cause === null ? reason : `${reason}: ${cause}` };
  }
}

/**
 * @returns `isComplete` if only parts are missing that do not become ready by themselves, and `cause` for the first of them
 */
function share(
  readiness: ClusterReadiness,
  { nodes, names, impediments }: ReadinessGoal,
): { done: number; of: number; detail: string; isComplete: boolean; cause: string | null } {
  const of = nodes + 2;
  if (!readiness.apiReady) {
    return { done: 0, of, detail: 'waiting for the API', isComplete: false, cause: null };
  }
  const known = readiness.nodes.filter(({ name }) => names === undefined || names.includes(name));
  const ready = Math.min(known.filter((node) => node.ready).length, nodes);
  const dns = readiness.dnsReady ? 1 : 0;
  const isComplete =
    known.length >= nodes &&
    (ready === nodes || impediments.nodes !== null) &&
    (dns === 1 || impediments.dns !== null);
  const cause = ready < nodes ? impediments.nodes : dns === 0 ? impediments.dns : null;
  const detail =
    ready < nodes ? `${ready} of ${nodes} nodes are ready` : dns ? 'ready' : 'waiting for cluster DNS';
  return { done: 1 + ready + dns, of, detail, isComplete, cause };
}
