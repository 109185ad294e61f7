import {
  anything,
  either,
  flag,
  jsonValue,
  labels,
  list,
  mapOf,
  number,
  prose,
  record,
  text,
  texts,
  time,
  word,
  type Read,
} from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';

/** etcd limits an object to 1.5 MB, and thereby each of its texts. */
const large = text(1_500_000);

const ownerReference = record({ controller: flag, apiVersion: word, uid: word }, { kind: word, name: word });

const METADATA = {
  namespace: word,
  uid: word,
  generateName: word,
  resourceVersion: word,
  generation: number,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: number,
  labels,
  annotations: mapOf(large),
  finalizers: texts,
  ownerReferences: list(ownerReference, 1000),
};

const knownMetadata = record(METADATA, { name: word });

const { uid, namespace, creationTimestamp, deletionTimestamp, labels: rowLabels, ownerReferences } = METADATA;
/** Metadata for the row of a table. Annotations are most of the rest, and a table may have thousands of rows. */
export const rowMetadata = record(
  { uid, namespace, creationTimestamp, deletionTimestamp, labels: rowLabels, ownerReferences },
  { name: word },
);

const containerPort = record(
  { name: word, hostPort: number, hostIP: word, protocol: word },
  { containerPort: number },
);
const servicePort = record(
  {
    name: word,
    targetPort: either(number, word),
    protocol: word,
    nodePort: number,
    appProtocol: word,
  },
  { port: number },
);
const container = record(
  {
    image: word,
    restartPolicy: word,
    resources: record({ limits: labels, requests: labels }),
    ports: list(containerPort),
    securityContext: anything,
  },
  { name: word },
);
const containers = list(container, 1000);

const condition = record({
  type: word,
  status: word,
  reason: word,
  message: prose(),
  lastTransitionTime: time,
});

const conditions = list(condition, 1000);

const terminated = record({
  exitCode: number,
  reason: word,
  message: prose(),
  startedAt: time,
  finishedAt: time,
});
const containerState = record({
  running: record({ startedAt: time }),
  waiting: record({ reason: word, message: prose() }),
  terminated,
});
const containerStatuses = list(
  record(
    {
      ready: flag,
      restartCount: number,
      state: containerState,
      lastState: containerState,
      user: record({ linux: record({ uid: number, gid: number }) }),
    },
    { name: word },
  ),
  1000,
);

/** The fields of `spec` that Slipway uses, of all kinds: fields with the same name have the same type. */
const spec = record({
  // Pods
  containers,
  initContainers: containers,
  ephemeralContainers: containers,
  nodeName: word,
  securityContext: anything,
  volumes: list(record({ emptyDir: anything, persistentVolumeClaim: record({ claimName: word }) })),
  // Workloads
  replicas: number,
  paused: flag,
  suspend: flag,
  activeDeadlineSeconds: number,
  concurrencyPolicy: word,
  ordinals: record({ start: number }),
  updateStrategy: record({ type: word }),
  jobTemplate: anything,
  template: anything,
  // A map in Services and ReplicationControllers, a LabelSelector in workloads.
  selector: anything,
  // Services
  type: word,
  ports: list(servicePort),
  publishNotReadyAddresses: flag,
  // Others
  unschedulable: flag,
  finalizers: texts,
  names: record({ kind: word }),
  persistentVolumeReclaimPolicy: word,
  storageClassName: word,
  volumeName: word,
  scaleTargetRef: record({ kind: word, name: word }),
  minReplicas: number,
  maxReplicas: number,
  renewTime: time,
});

/** The fields of `status` that Slipway uses, of all kinds. */
const status = record({
  phase: word,
  reason: word,
  message: prose(),
  conditions,
  initContainerStatuses: containerStatuses,
  containerStatuses,
  ephemeralContainerStatuses: containerStatuses,
  observedGeneration: number,
  replicas: number,
  readyReplicas: number,
  updatedReplicas: number,
  numberReady: number,
  desiredNumberScheduled: number,
  updatedNumberScheduled: number,
  loadBalancer: record({ ingress: list(anything) }),
  // A number in Jobs, a list in CronJobs.
  active: either(number, list(anything)),
});

const event = record({
  type: word,
  reason: word,
  message: prose(),
  count: number,
  series: record({ count: number, lastObservedTime: time }),
  lastTimestamp: time,
  eventTime: time,
  involvedObject: record({ uid: word, fieldPath: word }),
});

const labelSelector = record({
  matchLabels: labels,
  matchExpressions: list(record({ values: texts }, { key: word, operator: word })),
});

const template = record({ metadata: record({ labels, annotations: labels }), spec: anything });

export type OwnerReference = Read<typeof ownerReference>;

