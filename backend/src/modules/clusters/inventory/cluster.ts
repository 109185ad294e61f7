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
  /** Why it is in that state, where a person may ask: a sentence without its full stop. */
  state_reason: string | null;
  origin: ClusterOrigin;
  control_planes: number;
  workers: number;
  node_image_tag: string | null;
  kubernetes_version: string | null;
  config_changed: boolean;
  /** Whether it is stopped although it was last wanted running: what the page offers to start. */
  stopped_unexpectedly: boolean;
  /** Address of the API server for this machine; null while the cluster has none. */
  api_server: string | null;
  created_at: string;
  state_since: string | null;
  active_job_id: number | null;
  /** Whether the nodes of a failed creation were kept, for somebody to look into. */
  nodes_kept: boolean;
  nodes: ClusterNode[];
}
