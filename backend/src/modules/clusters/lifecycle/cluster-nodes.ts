import { Injectable } from '@nestjs/common';
import { DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import {
  type NodeContainer,
  retryWhileUnavailable,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import type { UndoContext } from '../../jobs/index.js';
import { adoptedMeta, type ClusterMeta } from '../inventory/cluster-meta.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { explainNode } from '../inventory/describe-cluster.js';

/** Seconds for a graceful stop of a node, in which it stops its containers and etcd in order. */
const GRACE_SECONDS = 30;
/** The load balancer has no state, and its shell ignores signals. */
const LOAD_BALANCER_GRACE_SECONDS = 1;

export interface LifecycleInput extends ClusterKey {
  /** Numbers of containers and Kubernetes nodes at the request, for the titles of the steps. */
  containers: number;
  members: number;
}

/** Why an action on a node failed, without a period. */
export interface NodeProblem {
  node: string;
  reason: string;
}

/** Actions on the nodes of a cluster, and its metadata. All of them can be repeated. */
@Injectable()
export class ClusterNodes {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
  ) {}

  /** The engine of the cluster. Waits while it is unavailable. @throws DomainError `runtime_unavailable` */
  async runtimeOf({ runtime }: ClusterKey, signal?: AbortSignal): Promise<RuntimeDriver> {
    return await retryWhileUnavailable(async () => this.runtimes.get(runtime), signal);
  }

  /** All containers including the load balancer. @throws DomainError `cluster_state` if the cluster has no containers. */
  async list(key: ClusterKey, signal?: AbortSignal): Promise<NodeContainer[]> {
    const nodes = await retryWhileUnavailable(
      async () => await this.runtimes.get(key.runtime).listNodes(),
      signal,
    );
    const own = nodes.filter(({ cluster }) => cluster === key.name);
    if (own.length === 0) {
      throw new DomainError(
        'cluster_state',
        `${key.runtime} has no containers of ${key.name}. Recreate it from its saved config, or delete it.`,
        { state: 'missing' },
      );
    }
    return own;
  }

  /** The saved metadata, or for an adopted cluster metadata derived from its containers. */
  async metaOf(key: ClusterKey, nodes: readonly NodeContainer[]): Promise<ClusterMeta> {
    return (await this.store.read(key)) ?? adoptedMeta(key, nodes);
  }

  async updateMeta(
    key: ClusterKey,
    nodes: readonly NodeContainer[],
    change: Partial<Omit<ClusterMeta, keyof ClusterKey>>,
  ): Promise<void> {
    await this.store.writeMeta({ ...(await this.metaOf(key, nodes)), ...change });
  }

  async start(node: NodeContainer, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (node.state === 'paused') await retryWhileUnavailable(() => runtime.unpauseNode(node.name), signal);
    else await retryWhileUnavailable(() => runtime.startNode(node.name), signal);
  }

  /**
   * Starts a node with the address that other nodes know, or with any address if another container uses that one.
   * @throws DomainError `node_unchanged`
   */
  async startOn(
    address: string,
    node: NodeContainer,
    runtime: RuntimeDriver,
    { log, signal }: Pick<UndoContext, 'log' | 'signal'>,
  ): Promise<void> {
    if (!runtime.info().capabilities.fixedAddresses || node.state === 'paused') {
      await this.start(node, runtime, signal);
      return;
    }
    try {
      await retryWhileUnavailable(() => runtime.fixAddress(node.name, address), signal);
      await this.start(node, runtime, signal);
    } catch (error) {
      if (!hasCode(error, 'node_unchanged')) throw error;
      await retryWhileUnavailable(() => runtime.fixAddress(node.name, null), signal);
      await this.start(node, runtime, signal);
      // Logged only now: if the node does not start with any address, the address was not the reason.
      log(`${node.name} could not get its address ${address} back: ${error.message}`);
    }
  }

  /**
   * Sets a restart policy so that running nodes start again with their engine. `on-failure`, which kind uses too, works
   * because nodes exit with an error status in all cases. `unless-stopped` does not restart them after the engine's
   * daemon was killed.
   */
  async enableAutoRestart(key: ClusterKey, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (!runtime.info().capabilities.restartPolicies) return;
    for (const { name, state } of await this.list(key, signal)) {
      if (state === 'running') {
        await retryWhileUnavailable(() => runtime.setRestartPolicy(name, 'on-failure'), signal);
      }
    }
  }

  /** Stops a node without a restart policy: it exits with an error status, so the engine would start it again. */
  async stop(node: NodeContainer, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (runtime.info().capabilities.restartPolicies) {
      await retryWhileUnavailable(() => runtime.setRestartPolicy(node.name, 'no'), signal);
    }
    // Paused processes cannot handle signals.
    if (node.state === 'paused') await retryWhileUnavailable(() => runtime.unpauseNode(node.name), signal);
    const grace = node.role === 'external-load-balancer' ? LOAD_BALANCER_GRACE_SECONDS : GRACE_SECONDS;
    await retryWhileUnavailable(() => runtime.stopNode(node.name, grace), signal);
  }

  /** After an interrupted job: restores the restart policies, and reports the state of the nodes. */
  async reportState(key: ClusterKey, context: UndoContext): Promise<void> {
    await this.enableAutoRestart(key, await this.runtimeOf(key));
    context.undone(describeNodes(key.name, await this.list(key)));
  }
}

/** Runs an action for each node, also after one failed. @returns the failures. */
export async function eachNode(
  nodes: readonly NodeContainer[],
  act: (node: NodeContainer) => Promise<void>,
): Promise<NodeProblem[]> {
  const outcomes = await Promise.all(
    nodes.map(async (node) => {
      try {
        await act(node);
        return undefined;
      } catch (error) {
        // An unavailable engine is not a problem of this node.
        if (!(error instanceof DomainError) || error.code === 'runtime_unavailable') throw error;
        return { node: node.name, reason: reasonOf(error).replace(/\.$/, '') };
      }
    }),
  );
  return outcomes.filter((outcome) => outcome !== undefined);
}

function describeNodes(name: string, nodes: readonly NodeContainer[]): string {
  const wrong = nodes.filter(({ state }) => state !== 'running');
  if (wrong.length === 0) return `All nodes of ${name} are running.`;
  if (wrong.every(({ state }) => state === 'paused') && wrong.length === nodes.length) {
    return `${name} is paused.`;
  }
  if (wrong.length === nodes.length) return `${name} is stopped.`;
  return `${nodes.length - wrong.length} of ${nodes.length} nodes are running; ${wrong.map(explainNode).join('; ')}.`;
}
