import type { LoggedPod, PodContainer } from '../../drivers/kubernetes/index.js';
import { CLUSTER_LABEL, type LoggedContainer } from '../../drivers/runtime/index.js';
import type { SourceIdentity } from '../../drivers/log-store/index.js';

/** Services of a node that write to its journal. */
export const NODE_SERVICES = ['kubelet', 'containerd'] as const;
export type NodeService = (typeof NODE_SERVICES)[number];

const NOTHING = {
  cluster: null,
  namespace: null,
  workload: null,
  container: null,
  role: null,
  service: null,
  previous: null,
} as const;

/** A container of an engine. Containers of a Compose project are grouped by project. */
export function containerIdentity(runtime: string, { id, name, labels }: LoggedContainer): SourceIdentity {
  const project =
    labels['com.docker.compose.project'] ??
    labels['io.podman.compose.project'] ??
    labels['io.podman.pod.name'];
  return {
    ...NOTHING,
    key: `container/${runtime}/${id}`,
    kind: 'container',
    runtime,
    cluster: labels[CLUSTER_LABEL] ?? null,
    workload: project === undefined || project === '' ? null : `Compose/${project}`,
    name,
  };
}

export function nodeIdentity(
  runtime: string,
  { id, name, labels }: LoggedContainer,
  service: NodeService,
): SourceIdentity {
  return {
    ...NOTHING,
    key: `node/${runtime}/${id}/${service}`,
    kind: 'node',
    runtime,
    cluster: labels[CLUSTER_LABEL] ?? null,
    name,
    service,
  };
}

/** A container of a pod, or a previous instance of it. @param previous restart count of that instance */
export function podIdentity(
  { runtime, cluster }: { runtime: string; cluster: string },
  pod: LoggedPod,
  { name, role }: PodContainer,
  previous: number | null = null,
): SourceIdentity {
  const key = `pod/${runtime}/${cluster}/${pod.uid}/${name}`;
  const others = pod.containers.filter((container) => container.role === 'main' && container.name !== name);
  return {
    key: previous === null ? key : `${key}/previous-${previous}`,
    kind: 'pod',
    runtime,
    cluster,
    namespace: pod.namespace,
    workload: pod.workload ? `${pod.workload.kind}/${pod.workload.name}` : null,
    name: pod.name,
    container: role === 'main' && others.length === 0 ? null : name,
    role,
    service: null,
    previous,
  };
}
