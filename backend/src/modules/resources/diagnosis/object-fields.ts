import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';

/** The fields of built-in kinds that the rules read. Each can be missing. */

export interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
}

interface Ended {
  exitCode?: number;
  reason?: string;
  message?: string;
  finishedAt?: string;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: Ended;
}

interface ContainerSpec {
  name: string;
  image?: string;
  ports?: { name?: string }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface PodSpec {
  initContainers?: ContainerSpec[];
  containers?: ContainerSpec[];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: Condition[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Of Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs. */
export interface WorkloadSpec {
  replicas?: number;
  selector?: LabelSelector;
  activeDeadlineSeconds?: number;
  suspend?: boolean;
}

export interface WorkloadStatus {
  readyReplicas?: number;
  /** Running Pods of a Job. */
  active?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  conditions?: Condition[];
}

export interface ServiceSpec {
  type?: string;
  selector?: Record<string, string>;
  ports?: { name?: string; port?: number; targetPort?: number | string }[];
  publishNotReadyAddresses?: boolean;
}

export interface ClaimSpec {
  storageClassName?: string;
}

export interface EventFields {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  series?: { count?: number; lastObservedTime?: string };
  firstTimestamp?: string;
  lastTimestamp?: string;
  eventTime?: string;
  involvedObject?: { uid?: string; fieldPath?: string };
}

export function specOf<TSpec>(object: KubernetesObject): TSpec {
  return (object['spec'] ?? {}) as TSpec;
}

export function statusOf<TStatus>(object: KubernetesObject): TStatus {
  return (object['status'] ?? {}) as TStatus;
}

export function hasCondition(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
