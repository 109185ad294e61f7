import type { NodeContainer, NodeRole } from '../../../drivers/runtime/index.js';
import type { ClusterKey } from './cluster.store.js';
import type { Job, JobKind } from '../../jobs/index.js';
import { adoptedMeta, ownsNodes, type ClusterMeta } from './cluster-meta.js';
import type {
  ClusterDto,
  ClusterNodeDto,
  ClusterPortDto,
  ClusterState,
  LastChangeDto,
  PodCounts,
} from './cluster.dto.js';
import { nodeImageTagOf } from '../../kind-config/index.js';
import { explainMisplaced, misplaced } from './node-order.js';

export interface ClusterFacts extends ClusterKey {
  nodes: readonly NodeContainer[];
  meta: ClusterMeta | undefined;
  job: Job | undefined;
  /** Whether kind is still creating it, outside Slipway. */
  creatingOutside?: boolean;
  /** Why the engine is unavailable, null if it is available. `nodes` are then the last known nodes. */
  engineReason: string | null;
  engineSince: string | null;
  problems: number | null;
  pods: PodCounts | null;
  lastChange: LastChangeDto | null;
}

interface StateFinding {
  state: ClusterState;
  reason: string | null;
  since: string | null;
}

/** State of a cluster during a job. Other kinds of jobs do not override the state of its nodes. */
const STATE_OF_JOB: Partial<Record<JobKind, ClusterState>> = {
  create: 'creating',
  clone: 'creating',
  delete: 'deleting',
  recreate: 'creating',
  start: 'starting',
  stop: 'stopping',
};

/** Like `localeCompare`, which takes 50 times as long. */
export const byNumber = new Intl.Collator('en', { numeric: true });

const NEEDS_ATTENTION: readonly ClusterState[] = ['degraded', 'failed', 'missing', 'unknown'];

const API_PORT = 6443;

const ROLE_ORDER = { 'control-plane': 0, 'external-load-balancer': 1, worker: 2 } as const;

export function describeCluster(facts: ClusterFacts): ClusterDto {
  const { name, runtime, meta, job } = facts;
  // During a creation the metadata does not mention the nodes yet.
  const owned = ownsNodes(meta) || (job && job.kind !== 'delete') ? facts.nodes : [];
  const nodes = inKindsOrder(owned);
  const { state, reason, since } = findState({ ...facts, nodes });
  const isUp = state === 'running' || state === 'degraded';
  const problems = isUp ? facts.problems : null;
  // While they are created, some nodes are missing, or are old ones.
  const isComplete = !(meta && job && STATE_OF_JOB[job.kind] === 'creating');
  const count = (wanted: NodeRole): number | undefined =>
    isComplete && nodes.some(({ role }) => role !== 'external-load-balancer')
      ? nodes.filter(({ role }) => role === wanted).length
      : undefined;
  const image = nodes.find((node) => node.role === 'control-plane')?.image;
  // The metadata follows the saved config, which differs from the nodes after an edit.
  const saved = meta?.config_changed && image !== undefined ? null : meta?.node_image_tag;
  const tag = saved ?? nodeImageTagOf(image);
  return {
    name,
    runtime,
    state,
    state_reason: reason,
    origin: meta?.origin ?? 'adopted',
    control_planes: count('control-plane') ?? meta?.control_planes ?? 0,
    workers: count('worker') ?? meta?.workers ?? 0,
    node_image_tag: tag,
    kubernetes_version: tag?.split('@')[0] ?? null,
    config_changed: meta?.config_changed ?? false,
    stopped_unexpectedly: state === 'stopped' && meta?.wanted === 'running',
    api_server: apiServerOf(nodes),
    ports: portsOf(nodes),
    created_at: meta?.created_at ?? adoptedMeta(facts, nodes).created_at,
    state_since: since,
    active_job_id: job?.id ?? null,
    problems,
    needs_attention: NEEDS_ATTENTION.includes(state) || (problems ?? 0) > 0,
    pods: isUp ? facts.pods : null,
    last_change: facts.lastChange,
    nodes_kept: meta?.creation === 'failed' && nodes.length > 0,
    nodes: nodes.map(toClusterNode),
    external: null,
  };
}

function findState(facts: ClusterFacts): StateFinding {
  const { nodes, meta, job, engineReason, engineSince } = facts;
  // A job is a better source than its unfinished containers.
  const busy = job && STATE_OF_JOB[job.kind];
  if (busy) {
    const reason = job.state === 'queued' ? 'queued' : null;
    return { state: busy, reason, since: job.started_at ?? job.created_at };
  }
  if (meta?.creation === 'failed' || meta?.creation === 'cancelled') {
    return { state: meta.creation, reason: meta.creation_reason, since: meta.creation_ended_at };
  }
  if (meta?.creation === 'creating') {
    return { state: 'failed', reason: 'its creation never started', since: meta.created_at };
  }
  if (engineReason !== null) return { state: 'unknown', reason: engineReason, since: engineSince };
  if (nodes.length === 0) {
    return { state: 'missing', reason: 'its containers were removed outside Slipway', since: null };
  }
  if (facts.creatingOutside) {
    const { created_at: since } = adoptedMeta(facts, nodes);
    return { state: 'creating', reason: 'being created by kind', since };
  }
  const found = stateOfPresent(nodes, meta);
  const missing = explainMissing(nodes, meta);
  if (missing.length === 0) return found;
  return {
    ...found,
    state: found.state === 'running' ? 'degraded' : found.state,
    reason: [...missing, ...(found.reason === null ? [] : [found.reason])].join('; '),
  };
}

