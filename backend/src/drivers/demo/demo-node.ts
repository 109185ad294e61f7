import type { NodeMount, NodeRole, NodeState, PublishedPort, RestartPolicy } from '../runtime/index.js';

export interface LoadedImage {
  reference: string;
  id: string;
  sizeBytes: number;
}

export interface DemoNode {
  id: string;
  name: string;
  cluster: string;
  role: NodeRole;
  state: NodeState;
  exitCode: number | null;
  image: string;
  address: string;
  ports: PublishedPort[];
  /** Missing in a state file of an earlier version, like `files`. */
  mounts?: NodeMount[];
  /** Contents of the files that Slipway reads from nodes, by path. */
  files?: Record<string, string>;
  volume: string;
  restartPolicy?: RestartPolicy;
  loaded?: LoadedImage[];
  createdAt: string;
  stateSince: string;
}
