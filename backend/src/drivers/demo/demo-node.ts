import type { NodeMount, NodeRole, NodeState, RestartPolicy } from '../runtime/index.js';

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
  ports: { hostAddress: string; hostPort: number; containerPort: number; protocol: string }[];
  /** A world that was saved by an earlier version has neither these nor files. */
  mounts?: NodeMount[];
  /** Texts of the files that are read out of nodes, by their paths. */
  files?: Record<string, string>;
  volume: string;
  restartPolicy?: RestartPolicy;
  /** Images that were loaded into it, beyond those that every node has. */
  loaded?: LoadedImage[];
  createdAt: string;
  stateSince: string;
}
