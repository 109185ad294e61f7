import { DomainError } from '../../../core/errors/index.js';
import { capitalized } from '../../../core/values/index.js';
import {
  groupVersion,
  hasCondition,
  specOf,
  statusOf,
  type KubernetesObject,
  type OwnerReference,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { readableKind } from '../../resources/index.js';

/** The controller of a pod, and the controller's own controller. */
interface PodOwner {
  kind: string;
  name: string;
  uid: string;
  owner: PodOwner | null;
}

export interface RestartOutcome {
  owner: PodOwner | null;
  comesBack: boolean;
  /** Explanation of `comesBack`, as a sentence. */
  reason: string;
  /** False for mirror pods, whose deletion stops nothing. */
  isReal: boolean;
}

type Recreation = Pick<RestartOutcome, 'comesBack' | 'reason'>;

const recreated = (reason: string): Recreation => ({ comesBack: true, reason });
const notRecreated = (reason: string): Recreation => ({ comesBack: false, reason });

/** Set on mirror pods, which represent static pods of a kubelet. */
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
  const { phase } = statusOf(pod);
  return phase === 'Succeeded' || phase === 'Failed';
}

export async function restartOutcome(api: ResourceApi, pod: KubernetesObject): Promise<RestartOutcome> {
  const reference = controllerOf(pod);
  if (isMirror(pod)) {
    const { nodeName = 'its node' } = specOf(pod);
    return {
      owner: reference ? { ...named(reference), owner: null } : null,
      comesBack: true,
      reason: `It is a static pod. The kubelet of ${nodeName} runs it from a file, and the cluster has only a mirror pod. Deleting that does not restart it.`,
      isReal: false,
    };
  }
  if (!reference) {
    return { owner: null, ...notRecreated('It has no controller, so it is not recreated.'), isReal: true };
  }
  const found = await readOwner(api, reference, pod.metadata.namespace ?? null);
  if (found === 'gone') {
    const controller = `the ${readableKind(reference.kind)} ${reference.name}`;
    const outcome = notRecreated(`Its controller, ${controller}, no longer exists, so it is not recreated.`);
    return { owner: { ...named(reference), owner: null }, ...outcome, isReal: true };
  }
  const above = found && controllerOf(found);
  const owner: PodOwner = { ...named(reference), owner: above ? { ...named(above), owner: null } : null };
  return { owner, ...outcomeFor(reference, found, above, pod), isReal: true };
}

function outcomeFor(
  { kind, name }: OwnerReference,
  owner: KubernetesObject | undefined,
  above: OwnerReference | undefined,
  pod: KubernetesObject,
): Recreation {
  const who = `the ${readableKind(kind)} ${name}${above ? ` of the ${readableKind(above.kind)} ${above.name}` : ''}`;
  if (owner?.metadata.deletionTimestamp !== undefined) {
    return notRecreated(`${capitalized(who)} is being deleted and creates no replacement.`);
  }
  switch (kind) {
    case 'ReplicaSet':
    case 'ReplicationController':
      return specOf(owner).replicas === 0
        ? notRecreated(`${capitalized(who)} is scaled to 0 replicas and creates no replacement.`)
        : recreated(`${capitalized(who)} creates a replacement with a new name.`);
    case 'StatefulSet': {
      const { ordinals, replicas = 1 } = specOf(owner);
      const ordinal = Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? 0);
      return ordinal >= (ordinals?.start ?? 0) + replicas
        ? notRecreated(`${capitalized(who)} is scaled to ${replicas} replicas and creates no replacement.`)
        : recreated(
            `${capitalized(who)} creates a replacement with the same name once the pod has terminated.`,
          );
    }
    case 'DaemonSet':
      return recreated(`${capitalized(who)} creates a replacement on the same node, with a new name.`);
    case 'Job':
      return jobOutcome(who, owner, pod);
    default:
      return recreated(`Whether it is replaced depends on ${who}.`);
  }
}

function jobOutcome(who: string, job: KubernetesObject | undefined, pod: KubernetesObject): Recreation {
  const { suspend = false } = specOf(job);
  const { phase } = statusOf(pod);
  if (phase === 'Succeeded') {
    return notRecreated(`It has completed its part of ${who} and is not run again. Its logs are deleted.`);
  }
  if (hasCondition(job, 'Complete')) {
    return notRecreated(
      `${capitalized(who)} is complete and runs no more pods. The logs of the pod are deleted.`,
    );
  }
  if (hasCondition(job, 'Failed')) {
    return notRecreated(
      `${capitalized(who)} has failed and runs no more pods. The logs of the pod are deleted.`,
    );
  }
  if (suspend) return notRecreated(`${capitalized(who)} is suspended and runs no pods until it is resumed.`);
  if (phase === 'Failed') {
    return notRecreated(`It has failed, and ${who} has already counted the failure. Its logs are deleted.`);
  }
  return recreated(`${capitalized(who)} runs a replacement from the start.`);
}

/** Undefined if the owner is of an unknown kind or reading it is forbidden. */
async function readOwner(
  api: ResourceApi,
  { apiVersion = '', kind, name, uid }: OwnerReference,
  namespace: string | null,
): Promise<KubernetesObject | 'gone' | undefined> {
  const type = BUILT_IN[`${kind}.${groupVersion(apiVersion).group}`];
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

function named({ kind, name, uid = '' }: OwnerReference): Omit<PodOwner, 'owner'> {
  return { kind, name, uid };
}
