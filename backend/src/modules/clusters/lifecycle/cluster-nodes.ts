import { Injectable } from '@nestjs/common';
import { DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import {
  type NodeContainer,
  retryWhileUnavailable,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import type { UndoContext } from '../../jobs/index.js';
import {
  adoptedMeta,
  type ClusterKey,
  type ClusterMeta,
  ClusterStore,
  explainNode,
} from '../inventory/index.js';
import { counted } from '../deletion/index.js';

/** Seconds that a node has to end by itself. etcd and the containers in it are ended in order within that. */
const GRACE_SECONDS = 30;
/** A load balancer keeps nothing, and kind's is a shell that no signal ends. */
const LOAD_BALANCER_GRACE_SECONDS = 1;

/** Why something could not be done to a node, without a full stop. */
export interface NodeProblem {
  node: string;
  reason: string;
}

/** What can be done with the nodes of one cluster, and what is kept of it. Each part may be repeated. */
@Injectable()
export class ClusterNodes {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
  ) {}

  /** Its engine, waited for. @throws DomainError `runtime_unavailable` */
  async runtimeOf({ runtime }: ClusterKey, signal?: AbortSignal): Promise<RuntimeDriver> {
    return await retryWhileUnavailable(async () => this.runtimes.get(runtime), signal);
  }

  /** All of its containers, the load balancer too. @throws DomainError `cluster_state` where there is none. */
  async list(key: ClusterKey, signal?: AbortSignal): Promise<NodeContainer[]> {
    const nodes = await retryWhileUnavailable(
      async () => await this.runtimes.get(key.runtime).listNodes(),
      signal,
    );
    const own = nodes.filter(({ cluster }) => cluster === key.name);
    if (own.length === 0) {
      throw new DomainError(
        'cluster_state',
        `${key.runtime} holds no containers of ${key.name} any more. Create it again from its saved config, or delete it.`,
        { state: 'missing' },
      );
    }
    return own;
  }

  /** What is kept of it; of an adopted cluster, of which nothing is, what its containers tell. */
  async record(key: ClusterKey, nodes: readonly NodeContainer[]): Promise<ClusterMeta> {
    return (await this.store.read(key)) ?? adoptedMeta(key, nodes);
  }

  async keep(
    key: ClusterKey,
    nodes: readonly NodeContainer[],
    change: Partial<Omit<ClusterMeta, keyof ClusterKey>>,
  ): Promise<void> {
    await this.store.writeMeta({ ...(await this.record(key, nodes)), ...change });
  }

  async start(node: NodeContainer, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (node.state === 'paused') await retryWhileUnavailable(() => runtime.unpauseNode(node.name), signal);
    else await retryWhileUnavailable(() => runtime.startNode(node.name), signal);
  }

  /**
   * Starts a node on the address that others know it by; where that is taken meanwhile, on any.
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
      // Not before: where it does not start on any address either, the address was not the reason.
      log(`${node.name} does not get ${address} again: ${error.message}`);
    }
  }

  /**
   * Has all that run come back when their engine restarts. Nodes end with an error status whether they are
   * stopped, killed or cut off with their machine, so kind's own policy does it; `unless-stopped` takes a
   * daemon that was killed for a person who stopped them.
   */
  async enableAutoRestart(key: ClusterKey, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (!runtime.info().capabilities.restartPolicies) return;
    for (const { name, state } of await this.list(key, signal)) {
      if (state === 'running') {
        await retryWhileUnavailable(() => runtime.setRestartPolicy(name, 'on-failure'), signal);
      }
    }
  }

  /** Stops a node so that it stays stopped when its engine restarts: it ends with an error status, which would bring it back. */
  async stop(node: NodeContainer, runtime: RuntimeDriver, signal?: AbortSignal): Promise<void> {
    if (runtime.info().capabilities.restartPolicies) {
      await retryWhileUnavailable(() => runtime.setRestartPolicy(node.name, 'no'), signal);
    }
    // Frozen processes cannot end by themselves.
    if (node.state === 'paused') await retryWhileUnavailable(() => runtime.unpauseNode(node.name), signal);
    const grace = node.role === 'external-load-balancer' ? LOAD_BALANCER_GRACE_SECONDS : GRACE_SECONDS;
    await retryWhileUnavailable(() => runtime.stopNode(node.name, grace), signal);
  }

  /** After a job was cut off: what runs comes back with its engine again, and the person is told how things stand. */
  async reportState(key: ClusterKey, context: UndoContext): Promise<void> {
    await this.enableAutoRestart(key, await this.runtimeOf(key));
    context.undone(describeLeft(key.name, await this.list(key)));
  }
}

/** Does something to each, goes on where one fails, and returns who failed with the reason. */
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
        // An engine that does not answer is not a matter of this node.
        if (!(error instanceof DomainError) || error.code === 'runtime_unavailable') throw error;
        return { node: node.name, reason: reasonOf(error).replace(/\.$/, '') };
      }
    }),
  );
  return outcomes.filter((outcome) => outcome !== undefined);
}

function describeLeft(name: string, nodes: readonly NodeContainer[]): string {
  const wrong = nodes.filter(({ state }) => state !== 'running');
  if (wrong.length === 0) return `All nodes of ${name} run.`;
  if (wrong.every(({ state }) => state === 'paused') && wrong.length === nodes.length) {
    return `${name} is paused.`;
  }
  if (wrong.length === nodes.length) return `${name} is stopped.`;
  return `${counted(nodes.length - wrong.length, 'node')} of ${nodes.length} run; ${wrong.map(explainNode).join('; ')}.`;
}
