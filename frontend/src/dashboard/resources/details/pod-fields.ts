/** The fields of Pods that the panel shows. Each can be missing. */

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

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

interface KeyReference {
  name?: string;
  key?: string;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: KeyReference;
    configMapKeyRef?: KeyReference;
    fieldRef?: { fieldPath?: string };
    resourceFieldRef?: { resource?: string };
  };
}

export interface EnvSource {
  prefix?: string;
  secretRef?: { name?: string };
  configMapRef?: { name?: string };
}

export interface Probe {
  httpGet?: { path?: string; port?: number | string; scheme?: string };
  tcpSocket?: { port?: number | string };
  grpc?: { port?: number };
  exec?: { command?: string[] };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface Container {
  name: string;
  image?: string;
  restartPolicy?: string;
  command?: string[];
  args?: string[];
  ports?: { name?: string; containerPort?: number; hostPort?: number; protocol?: string }[];
  env?: EnvVar[];
  envFrom?: EnvSource[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  volumeMounts?: { name: string; mountPath?: string; subPath?: string; readOnly?: boolean }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
}

export interface Volume {
  name: string;
  [source: string]: unknown;
}

export interface PodSpec {
  initContainers?: Container[];
  containers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
}

export interface PodStatus {
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
}

export interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}
