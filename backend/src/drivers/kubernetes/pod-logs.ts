import type { LogPiece } from '../runtime/index.js';

export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** One container of a pod, as its status tells. */
export interface PodContainer {
  name: string;
  role: ContainerRole;
  /** Whether it writes now. */
  running: boolean;
  /**
   * Why it does not run, in Kubernetes' words: `ImagePullBackOff`, `CrashLoopBackOff, OOMKilled, exit code 137`. Null
   * where it runs, or ended well.
   */
  waiting: string | null;
  /** How often it was started again; with one or more there is a previous instance to read. */
  restarts: number;
  /** When the instance that runs, or that ran last, was started. RFC 3339; null before the first. */
  startedAt: string | null;
}

export interface LoggedPod {
  uid: string;
  namespace: string;
  name: string;
  node: string | null;
  /** Kind and name of the workload that it belongs to, a Deployment's ReplicaSet and a CronJob's Job resolved; null for a bare pod. */
  workload: { kind: string; name: string } | null;
  containers: PodContainer[];
}

export interface PodLogStart {
  container: string;
  /** The instance before the one that runs, whose log ends. */
  previous: boolean;
  /** Microseconds since the epoch; the server takes whole seconds, so what is older by less comes again. */
  since: number | null;
  /** At most so many of the newest lines. */
  tail: number;
  /** Goes on while the container runs, as it does where nothing is said; else it ends with what is there. */
  follow?: boolean;
}

/**
 * What the pods of one cluster write. Every method throws DomainError `cluster_unreachable` where its API server does
 * not answer.
 */
export abstract class PodLogs {
  /**
   * Tells every pod of the cluster whenever one changes, first once at the beginning, at most ten times a second,
   * until the signal is given. Watches are resumed, and begun anew where they are too old. @throws once it breaks.
   */
  abstract followPods(onPods: (pods: readonly LoggedPod[]) => void, signal: AbortSignal): Promise<void>;

  /** One pod, as it is now. @throws DomainError `resource_not_found` */
  abstract find(pod: Pick<LoggedPod, 'namespace' | 'name'>): Promise<LoggedPod>;

  /**
   * Reads a container's log and follows it while it runs. `stream` of the pieces is null: the server merges them.
   * @throws DomainError `log_unreadable` with the server's reason, such as a container that has not begun.
   */
  abstract open(
    pod: Pick<LoggedPod, 'namespace' | 'name'>,
    start: PodLogStart,
    signal: AbortSignal,
  ): AsyncIterable<LogPiece[]>;
}
