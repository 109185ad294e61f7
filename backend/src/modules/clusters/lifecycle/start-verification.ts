import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { ClusterTarget } from '../../../drivers/kubernetes/index.js';
import type { NodeContainer, RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { JobContext, StepPlan, UndoContext } from '../../jobs/index.js';
import {
  addressesOf,
  explainMisplaced,
  hasSeveralControlPlanes,
  misplaced,
} from '../inventory/node-order.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { ClusterKubeconfigs } from '../inventory/cluster-kubeconfigs.js';
import { explainNode } from '../inventory/describe-cluster.js';
import { type Impediments, kindConfigYaml, UNIMPEDED } from '../../kind-config/index.js';
import { type ReadinessGoal, ReadinessWait, type Unready } from '../creation/readiness-wait.js';
import { ClusterNodes, type NodeProblem } from './cluster-nodes.js';

/** A start takes 4 s on an idle host. */
const PATIENCE_MS = 2 * 60_000;
/** For a CNI or DNS that the user has installed instead of the one that the config leaves out. */
const GRACE_MS = 20_000;

/** Checks a cluster after its nodes were started or unpaused, and saves the result in its metadata. */
@Injectable()
export class StartVerification {
  constructor(
    private readonly nodes: ClusterNodes,
    private readonly store: ClusterStore,
    private readonly kubeconfigs: ClusterKubeconfigs,
    private readonly readiness: ReadinessWait,
  ) {}

  step(members: number): StepPlan {
    return this.readiness.step(members, false);
  }

  /**
   * Compares addresses and waits until the cluster is ready. Problems are warnings and make the cluster `degraded`.
   * @param problems of nodes that could not be started.
   * @param started names of nodes whose containers were started.
   * @returns why the cluster is degraded, or null.
   * @throws DomainError `cluster_unreachable` if no control plane is running.
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
    if (missing !== null && isUsable(nodes)) found.push(missing.reason);
    const reason = found.length > 0 ? found.join('; ') : null;
    await this.nodes.updateMeta(key, nodes, {
      degraded_reason: reason,
      degraded_since: reason === null ? null : new Date().toISOString(),
    });
    if (!isUsable(nodes)) {
      throw new DomainError('cluster_unreachable', `No control plane of ${key.name} is running: ${reason}.`);
    }
    if (reason !== null) context.warn(`${reason}.`);
    return reason;
  }

  /** Checks a cluster with running containers once, without saving the result. @returns the problem, or null. */
  async inspect(key: ClusterKey): Promise<string | null> {
    const runtime = await this.nodes.runtimeOf(key);
    const nodes = await this.nodes.list(key);
    const { node_addresses: recorded } = await this.nodes.metaOf(key, nodes);
    const found = await this.explainAddresses(nodes, recorded, runtime);
    const target = await this.targetOf(key, nodes);
    const missing = await this.readiness.missing(
      runtime,
      target,
      goalOf(nodes, await this.impedimentsOf(key)),
    );
    if (missing !== null) found.push(missing);
    return found.length > 0 ? found.join('; ') : null;
  }

  /**
   * Records the current addresses of nodes. For several control planes it keeps the addresses that etcd knows.
   * @returns problems with them.
   */
  async compareAddresses(key: ClusterKey, { log }: Pick<UndoContext, 'log'>): Promise<string[]> {
    const nodes = await this.nodes.list(key);
    const { node_addresses: recorded } = await this.nodes.metaOf(key, nodes);
    const present = addressesOf(nodes);
    const fixed = hasSeveralControlPlanes(nodes)
      ? nodes.filter(({ role }) => role === 'control-plane').map(({ name }) => name)
      : [];
    const kept = Object.fromEntries(
      Object.entries(recorded).filter(([name]) => fixed.includes(name) || present[name] === undefined),
    );
    await this.nodes.updateMeta(key, nodes, { node_addresses: { ...present, ...kept } });
    for (const { name, address } of nodes.filter((node) => !fixed.includes(node.name))) {
      const before = recorded[name];
      if (before === undefined || address === null || before === address) continue;
      log(`${name} has a new address: ${address}, previously ${before}`);
    }
    return await this.explainAddresses(nodes, recorded, await this.nodes.runtimeOf(key));
  }

  private async explainAddresses(
    nodes: readonly NodeContainer[],
    recorded: Readonly<Record<string, string>>,
    runtime: RuntimeDriver,
  ): Promise<string[]> {
    return await Promise.all(
      misplaced(nodes, recorded).map(async (node) => {
        const before = recorded[node.name] ?? '';
        const holder = await runtime.holderOf(before).catch(() => null);
        return `${explainMisplaced(node, before)}${holder === null ? '' : `, which ${holder} now uses`}`;
      }),
    );
  }

  private async waitUntilReady(
    key: ClusterKey,
    runtime: RuntimeDriver,
    context: JobContext,
    started: readonly string[],
  ): Promise<Unready | null> {
    const nodes = await this.nodes.list(key, context.signal);
    if (!isUsable(nodes)) return null;
    const target = await this.targetOf(
      key,
      nodes.filter(({ name }) => started.includes(name)),
    );
    const impediments = await this.impedimentsOf(key);
    const goal = async (): Promise<ReadinessGoal | null> => {
      const present = await this.nodes.list(key, context.signal);
      return isUsable(present) ? goalOf(present, impediments) : null;
    };
    const limits = { timeoutMs: PATIENCE_MS, graceMs: GRACE_MS };
    return await this.readiness.wait(runtime, target, goal, context, limits);
  }

  /** @param started nodes whose conditions count only if they are newer than the start of their containers. */
  private async targetOf(
    key: ClusterKey,
    started: readonly NodeContainer[],
  ): Promise<Omit<ClusterTarget, 'runtime'>> {
    const startedAt = Object.fromEntries(
      started.flatMap(({ name, stateSince }) => (stateSince === null ? [] : [[name, stateSince] as const])),
    );
    const kubeconfig = await this.kubeconfigs.read(key);
    return { name: key.name, kubeconfig, startedAt };
  }

  private async impedimentsOf(key: ClusterKey): Promise<Impediments> {
    // The config that the nodes were created from: the saved config may have changed.
    const text =
      (await this.store.readApplied(key).catch(() => undefined)) ??
      (await this.store.readConfig(key).catch(() => undefined));
    const { parsed } = await kindConfigYaml.parseKindConfig(text ?? '');
    return parsed ? await kindConfigYaml.impedimentsOf(parsed.config) : UNIMPEDED;
  }
}

function isUsable(nodes: readonly NodeContainer[]): boolean {
  return nodes.some(({ role, state }) => role === 'control-plane' && state === 'running');
}

function goalOf(nodes: readonly NodeContainer[], impediments: Impediments): ReadinessGoal {
  const members = nodes.filter(({ role, state }) => role !== 'external-load-balancer' && state === 'running');
  return { nodes: members.length, names: members.map(({ name }) => name), impediments };
}
