import type { NodeContainer, NodeMount, RestartPolicy } from '../runtime/index.js';

export interface LoadedImage {
  reference: string;
  id: string;
  sizeBytes: number;
}

export interface DemoNode extends Omit<NodeContainer, 'outOfMemory' | 'imageId'> {
  address: string;
  stateSince: string;
  /** Missing in a state file of an earlier version, like `files`. */
  mounts?: NodeMount[];
  /** Contents of the files that Slipway reads from nodes, by path. */
  files?: Record<string, string>;
  volume: string;
  restartPolicy?: RestartPolicy;
  loaded?: LoadedImage[];
}
