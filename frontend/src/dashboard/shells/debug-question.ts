import type { ClusterKey } from '../../shared/api/api';

/** The Pod to debug. */
export interface DebuggedPod {
  namespace: string;
  pod: string;
  /** The container whose processes the shell sees. */
  container?: string;
}

export interface DebugQuestion extends DebuggedPod {
  key: ClusterKey;
}
