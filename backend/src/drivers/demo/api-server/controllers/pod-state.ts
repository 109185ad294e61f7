import { BUILT_IN_TYPES } from '../api-types.js';
import type { ClusterState } from '../cluster-state.js';
import { mergePatch } from '../json-merge.js';
import type {
  ApiObject,
  Condition,
  ContainerState,
  ContainerStatus,
  Pod,
  PodSpec,
  PodTemplate,
} from '../shapes.js';
import { ownerReference } from './controller.js';

/** Neither ended nor terminating. */
export function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod);
}

export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isReady({ status }: Pod): boolean {
  return hasCondition(status?.conditions, 'Ready');
}

export function hasCondition(conditions: readonly Condition[] | undefined, wanted: string): boolean {
  return conditions?.some(({ type, status }) => type === wanted && status === 'True') === true;
}

export function podsOf({ store }: ClusterState, owner: ApiObject): Pod[] {
  return store
    .ownedBy(owner.metadata.uid)
    .filter(({ type }) => type === 'pods')
    .map(({ object }) => object as Pod);
}

/** Sets conditions. A condition with an unchanged status keeps its time. */
export function withConditions(
  conditions: readonly Condition[] = [],
  changes: readonly Condition[],
  now: string,
): Condition[] {
  const kept = conditions.filter(({ type }) => !changes.some((change) => change.type === type));
  const changed = changes.map((change) => {
    const before = conditions.find(({ type, status }) => type === change.type && status === change.status);
    return { ...change, lastTransitionTime: before?.lastTransitionTime ?? now };
  });
  return [...kept, ...changed];
}

export function containerStatuses(
  pod: Pod,
  change: (status: ContainerStatus) => Partial<ContainerStatus> & { state: ContainerState },
): ContainerStatus[] {
  return (pod.spec?.containers ?? []).map(({ name, image = '' }) => {
    const before = pod.status?.containerStatuses?.find((status) => status.name === name);
    const initial = { restartCount: 0, imageID: '', lastState: {}, ready: false, started: false };
    const status = { ...initial, ...before, name, image };
    return { ...status, ...change(status) };
  });
}

/** Init containers complete at once. A sidecar runs as long as its pod. */
export function initStatuses(pod: Pod, now: string): ContainerStatus[] {
  return (pod.spec?.initContainers ?? []).map(({ name, image = '', restartPolicy }) => {
    const before = pod.status?.initContainerStatuses?.find((status) => status.name === name);
    if (before && !hasEnded(pod)) return before;
    const startedAt = before?.state?.running?.startedAt ?? now;
    const started = restartPolicy === 'Always' && !hasEnded(pod);
    const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: now };
    const state = started ? { running: { startedAt } } : (before?.state ?? { terminated });
    return { name, image, imageID: '', restartCount: 0, lastState: {}, ready: true, started, state };
  });
}

/** Creates a pod of a workload. A name that ends with `-` gets a random suffix. */
export function createPod(
  state: ClusterState,
  owner: ApiObject,
  template: PodTemplate | undefined,
  own: { name: string; labels?: Record<string, string>; spec?: PodSpec },
): Pod {
  const generated = own.name.endsWith('-');
  const defaults = BUILT_IN_TYPES.find(({ plural }) => plural === 'pods')?.defaults;
  const { spec, status } = mergePatch(defaults, { spec: { ...template?.spec, ...own.spec } }) as Pod;
  const pod = state.create<Pod>('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: generated ? `${own.name}${state.names.suffix()}` : own.name,
      ...(generated ? { generateName: own.name } : {}),
      namespace: owner.metadata.namespace,
      labels: { ...template?.metadata?.labels, ...own.labels },
      ...(template?.metadata?.annotations ? { annotations: template.metadata.annotations } : {}),
      ownerReferences: [ownerReference(owner)],
    },
    spec,
    status,
  });
  const message = `Created pod: ${pod.metadata.name}`;
  state.event(owner, { reason: 'SuccessfulCreate', message, by: `${owner.kind.toLowerCase()}-controller` });
  return pod;
}
