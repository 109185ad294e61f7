import type { KubernetesObject, TableColumn } from '../../kubernetes/index.js';

type KnownMetadata = KubernetesObject['metadata'];

/** The fields of Kubernetes objects that the demo reads and writes. Clients may leave out any of them. */
export interface Metadata extends KnownMetadata {
  generateName?: string;
  generation?: number;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
}

export type OwnerReference = NonNullable<KnownMetadata['ownerReferences']>[number];

export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  /** `Always` makes an init container a sidecar. */
  restartPolicy?: string;
  resources?: { requests?: Record<string, string> };
}

export interface ContainerStatus {
  name: string;
  image?: string;
  imageID?: string;
  containerID?: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerState {
  running?: { startedAt?: string };
  waiting?: { reason?: string; message?: string };
  terminated?: {
    exitCode?: number;
    reason?: string;
    startedAt?: string;
    finishedAt?: string;
    containerID?: string;
  };
}

export interface PodSpec {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  schedulerName?: string;
  restartPolicy?: string;
  containers?: Container[];
  initContainers?: Container[];
  tolerations?: { key?: string; operator?: string; effect?: string }[];
  terminationGracePeriodSeconds?: number;
  hostNetwork?: boolean;
  [field: string]: unknown;
}

export interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: {
    phase?: string;
    reason?: string;
    conditions?: Condition[];
    podIP?: string;
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
    [field: string]: unknown;
  };
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodSpec;
}

/** A kind that creates pods: Deployment, ReplicaSet, StatefulSet, DaemonSet or Job. */
export interface Workload extends ApiObject {
  spec?: {
    replicas?: number;
    selector?: LabelSelector;
    template?: PodTemplate;
    paused?: boolean;
    serviceName?: string;
    completions?: number;
    parallelism?: number;
    backoffLimit?: number;
    suspend?: boolean;
    volumeClaimTemplates?: ApiObject[];
  };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: Condition[];
    startTime?: string;
    completionTime?: string;
    [field: string]: unknown;
  };
}

export interface KubeNode extends ApiObject {
  spec?: {
    unschedulable?: boolean;
    taints?: { key: string; effect: string }[];
    podCIDR?: string;
  };
  status?: {
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: Record<string, string>;
    [field: string]: unknown;
  };
}

export interface Service extends ApiObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    externalIPs?: string[];
    externalName?: string;
    ports?: { port?: number; nodePort?: number; protocol?: string }[];
    [field: string]: unknown;
  };
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } };
}

export interface DisruptionBudget extends ApiObject {
  spec?: { selector?: LabelSelector };
  status?: { currentHealthy?: number; desiredHealthy?: number; disruptionsAllowed?: number };
}

export interface KubeEvent extends ApiObject {
  involvedObject?: { uid?: string; [field: string]: unknown };
  reason?: string;
  message?: string;
  type?: string;
  count?: number;
  firstTimestamp?: string;
  lastTimestamp?: string;
  source?: { component?: string; host?: string };
}

export interface CustomResourceDefinition extends ApiObject {
  spec?: {
    group?: string;
    scope?: string;
    names?: { plural?: string; kind?: string; shortNames?: string[] };
    versions?: {
      name?: string;
      served?: boolean;
      additionalPrinterColumns?: (Partial<TableColumn> & { name: string; type: string; jsonPath: string })[];
      subresources?: object;
    }[];
  };
}
