import type { NodeRole, NodeState } from '../../../drivers/runtime/index.js';

export const CLUSTER_STATES = [
  'creating',
  'running',
  'degraded',
  'paused',
  'stopped',
  'starting',
  'stopping',
  'deleting',
  'failed',
  'missing',
  'unknown',
] as const;
export type ClusterState = (typeof CLUSTER_STATES)[number];

export const CLUSTER_ORIGINS = ['created', 'adopted'] as const;
export type ClusterOrigin = (typeof CLUSTER_ORIGINS)[number];

export interface ClusterNode {
  name: string;
  role: NodeRole;
  state: NodeState;
  address: string | null;
  image: string;
}

/** A cluster as the API shows it. Times are RFC 3339 in UTC. */
export interface Cluster {
  name: string;
  runtime: string;
  state: ClusterState;
  /** Without a period. */
  state_reason: string | null;
  origin: ClusterOrigin;
  control_planes: number;
  workers: number;
  node_image_tag: string | null;
  kubernetes_version: string | null;
  config_changed: boolean;
  /** Whether something other than Slipway stopped it. */
  stopped_unexpectedly: boolean;
  /** Address of the API server as seen from the host. */
  api_server: string | null;
  created_at: string;
  state_since: string | null;
  active_job_id: number | null;
  /** Whether the nodes of a failed creation were kept for troubleshooting. */
  nodes_kept: boolean;
  nodes: ClusterNode[];
}