export interface ObjectMetadata extends Read<typeof knownMetadata> {
  [field: string]: unknown;
}

/**
 * A Kubernetes object. Only the fields that all objects have are typed; `specOf` and the like read others. From an API
 * server it comes through `kubernetesObject`.
 */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
  [field: string]: unknown;
}

export type ObjectSpec = Read<typeof spec>;
export type ObjectStatus = Read<typeof status>;
export type Container = Read<typeof container>;
export type ContainerPort = Read<typeof containerPort>;
export type ContainerState = Read<typeof containerState>;
export type ContainerStatus = NonNullable<ObjectStatus['containerStatuses']>[number];
export type Condition = Read<typeof condition>;
export type EventFields = Read<typeof event>;
export type LabelSelector = Read<typeof labelSelector>;
export type ServicePort = Read<typeof servicePort>;

type AnyObject = Readonly<Record<string, unknown>>;

/** Fields of unexpected types are absent. */
export function specOf(object: AnyObject | undefined): ObjectSpec {
  return spec(object?.['spec']) ?? {};
}

export function statusOf(object: AnyObject | undefined): ObjectStatus {
  return status(object?.['status']) ?? {};
}

/** The API server converts the conditions of a HorizontalPodAutoscaler to it in `autoscaling/v1`, whose status has none. */
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';

/**
 * The conditions of an object, and those of its parts: the listeners of a Gateway, the parents of a route. Not those of
 * earlier tries.
 */
export function conditionsOf(object: AnyObject): Condition[] {
  const parts = Object.entries(recordOf(object['status']))
    .filter(([name]) => !/retries|history/i.test(name))
    .map(([, value]) => value)
    .filter(Array.isArray)
    .flat();
  const converted = recordOf(recordOf(object['metadata'])['annotations'])[CONDITIONS];
  return [
    ...(statusOf(object).conditions ?? []),
    ...((typeof converted === 'string' && conditions(jsonValue(converted))) || []),
    ...parts.flatMap((part) => conditions(recordOf(part)['conditions']) ?? []),
  ];
}

/** @param wanted type of the condition */
export function hasCondition(object: AnyObject | undefined, wanted: string, as = 'True'): boolean {
  const { conditions = [] } = statusOf(object);
  return conditions.some(({ type, status: is }) => type === wanted && is === as);
}

export function eventFieldsOf(object: KubernetesObject): EventFields {
  return event(object) ?? {};
}

export function labelSelectorOf(value: unknown): LabelSelector {
  return labelSelector(value) ?? {};
}

/** A selector as in `kubectl get -l`; empty if it has no requirements. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...Object.entries(matchLabels).map((label) => label.join('=')), ...requirements].join(',');
}

/** The Pod template of a workload, or the Job template of a CronJob. */
export function templateOf(value: unknown): Partial<Read<typeof template>> {
  return template(value) ?? {};
}

const anyObject = record({ apiVersion: word, kind: word, metadata: anything });

/**
 * A whole object. Its metadata has the types that it should have, without managed fields, which only the server maintains.
 * The rest stays as it is, to be shown or edited, and is read with `specOf` and the like.
 * @param kinds for an item of a list, which has no kind of its own
 * @returns undefined without a name
 */
export function kubernetesObject(
  value: unknown,
  kinds: { apiVersion?: string; kind?: string } = {},
): KubernetesObject | undefined {
  const { apiVersion = kinds.apiVersion ?? '', kind = kinds.kind ?? '', metadata } = anyObject(value) ?? {};
  const known = knownMetadata(metadata);
  if (!known) return undefined;
  const others = Object.entries(recordOf(metadata)).filter(
    ([field]) => field !== 'name' && field !== 'managedFields' && !Object.hasOwn(METADATA, field),
  );
  return { ...recordOf(value), apiVersion, kind, metadata: { ...Object.fromEntries(others), ...known } };
}

const versioned = record({ metadata: record({ resourceVersion: word }) });

/** Of an object or a bookmark. */
export function resourceVersionOf(value: unknown): string | undefined {
  return versioned(value)?.metadata?.resourceVersion;
}

export const listMetadata = record({
  continue: text(100_000),
  remainingItemCount: number,
  resourceVersion: word,
});
const objectList = record({
  apiVersion: word,
  kind: word,
  metadata: listMetadata,
  items: list(anything),
});

/** A page of a list, with its metadata. Items without a name are dropped. */
export function objectPage(value: unknown): Read<typeof listMetadata> & { objects: KubernetesObject[] } {
  const { apiVersion = '', kind = '', metadata, items = [] } = objectList(value) ?? {};
  const named = { apiVersion, kind: kind.replace(/List$/, '') };
  return { ...metadata, objects: items.flatMap((item) => kubernetesObject(item, named) ?? []) };
}
