export const SOURCE_KINDS = ['container', 'pod', 'node'] as const;
/** A container of an engine, a container of a Pod, or a service of a node. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A source of lines. Its key never changes; its name and its owner may, for example when a container is renamed. */
export interface SourceIdentity {
  /**
   * `container/<runtime>/<id>`, `pod/<runtime>/<cluster>/<uid>/<container>[/previous-<restarts>]`, or
   * `node/<runtime>/<container id>/<service>`.
   */
  key: string;
  kind: SourceKind;
  runtime: string;
  /** Null for a container that is not a node. */
  cluster: string | null;
  namespace: string | null;
  /** Owner, such as `Deployment/payments-api`; or null. */
  workload: string | null;
  /** Full name of the container, the Pod or the node. */
  name: string;
  /** Container of a Pod; null if it is the only main container. */
  container: string | null;
  /** `init`, `sidecar`, `main` or `ephemeral` for a Pod's container, else null. */
  role: string | null;
  /** `kubelet`, `containerd` or `journal` for a node, else null. */
  service: string | null;
  /** Number of restarts before this instance, for a previous instance of a container; else null. */
  previous: number | null;
}

/** Which lines of a source are stored: those from `firstSeq` up to, but not including, `nextSeq`. */
export interface SourceExtent {
  firstSeq: number;
  nextSeq: number;
  /** Bytes of text, before compression. */
  bytes: number;
  /** Microseconds since the epoch; null while nothing is stored. */
  firstTime: number | null;
  lastTime: number | null;
}

export interface StoredSource {
  id: number;
  identity: SourceIdentity;
  extent: SourceExtent;
}

/** Where a source continued when the store was opened. */
export interface RunStart {
  run: number;
  source: number;
  nextSeq: number;
}
