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

const TIMEOUT_MS = 5 * 60_000;
const POLL_MS = 300;

export interface ReadinessGoal {
  /** Number of Kubernetes nodes, without the load balancer. */
  nodes: number;
  /** If set, the API can also list nodes that no longer exist, which do not count. */
  names?: readonly string[];
  /** Without a network nodes never become ready, so the wait ends when all are registered. */
  withoutDefaultNetwork: boolean;
}

/** Waits until the API, all nodes and the DNS of a cluster are ready. kind itself waits only for control planes. */
@Injectable()
export class ReadinessWait {
  constructor(private readonly gateways: GatewaySelector) {}

  step({ nodes, withoutDefaultNetwork }: ReadinessGoal): StepPlan {
    return {
      name: 'ready',
      title: withoutDefaultNetwork
        ? `Ready: API, ${counted(nodes, 'node')} registered`
        : `Ready: API, ${counted(nodes, 'node')}, DNS`,
      weight: 8,
    };
  }

  /**
   * @param goal a function if the goal can change during the wait because nodes stop. It returns null if no node is left.
   * @returns null once the cluster is ready, or what is missing after the timeout, without a period.
   */
  async wait(
    runtime: RuntimeDriver,
    target: Omit<ClusterTarget, 'runtime'>,
    goal: ReadinessGoal | (() => Promise<ReadinessGoal | null>),
    { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
    { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<string | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      signal.throwIfAborted();
      const wanted = typeof goal === 'function' ? await goal() : goal;
      if (wanted === null) return `no control plane of ${target.name} is running`;
      const { done, of, detail, reason } = await this.ask(runtime, target, wanted);
      progress(done / of, detail);
      if (done === of) return null;
      if (performance.now() > deadline) {
        return `${target.name} did not become ready within ${timeoutMs / 60_000} minutes: ${reason}`;
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
  ): Promise<ReturnType<typeof share> & { reason: string }> {
    const gateway = this.gateways.for(runtime.info().capabilities.provisioner);
    const readiness = await gateway.readiness({ ...target, runtime: runtime.id });
    const found = share(readiness, goal);
    return { ...found, reason: readiness.reason ?? found.detail };
  }
}

function share(
  readiness: ClusterReadiness,
  { nodes, names, withoutDefaultNetwork }: ReadinessGoal,
): { done: number; of: number; detail: string } {
  if (!readiness.apiReady) return { done: 0, of: nodes + 2, detail: 'waiting for the API' };
  const known = readiness.nodes.filter(({ name }) => names === undefined || names.includes(name));
  const registered = Math.min(known.length, nodes);
  if (withoutDefaultNetwork) {
    return { done: 1 + registered, of: nodes + 1, detail: `${registered} of ${nodes} nodes are registered` };
  }
  const ready = Math.min(known.filter((node) => node.ready).length, nodes);
  const dns = readiness.dnsReady ? 1 : 0;
  const detail =
    ready < nodes ? `${ready} of ${nodes} nodes are ready` : dns ? 'ready' : 'waiting for cluster DNS';
  return { done: 1 + ready + dns, of: nodes + 2, detail };
}
