import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { NodeContainer, RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { JobContext, StepPlan, UndoContext } from '../../jobs/index.js';
import { ClusterStore, type ClusterKey } from '../cluster.store.js';
import { explainNode } from '../describe-cluster.js';
import { parseKindConfig } from '../kind-config/parse-kind-config.js';
import { KubeconfigService } from '../kubeconfig/kubeconfig.service.js';
import { ReadinessWait, type ReadinessGoal } from '../readiness-wait.js';
import { ClusterNodes, type NodeProblem } from './cluster-nodes.js';
import { addressesOf, hasSeveralControlPlanes } from './node-order.js';

/** Measured at 4 s on an idle machine; a node that has not returned by then needs somebody to look at it. */
const PATIENCE_MS = 2 * 60_000;

/** How a cluster came back after its nodes were started or unpaused, and what is kept of that. */
@Injectable()
export class ClusterReturn {
  constructor(
    private readonly nodes: ClusterNodes,
    private readonly store: ClusterStore,
    private readonly kubeconfigs: KubeconfigService,
    private readonly readiness: ReadinessWait,
  ) {}

  step(members: number): StepPlan {
    return this.readiness.step({ nodes: members, withoutDefaultNetwork: false });
  }

  /**
   * Compares addresses and waits until the cluster is ready. What did not come back is a warning, and makes
   * the cluster `degraded`.
   * @param problems what could not be started.
   * @param started nodes whose containers were started for this.
   * @returns the reason for that, or null.
   * @throws DomainError `cluster_unreachable` where nothing of it can be used.
   */
  async check(
    key: ClusterKey,
    runtime: RuntimeDriver,
    context: JobContext,
    problems: readonly NodeProblem[],
    started: readonly string[],
  ): Promise<string | null> {
    const found = [...problems.map(({ reason }) => reason), ...(await this.compareAddresses(key, context))];
    const missing = await this.waitUntilReady(key, runtime, context, started);
    const nodes = await this.nodes.list(key, context.signal);
    const explained = new Set(problems.map(({ node }) => node));
    const down = nodes.filter(({ name, state }) => state !== 'running' && !explained.has(name));
    found.push(...down.map(explainNode));
    if (missing !== null && isUsable(nodes)) found.push(missing);
    const reason = found.length > 0 ? found.join('; ') : null;
    await this.nodes.keep(key, nodes, {
      degraded_reason: reason,
      degraded_since: reason === null ? null : new Date().toISOString(),
    });
    if (!isUsable(nodes)) {
      throw new DomainError('cluster_unreachable', `No control plane of ${key.name} came back: ${reason}.`);
    }
    if (reason !== null) context.warn(`${reason}.`);
    return reason;
  }

  /**
   * Notes the addresses that nodes came back on. One control plane takes any; of several, etcd's members
   * know each other by address and refuse one that moved although Kubernetes calls all of them ready.
   * @returns what is wrong with them.
   */
  async compareAddresses(key: ClusterKey, { log }: Pick<UndoContext, 'log'>): Promise<string[]> {
    const nodes = await this.nodes.list(key);
    const { node_addresses: recorded } = await this.nodes.record(key, nodes);
    const present = addressesOf(nodes);
    const moved = nodes.filter(({ name }) => {
      const [before, now] = [recorded[name], present[name]];
      return before !== undefined && now !== undefined && before !== now;
    });
    const fixed = hasSeveralControlPlanes(nodes)
      ? nodes.filter(({ role }) => role === 'control-plane').map(({ name }) => name)
      : [];
    const kept = Object.fromEntries(
      Object.entries(recorded).filter(([name]) => fixed.includes(name) || present[name] === undefined),
    );
    await this.nodes.keep(key, nodes, { node_addresses: { ...present, ...kept } });
    for (const { name, address } of moved.filter(({ name }) => !fixed.includes(name))) {
      log(`${name} came back on ${address}, it was on ${recorded[name]} before`);
    }
    return moved
      .filter(({ name }) => fixed.includes(name))
      .map(
        ({ name, address }) =>
          `${name} came back on ${address} and was on ${recorded[name]}, by which the other control planes’ etcd knows it`,
      );
  }

  private async waitUntilReady(
    key: ClusterKey,
    runtime: RuntimeDriver,
    context: JobContext,
    started: readonly string[],
  ): Promise<string | null> {
    const nodes = await this.nodes.list(key, context.signal);
    if (!isUsable(nodes)) return null;
    const startedAt = Object.fromEntries(
      nodes.flatMap(({ name, stateSince }) =>
        stateSince !== null && started.includes(name) ? [[name, stateSince] as const] : [],
      ),
    );
    const kubeconfig = await this.kubeconfigs.forMachine(key.name, key.runtime);
    const withoutDefaultNetwork = await this.isWithoutDefaultNetwork(key);
    const goal = async (): Promise<ReadinessGoal | null> => {
      const present = await this.nodes.list(key, context.signal);
      const members = present.filter(
        ({ role, state }) => role !== 'external-load-balancer' && state === 'running',
      );
      if (!isUsable(present)) return null;
      return { nodes: members.length, names: members.map(({ name }) => name), withoutDefaultNetwork };
    };
    return await this.readiness.wait(runtime, { name: key.name, kubeconfig, startedAt }, goal, context, {
      timeoutMs: PATIENCE_MS,
    });
  }

  private async isWithoutDefaultNetwork(key: ClusterKey): Promise<boolean> {
    const { parsed } = parseKindConfig((await this.store.readConfig(key).catch(() => undefined)) ?? '');
    return parsed?.config.networking?.disableDefaultCNI === true;
  }
}

function isUsable(nodes: readonly NodeContainer[]): boolean {
  return nodes.some(({ role, state }) => role === 'control-plane' && state === 'running');
}