/** Nodes that the cluster was created with, or had later, and that no longer exist. */
export function explainMissing(
  nodes: readonly NodeContainer[],
  meta: Pick<ClusterMeta, 'node_addresses'> | undefined,
): string[] {
  return Object.keys(meta?.node_addresses ?? {})
    .filter((name) => !nodes.some((node) => node.name === name))
    .sort(byNumber.compare)
    .map((name) => `${name} was removed outside Slipway, and only a recreation of the cluster restores it`);
}

function stateOfPresent(nodes: readonly NodeContainer[], meta: ClusterMeta | undefined): StateFinding {
  const found = stateOfNodes(nodes, meta?.pause_changed_at ?? null);
  if (found.state === 'running' && meta?.degraded_reason) {
    return { state: 'degraded', reason: meta.degraded_reason, since: meta.degraded_since };
  }
  // After a restart of the engine no job has compared the addresses.
  const addresses = meta?.node_addresses ?? {};
  const moved = found.state === 'running' ? misplaced(nodes, addresses) : [];
  if (moved.length > 0) {
    const reasons = moved.map((node) => explainMisplaced(node, addresses[node.name] ?? ''));
    return { ...found, state: 'degraded', reason: reasons.join('; ') };
  }
  if (found.state === 'stopped' && meta?.wanted === 'running') {
    return { ...found, reason: 'its nodes stopped outside Slipway while it was running' };
  }
  return found;
}

/** @param pauseChangedAt when nodes were last paused or unpaused; null if unknown */
function stateOfNodes(nodes: readonly NodeContainer[], pauseChangedAt: string | null): StateFinding {
  const running = nodes.filter((node) => node.state === 'running');
  const paused = nodes.filter((node) => node.state === 'paused');
  const since = latest([...nodes.map((node) => node.stateSince), pauseChangedAt]);
  if (running.length === nodes.length) return { state: 'running', reason: null, since };
  if (paused.length === nodes.length) {
    // The times of the nodes are those of their start.
    return { state: 'paused', reason: null, since: since === pauseChangedAt ? since : null };
  }
  if (running.length === 0 && paused.length === 0) return { state: 'stopped', reason: null, since };
  const wrong = nodes.filter((node) => node.state !== 'running');
  return {
    state: 'degraded',
    reason: wrong.map(explainNode).join('; '),
    since: latest([...wrong.map((node) => node.stateSince), paused.length > 0 ? pauseChangedAt : null]),
  };
}

export function explainNode(node: NodeContainer): string {
  if (node.state === 'paused') return `${node.name} is paused`;
  if (node.state === 'restarting') return `${node.name} keeps restarting`;
  if (node.outOfMemory) return `${node.name} was killed because it ran out of memory`;
  return node.exitCode === null
    ? `${node.name} is not running`
    : `${node.name} is not running, exit status ${node.exitCode}`;
}

function toClusterNode({ name, role, state, address, image }: NodeContainer): ClusterNodeDto {
  return { name, role, state, address, image };
}

function portsOf(nodes: readonly NodeContainer[]): ClusterPortDto[] {
  return nodes
    .flatMap(({ ports }) => ports)
    .filter(({ containerPort }) => containerPort !== API_PORT)
    .map(({ hostAddress, hostPort, containerPort, protocol }) => ({
      listen_address: hostAddress,
      host_port: hostPort,
      container_port: containerPort,
      protocol: protocol.toUpperCase(),
    }));
}

/** Prefers the load balancer: with several control planes, their own published ports must not be used. */
function apiServerOf(nodes: readonly NodeContainer[]): string | null {
  const entry =
    nodes.find((node) => node.role === 'external-load-balancer') ??
    nodes.find((node) => node.role === 'control-plane');
  const port = entry?.ports.find(({ containerPort }) => containerPort === API_PORT);
  if (!port) return null;
  const host = port.hostAddress === '0.0.0.0' || port.hostAddress === '::' ? '127.0.0.1' : port.hostAddress;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port.hostPort}`;
}

/** By role, then worker, worker2, … worker10: the order in which kind numbers the nodes of a config. */
export function inKindsOrder<TNode extends Pick<NodeContainer, 'role' | 'name'>>(
  nodes: readonly TNode[],
): TNode[] {
  return [...nodes].sort(
    (one, other) => ROLE_ORDER[one.role] - ROLE_ORDER[other.role] || byNumber.compare(one.name, other.name),
  );
}

function latest(times: readonly (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}
