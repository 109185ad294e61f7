import type { LogPiece } from '../runtime/index.js';
import type { PodName } from './resource-api.js';

export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface PodContainer {
  name: string;
  role: ContainerRole;
  running: boolean;
  /**
   * Why it does not run, in Kubernetes' terms: `ImagePullBackOff`, `CrashLoopBackOff, OOMKilled, exit code 137`. Null if
   * it runs or has succeeded.
   */
  waiting: string | null;
  /** Number of restarts. If there are any, the log of the previous instance is available. */
  restarts: number;
  /** Start time of the current or last instance, RFC 3339; null before the first start. */
  startedAt: string | null;
}

export interface LoggedPod {
  uid: string;
  namespace: string;
  name: string;
  /** Its workload, such as the Deployment of its ReplicaSet or the CronJob of its Job; null without an owner. */
  workload: { kind: string; name: string } | null;
  /** Its controller itself, such as its ReplicaSet; null without one. */
  owner: { kind: string; name: string } | null;
  containers: PodContainer[];
}

export interface PodLogStart {
  container: string;
  previous: boolean;
  /** Microseconds since the epoch, rounded down to whole seconds by the server: earlier lines of that second repeat. */
  since: number | null;
  /** Maximum number of existing lines, counted from the end. */
  tail: number;
  /** Whether to follow the log while the container runs; by default true. */
  follow?: boolean;
}

/** Some of the Pods of a cluster. */
export interface PodScope {
  namespace: string;
  /** A label selector in the form of kubectl; null for all. */
  selector: string | null;
}

/**
 * The logs of the Pods of one cluster. Every method throws DomainError `cluster_unreachable` if the API server does not
 * respond.
 */
export abstract class PodLogs {
  /**
   * Reports all Pods of the cluster, or of a scope, at the start and whenever one changes, at most ten times per second, until the signal
   * aborts. Resumes watches, and lists the Pods again if a watch has expired. @throws if the connection breaks.
   */
  abstract followPods(
    onPods: (pods: readonly LoggedPod[]) => void,
    signal: AbortSignal,
    scope?: PodScope,
  ): Promise<void>;

  /** The current state of a Pod. @throws DomainError `resource_not_found` */
  abstract find(pod: PodName): Promise<LoggedPod>;

  /**
   * Reads the log of a container. `stream` of the pieces is null, since the server merges the streams.
   * @throws DomainError `log_unreadable` with the server's reason, such as a container that has not started.
   */
  abstract open(pod: PodName, start: PodLogStart, signal: AbortSignal): AsyncIterable<LogPiece[]>;
}
