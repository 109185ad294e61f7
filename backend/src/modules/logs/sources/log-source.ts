export const SOURCE_KINDS = ['container', 'pod', 'node'] as const;
/** A container of an engine, a container of a pod, or a service of a node. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const SOURCE_STATES = ['live', 'waiting', 'ended', 'gone', 'failed', 'left_out'] as const;
/**
 * live: followed now. waiting: there, not begun, or its engine does not answer now. ended: there, writes no more.
 * gone: it was removed, its lines are kept. failed: cannot be read. left_out: the user does not want it taken in.
 */
export type SourceState = (typeof SOURCE_STATES)[number];

/**
 * What a source is. Its key never changes; its name and what it belongs to may, as when somebody renames a container.
 */
export interface SourceIdentity {
  /**
   * `container/<runtime>/<id>`, `pod/<runtime>/<cluster>/<uid>/<container>[/previous-<restarts>]`,
   * `node/<runtime>/<container id>/<service>`.
   */
  key: string;
  kind: SourceKind;
  runtime: string;
  /** Cluster that it belongs to; null for a container that is no node. */
  cluster: string | null;
  /** Of a pod. */
  namespace: string | null;
  /** `Deployment/payments-api`; null for what has none. */
  workload: string | null;
  /** Name of the container, the pod or the node, whole. */
  name: string;
  /** Container of a pod; null where it is the only one of its kind. */
  container: string | null;
  /** `init`, `sidecar`, `main`, `ephemeral` for a pod's container, else null. */
  role: string | null;
  /** `kubelet`, `containerd` or `journal` for a node's, else null. */
  service: string | null;
  /** Restarts so far where it is a previous instance, else null. */
  previous: number | null;
}

/** What is kept of a source. Sequence numbers count from 1; `nextSeq - firstSeq` lines are kept. */
export interface SourceExtent {
  firstSeq: number;
  nextSeq: number;
  /** Bytes of text that are kept, before compression. */
  bytes: number;
  /** Microseconds since the epoch; null while nothing is kept. */
  firstTime: number | null;
  lastTime: number | null;
}
