import { jsonValue } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import type { NodeContainer, NodeRole } from '../../../drivers/runtime/index.js';
import { nodeImageTagOf } from '../../kind-config/index.js';

const CREATION_OUTCOMES = ['created', 'failed', 'cancelled'] as const;
/** `cancelled`: a recreation, after its old nodes were removed. Nothing remains of another canceled creation. */
type CreationOutcome = 'creating' | (typeof CREATION_OUTCOMES)[number];

/** The state that the last request for a cluster asked for. */
export type WantedState = 'running' | 'stopped';

/** The saved metadata of a cluster: `meta.json`. */
export interface ClusterMeta {
  schema: 1;
  name: string;
  runtime: string;
  origin: 'created' | 'adopted';
  /** Nodes of the saved config, which may differ from the actual nodes. */
  workers: number;
  control_planes: number;
  node_image_tag: string | null;
  /** Whether the saved config has changed since the cluster was created from it. */
  config_changed: boolean;
  created_at: string;
  creation: CreationOutcome;
  creation_reason: string | null;
  creation_ended_at: string | null;
  nodes_kept: boolean;
  /**
   * Whether the last creation started to create nodes. If not, nodes with this cluster name were created by another
   * program: they are neither shown as nodes of this cluster nor deleted with it.
   */
  nodes_begun: boolean;
  /** Address of each node as the cluster knows it, compared after a start. */
  node_addresses: Record<string, string>;
  /** If this is `running` and the cluster is stopped, something else stopped it, such as a restart of the host. */
  wanted: WantedState;
  /** The problem that the last start or unpause found although all containers run. */
  degraded_reason: string | null;
  degraded_since: string | null;
  /** When nodes were last paused or unpaused. Engines do not store that. */
  pause_changed_at: string | null;
}

export function newMeta(
  values: Pick<
    ClusterMeta,
    'name' | 'runtime' | 'origin' | 'workers' | 'control_planes' | 'node_image_tag' | 'created_at'
  >,
): ClusterMeta {
  return {
    schema: 1,
    ...values,
    config_changed: false,
    creation: 'creating',
    creation_reason: null,
    creation_ended_at: null,
    nodes_kept: false,
    nodes_begun: false,
    node_addresses: {},
    wanted: 'running',
    degraded_reason: null,
    degraded_since: null,
    pause_changed_at: null,
  };
}

/** Metadata of a cluster that kind created outside Slipway, derived from its containers. */
export function adoptedMeta(
  { name, runtime }: Pick<ClusterMeta, 'name' | 'runtime'>,
  nodes: readonly NodeContainer[],
): ClusterMeta {
  const count = (role: NodeRole): number => nodes.filter((node) => node.role === role).length;
  const created = nodes.map(({ createdAt }) => createdAt).sort();
  const meta = newMeta({
    name,
    runtime,
    origin: 'adopted',
    workers: count('worker'),
    control_planes: count('control-plane'),
    node_image_tag: nodeImageTagOf(nodes.find(({ role }) => role === 'control-plane')?.image),
    created_at: created[0] ?? new Date(0).toISOString(),
  });
  const running = nodes.some(({ state }) => state === 'running');
  return { ...meta, creation: 'created', nodes_begun: true, wanted: running ? 'running' : 'stopped' };
}

/** A creation that failed before it created a node owns no nodes, even if another program uses its name. */
export function ownsNodes(meta: ClusterMeta | undefined): boolean {
  return (meta?.creation !== 'failed' && meta?.creation !== 'cancelled') || meta.nodes_begun;
}

export function parseMeta(text: string): ClusterMeta | undefined {
  const meta: Partial<ClusterMeta> = recordOf(jsonValue(text));
  if (typeof meta.name !== 'string' || typeof meta.runtime !== 'string') return undefined;
  return {
    schema: 1,
    name: meta.name,
    runtime: meta.runtime,
    origin: meta.origin === 'adopted' ? 'adopted' : 'created',
    workers: count(meta.workers),
    control_planes: count(meta.control_planes),
    node_image_tag: typeof meta.node_image_tag === 'string' ? meta.node_image_tag : null,
    config_changed: meta.config_changed === true,
    created_at: isTime(meta.created_at) ? meta.created_at : new Date(0).toISOString(),
    creation: CREATION_OUTCOMES.find((outcome) => outcome === meta.creation) ?? 'creating',
    creation_reason: typeof meta.creation_reason === 'string' ? meta.creation_reason : null,
    creation_ended_at: isTime(meta.creation_ended_at) ? meta.creation_ended_at : null,
    nodes_kept: meta.nodes_kept === true,
    nodes_begun: meta.nodes_begun !== false,
    node_addresses: addresses(meta.node_addresses),
    wanted: meta.wanted === 'stopped' ? 'stopped' : 'running',
    degraded_reason: typeof meta.degraded_reason === 'string' ? meta.degraded_reason : null,
    degraded_since: isTime(meta.degraded_since) ? meta.degraded_since : null,
    pause_changed_at: isTime(meta.pause_changed_at) ? meta.pause_changed_at : null,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function addresses(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
