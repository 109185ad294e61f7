import type { CustomResourceDefinitionSpec } from 'kubernetes-types/apiextensions/v1.js';
import type { DeploymentSpec, DeploymentStatus, StatefulSetSpec } from 'kubernetes-types/apps/v1.js';
import type { JobSpec, JobStatus } from 'kubernetes-types/batch/v1.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as meta from 'kubernetes-types/meta/v1.js';
import type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import type { KubernetesObject } from '../../kubernetes/index.js';

/** An object or a part of one: all fields but names and keys can be missing. */
type Received<T> = T extends readonly (infer TItem)[]
  ? Received<TItem>[]
  : T extends object
    ? string extends keyof T
      ? T
      : Pick<T, keyof T & ('name' | 'key' | 'operator')> & {
          -readonly [TField in keyof T]?: Received<T[TField]>;
        }
    : T;

export type Metadata = KubernetesObject['metadata'];
export type OwnerReference = meta.OwnerReference;
export type LabelSelector = Received<meta.LabelSelector>;
export type Condition = Received<core.PodCondition>;
export type Container = Received<core.Container>;
export type ContainerStatus = Received<core.ContainerStatus>;
export type ContainerState = Received<core.ContainerState>;
export type PodSpec = Received<core.PodSpec>;
export type PodTemplate = Received<core.PodTemplateSpec>;

/** The fields of Kubernetes objects that the demo reads and writes. Clients may leave out any of them. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}

interface TypedObject<TSpec, TStatus> extends ApiObject {
  spec?: Received<TSpec>;
  status?: Received<TStatus>;
}

export type Pod = TypedObject<core.PodSpec, core.PodStatus>;
/** A kind that creates pods: Deployment, ReplicaSet, StatefulSet, DaemonSet or Job. */
export type Workload = TypedObject<DeploymentSpec & StatefulSetSpec & JobSpec, DeploymentStatus & JobStatus>;
export type KubeNode = TypedObject<core.NodeSpec, core.NodeStatus>;
export type Namespace = TypedObject<core.NamespaceSpec, core.NamespaceStatus>;
export type Service = TypedObject<core.ServiceSpec, core.ServiceStatus>;
export type DisruptionBudget = TypedObject<PodDisruptionBudgetSpec, PodDisruptionBudgetStatus>;
export type KubeEvent = ApiObject & Received<Omit<core.Event, keyof ApiObject>>;
export type CustomResourceDefinition = TypedObject<CustomResourceDefinitionSpec, unknown>;
