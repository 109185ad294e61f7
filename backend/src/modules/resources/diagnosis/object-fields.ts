import type { DaemonSetStatus, DeploymentSpec, DeploymentStatus } from 'kubernetes-types/apps/v1.js';
import type { JobSpec, JobStatus } from 'kubernetes-types/batch/v1.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Received } from '../../../drivers/kubernetes/index.js';

export type Condition = Received<core.PodCondition>;
export type ContainerState = Received<core.ContainerState>;
export type ContainerStatus = Received<core.ContainerStatus>;
export type PodSpec = Received<core.PodSpec>;
export type PodStatus = Received<core.PodStatus>;
export type ServiceSpec = Received<core.ServiceSpec>;
export type ClaimSpec = Received<core.PersistentVolumeClaimSpec>;
export type EventFields = Received<core.Event>;
/** Of Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs. */
export type WorkloadSpec = Received<DeploymentSpec & JobSpec>;
export type WorkloadStatus = Received<DeploymentStatus & DaemonSetStatus & JobStatus>;

export function specOf<TSpec>(object: KubernetesObject): TSpec {
  return (object['spec'] ?? {}) as TSpec;
}

export function statusOf<TStatus>(object: KubernetesObject): TStatus {
  return (object['status'] ?? {}) as TStatus;
}

export function hasCondition(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
