import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi } from '../../../drivers/kubernetes/index.js';
import { readableKind } from '../change/object-names.js';

/** Who owns a pod, and who owns that. */
export interface PodOwner {
  kind: string;
  name: string;
  uid: string;
  owner: PodOwner | null;
}

/** What becomes of a pod that is deleted. */
export interface RestartOutcome {
  owner: PodOwner | null;
  comesBack: boolean;
  /** A sentence that says why. */
  reason: string;
  /** Whether deleting it stops anything: a mirror pod is a picture of what a kubelet runs by itself. */
  isReal: boolean;
}

type OwnerReference = NonNullable<KubernetesObject['metadata']['ownerReferences']>[number];

interface Condition {
  type?: string;
  status?: string;
}

interface PodFields {
  phase?: string;
  nodeName?: string;
}

/** On pods that a kubelet runs from a file of its node. */
const MIRROR = 'kubernetes.io/config.mirror';
const BUILT_IN: Readonly<Record<string, { group: string; version: string; plural: string }>> = {
  'ReplicaSet.apps': { group: 'apps', version: 'v1', plural: 'replicasets' },
  'Deployment.apps': { group: 'apps', version: 'v1', plural: 'deployments' },
  'StatefulSet.apps': { group: 'apps', version: 'v1', plural: 'statefulsets' },
  'DaemonSet.apps': { group: 'apps', version: 'v1', plural: 'daemonsets' },
  'Job.batch': { group: 'batch', version: 'v1', plural: 'jobs' },
  'CronJob.batch': { group: 'batch', version: 'v1', plural: 'cronjobs' },
  'ReplicationController.': { group: '', version: 'v1', plural: 'replicationcontrollers' },
};

export function isMirror({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function isFinished(pod: KubernetesObject): boolean {
  const { phase } = (pod['status'] ?? {}) as PodFields;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Finds who owns a pod, and whether a pod takes its place when it is deleted. */
export async function restartOutcome(api: ResourceApi, pod: KubernetesObject): Promise<RestartOutcome> {
  const reference = controllerOf(pod);
  if (isMirror(pod)) {
    const { nodeName = 'its node' } = (pod['spec'] ?? {}) as PodFields;
    return {
      owner: reference ? { ...named(reference), owner: null } : null,
      comesBack: true,
      reason: `It is a static pod: the kubelet of ${nodeName} runs it from a file there, and the cluster has a mirror of it only. Deleting that restarts nothing.`,
      isReal: false,
    };
  }
  if (!reference) {
    return {
      owner: null,
      comesBack: false,
      reason: 'Nobody owns it, and so nobody brings it back.',
      isReal: true,
    };
  }
  const found = await readOwner(api, reference, pod.metadata.namespace ?? null);
  if (found === 'gone') {
    return {
      owner: { ...named(reference), owner: null },
      comesBack: false,
      reason: `Its owner, the ${readableKind(reference.kind)} ${reference.name}, is gone, and so nobody brings it back.`,
      isReal: true,
    };
  }
  const above = found && controllerOf(found);
  const owner: PodOwner = { ...named(reference), owner: above ? { ...named(above), owner: null } : null };
  return { owner, ...judge(reference, found, above, pod), isReal: true };
}

function judge(
  { kind, name }: OwnerReference,
  owner: KubernetesObject | undefined,
  above: OwnerReference | undefined,
  pod: KubernetesObject,
): Pick<RestartOutcome, 'comesBack' | 'reason'> {
  const who = `the ${readableKind(kind)} ${name}${above ? ` of the ${readableKind(above.kind)} ${above.name}` : ''}`;
  const comes = (reason: string): Pick<RestartOutcome, 'comesBack' | 'reason'> => ({
    comesBack: true,
    reason,
  });
  const stays = (reason: string): Pick<RestartOutcome, 'comesBack' | 'reason'> => ({
    comesBack: false,
    reason,
  });
  if (owner?.metadata.deletionTimestamp !== undefined) {
    return stays(`${upper(who)} is being deleted, and makes no other one.`);
  }
  switch (kind) {
    case 'ReplicaSet':
    case 'ReplicationController':
      return wantedReplicas(owner) === 0
        ? stays(`${upper(who)} wants no replicas any more, and makes no other one.`)
        : comes(`${upper(who)} makes another one in its place, under a new name.`);
    case 'StatefulSet': {
      const { ordinals, replicas = 1 } = (owner?.['spec'] ?? {}) as {
        replicas?: number;
        ordinals?: { start?: number };
      };
      const ordinal = Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? 0);
      return ordinal >= (ordinals?.start ?? 0) + replicas
        ? stays(`${upper(who)} wants only ${replicas} replicas, and makes no other one.`)
        : comes(`${upper(who)} makes it again under the same name, once it has ended.`);
    }
    case 'DaemonSet':
      return comes(`${upper(who)} makes another one on the same node, under a new name.`);
    case 'Job':
      return jobFate(who, owner, pod);
    default:
      return comes(`It is up to ${who} whether another one takes its place.`);
  }
}

function jobFate(
  who: string,
  job: KubernetesObject | undefined,
  pod: KubernetesObject,
): Pick<RestartOutcome, 'comesBack' | 'reason'> {
  const { conditions = [] } = (job?.['status'] ?? {}) as { conditions?: Condition[] };
  const { suspend = false } = (job?.['spec'] ?? {}) as { suspend?: boolean };
  const has = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True');
  const stays = (reason: string): Pick<RestartOutcome, 'comesBack' | 'reason'> => ({
    comesBack: false,
    reason,
  });
  const { phase } = (pod['status'] ?? {}) as PodFields;
  if (phase === 'Succeeded') {
    return stays(`It has done its part of ${who}, and is not run again; its logs go with it.`);
  }
  if (has('Complete')) return stays(`${upper(who)} is complete, and runs no more pods; its logs go with it.`);
  if (has('Failed')) return stays(`${upper(who)} has failed, and runs no more pods; its logs go with it.`);
  if (suspend) return stays(`${upper(who)} is suspended, and runs no pods until it is resumed.`);
  if (phase === 'Failed') {
    return stays(`It has failed, and ${who} has counted that already; its logs go with it.`);
  }
  return { comesBack: true, reason: `${upper(who)} runs another one in its place, from the beginning.` };
}

/** Undefined for an owner that cannot be read: of a kind that is not known here, or that is forbidden. */
async function readOwner(
  api: ResourceApi,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string | null,
): Promise<KubernetesObject | 'gone' | undefined> {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  const type = BUILT_IN[`${kind}.${group}`];
  if (!type) return undefined;
  try {
    const found = await api.read({ ...type, namespace, name });
    return found.metadata.uid === uid ? found : 'gone';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'resource_not_found') return 'gone';
    if (error.code === 'resource_forbidden') return undefined;
    throw error;
  }
}

function wantedReplicas(owner: KubernetesObject | undefined): number {
  return ((owner?.['spec'] ?? {}) as { replicas?: number }).replicas ?? 1;
}

function named({ kind, name, uid }: OwnerReference): Omit<PodOwner, 'owner'> {
  return { kind, name, uid };
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
