import type { ClusterState } from '../cluster-state.js';
import type { ApiObject, Condition, ContainerState, ContainerStatus, Pod, PodTemplate } from '../shapes.js';
import { ownerReference } from './controller.js';

/** Neither ended nor on its way out. */
export function isActive({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && !hasEnded({ status });
}

export function hasEnded({ status }: Pick<Pod, 'status'>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}

/** The pods that an object made, in the order of their names. */
export function podsOf({ store }: ClusterState, owner: ApiObject): Pod[] {
  return store
    .ownedBy(owner.metadata.uid)
    .filter(({ type }) => type === 'pods')
    .map(({ object }) => object as Pod);
}

/** Sets conditions; one that keeps its status keeps its time too. */
export function withConditions(
  conditions: readonly Condition[] | undefined,
  changes: readonly Condition[],
  now: string,
): Condition[] {
  const kept = (conditions ?? []).filter(({ type }) => !changes.some((change) => change.type === type));
  return [
    ...kept,
    ...changes.map((change) => {
      const before = conditions?.find(({ type }) => type === change.type);
      const same = before?.status === change.status;
      return { ...change, lastTransitionTime: (same ? before.lastTransitionTime : undefined) ?? now };
    }),
  ];
}

/** What a pod's containers being ready, or not, means for the pod. */
export function readiness(containers: readonly ContainerStatus[], ended = false): Condition[] {
  const unready = containers.filter(({ ready }) => ready !== true).map(({ name }) => name);
  const why = ended
    ? { reason: 'PodCompleted' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  return ['Ready', 'ContainersReady'].map((type) =>
    unready.length === 0 ? { type, status: 'True' } : { type, status: 'False', ...why },
  );
}

export function containerStatuses(
  pod: Pod,
  state: (status: ContainerStatus) => Partial<ContainerStatus> & { state: ContainerState },
): ContainerStatus[] {
  return (pod.spec?.containers ?? []).map(({ name, image = '' }) => {
    const before = pod.status?.containerStatuses?.find((status) => status.name === name);
    const status = {
      restartCount: 0,
      imageID: '',
      lastState: {},
      ready: false,
      started: false,
      ...before,
      name,
      image,
    };
    return { ...status, ...state(status) };
  });
}

/** Those that prepare a pod are done at once; a sidecar runs as long as its pod. */
export function initialStatuses(pod: Pod, now: string, ended: boolean): ContainerStatus[] {
  return (pod.spec?.initContainers ?? []).map(({ name, image = '', restartPolicy }) => {
    const before = pod.status?.initContainerStatuses?.find((status) => status.name === name);
    const startedAt = before?.state?.running?.startedAt ?? now;
    const status = { restartCount: 0, imageID: '', lastState: {}, ...before, name, image, ready: true };
    if (restartPolicy === 'Always' && !ended) {
      return { ...status, started: true, state: { running: { startedAt } } };
    }
    const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: now };
    return { ...status, started: false, state: { terminated: before?.state?.terminated ?? terminated } };
  });
}

/** A pod from a template, as its owner makes it. */
export function makePod(
  state: ClusterState,
  owner: ApiObject,
  template: PodTemplate | undefined,
  own: { name: string; labels?: Record<string, string>; spec?: Pod['spec'] },
): Pod {
  const { namespace } = owner.metadata;
  const generated = own.name.endsWith('-');
  const spec = { ...template?.spec, ...own.spec };
  return state.create<Pod>('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: generated ? `${own.name}${state.names.suffix()}` : own.name,
      ...(generated ? { generateName: own.name } : {}),
      namespace,
      labels: { ...template?.metadata?.labels, ...own.labels },
      ...(template?.metadata?.annotations ? { annotations: template.metadata.annotations } : {}),
      ownerReferences: [ownerReference(owner)],
    },
    spec: withPodDefaults(spec),
    status: { phase: 'Pending', qosClass: qualityOf(spec) },
  });
}

/** What the server fills into a pod's specification. */
export function withPodDefaults(spec: NonNullable<Pod['spec']>): NonNullable<Pod['spec']> {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    schedulerName: 'default-scheduler',
    securityContext: {},
    ...spec,
    containers: spec.containers?.map((container) => ({
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: /(:latest|^[^:]+)$/.test(container.image ?? '') ? 'Always' : 'IfNotPresent',
      ...container,
    })),
  };
}

function qualityOf({ containers = [] }: NonNullable<Pod['spec']>): string {
  const asks = containers.map(({ resources = {} }) => resources);
  if (asks.every(({ requests, limits }) => !requests && !limits)) return 'BestEffort';
  const guaranteed = asks.every(({ requests, limits }) =>
    ['cpu', 'memory'].every(
      (name) => limits?.[name] !== undefined && (requests?.[name] ?? limits[name]) === limits[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
