import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  GatewaySelector,
  type ClusterReadiness,
  type ClusterTarget,
} from '../../../drivers/kubernetes/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { JobContext, StepPlan } from '../../jobs/index.js';
import { counted } from '../deletion/index.js';

const TIMEOUT_MS = 5 * 60_000;
const POLL_MS = 300;

/** What is waited for. */
export interface ReadinessGoal {
  /** Kubernetes nodes, so without a load balancer. */
  nodes: number;
  /** Where they are known: what the API still remembers of another one does not count. */
  names?: readonly string[];
  /** Without a network no node becomes ready: then their registration is all that can be waited for. */
  withoutDefaultNetwork: boolean;
}

/** Waits until a cluster can be used: its API, every node and its DNS. kind's own wait looks at control planes only. */
@Injectable()
export class ReadinessWait {
  constructor(private readonly gateways: GatewaySelector) {}

  /** The step that this wait is announced as. */
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
   * @param goal asked for anew each time where it is a function: nodes may end while they are waited for. It
   * is null where nothing is left to wait for.
   * @returns what was still missing when the time was over, as a sentence without its full stop; null once
   * all is ready.
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
      if (wanted === null) return `nothing of ${target.name} runs any more`;
      const { done, of, detail, reason } = await this.ask(runtime, target, wanted);
      progress(done / of, detail);
      if (done === of) return null;
      if (performance.now() > deadline) {
        return `${target.name} did not become ready within ${timeoutMs / 60_000} minutes: ${reason}`;
      }
      await delay(POLL_MS, undefined, { signal });
    }
  }

  /** The same once. @returns what is missing now, or null. */
  async look(
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
    ready < nodes
      ? `${ready} of ${nodes} nodes are ready`
      : dns
        ? 'all is ready'
        : 'waiting for the cluster’s DNS';
  return { done: 1 + ready + dns, of: nodes + 2, detail };
}
