/**
 * The fields of Kubernetes' objects that the demo reads and writes. All of them are optional: what is stored
 * came over REST, and may hold anything that its validation lets through.
 */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFields {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Record<string, unknown>;
  subresource?: string;
}

export interface Metadata {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFields[];
}

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
  lastUpdateTime?: string;
  lastProbeTime?: string | null;
  lastHeartbeatTime?: string;
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  /** Of an init container: `Always` makes a sidecar of it. */
  restartPolicy?: string;
  ports?: { name?: string; containerPort?: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  [field: string]: unknown;
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
    signal?: number;
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
  tolerations?: { key?: string; operator?: string; effect?: string; value?: string }[];
  readinessGates?: { conditionType: string }[];
  terminationGracePeriodSeconds?: number;
  hostNetwork?: boolean;
  volumes?: { name: string; [source: string]: unknown }[];
  [field: string]: unknown;
}

export interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: Condition[];
    podIP?: string;
    podIPs?: { ip: string }[];
    hostIP?: string;
    startTime?: string;
    nominatedNodeName?: string;
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
    qosClass?: string;
  };
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodSpec;
}

/** What Deployments, ReplicaSets, StatefulSets and DaemonSets have in common. */
export interface Workload extends ApiObject {
  spec?: {
    replicas?: number;
    selector?: LabelSelector;
    template?: PodTemplate;
    serviceName?: string;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
    updateStrategy?: { type?: string };
    paused?: boolean;
    revisionHistoryLimit?: number;
    volumeClaimTemplates?: ApiObject[];
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    unavailableReplicas?: number;
    updatedReplicas?: number;
    currentReplicas?: number;
    fullyLabeledReplicas?: number;
    currentRevision?: string;
    updateRevision?: string;
    desiredNumberScheduled?: number;
    currentNumberScheduled?: number;
    numberReady?: number;
    numberAvailable?: number;
    numberMisscheduled?: number;
    updatedNumberScheduled?: number;
    conditions?: Condition[];
  };
}

export interface Job extends ApiObject {
  spec?: {
    completions?: number;
    parallelism?: number;
    backoffLimit?: number;
    suspend?: boolean;
    selector?: LabelSelector;
    template?: PodTemplate;
  };
  status?: {
    active?: number;
    succeeded?: number;
    failed?: number;
    ready?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: Condition[];
  };
}

export interface CronJob extends ApiObject {
  spec?: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate?: { metadata?: PodTemplate['metadata']; spec?: Job['spec'] };
  };
  status?: {
    active?: { name?: string }[];
    lastScheduleTime?: string;
    lastSuccessfulTime?: string;
  };
}

export interface KubeNode extends ApiObject {
  spec?: {
    unschedulable?: boolean;
    taints?: { key: string; value?: string; effect: string; timeAdded?: string }[];
    podCIDR?: string;
  };
  status?: {
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: Record<string, string>;
    allocatable?: Record<string, string>;
    capacity?: Record<string, string>;
  };
}

export interface Service extends ApiObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    externalIPs?: string[];
    externalName?: string;
    selector?: Record<string, string>;
    ports?: {
      name?: string;
      port?: number;
      targetPort?: number | string;
      nodePort?: number;
      protocol?: string;
    }[];
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export interface EndpointSlice extends ApiObject {
  addressType?: string;
  ports?: { name?: string; port?: number; protocol?: string }[] | null;
  endpoints?: {
    addresses?: string[];
    conditions?: Record<string, boolean>;
    nodeName?: string;
    targetRef?: { kind: string; namespace?: string; name: string; uid?: string };
  }[];
}

export interface Budget extends ApiObject {
  spec?: { minAvailable?: number | string; maxUnavailable?: number | string; selector?: LabelSelector };
  status?: {
    currentHealthy?: number;
    desiredHealthy?: number;
    disruptionsAllowed?: number;
    expectedPods?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

export interface VolumeClaim extends ApiObject {
  spec?: {
    accessModes?: string[];
    storageClassName?: string;
    volumeName?: string;
    volumeMode?: string;
    resources?: { requests?: Record<string, string> };
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: Record<string, string> };
}

export interface KubeEvent extends ApiObject {
  involvedObject?: {
    apiVersion?: string;
    kind?: string;
    namespace?: string;
    name?: string;
    uid?: string;
    fieldPath?: string;
  };
  reason?: string;
  message?: string;
  type?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  source?: { component?: string; host?: string };
  reportingComponent?: string;
}

export interface Definition extends ApiObject {
  spec?: {
    group?: string;
    scope?: string;
    names?: {
      plural?: string;
      singular?: string;
      kind?: string;
      shortNames?: string[];
      categories?: string[];
    };
    versions?: {
      name?: string;
      served?: boolean;
      storage?: boolean;
      schema?: { openAPIV3Schema?: Record<string, unknown> };
      additionalPrinterColumns?: {
        name: string;
        type: string;
        format?: string;
        description?: string;
        priority?: number;
        jsonPath: string;
      }[];
      subresources?: { status?: object; scale?: { specReplicasPath?: string } };
    }[];
  };
  status?: { conditions?: Condition[]; acceptedNames?: object; storedVersions?: string[] };
}
