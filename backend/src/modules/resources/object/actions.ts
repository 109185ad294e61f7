import {
  hasCondition,
  specOf,
  type KubernetesObject,
  type ResourceApi,
  type ResourceReference,
  type ResourceType,
  type TypeName,
} from '../../../drivers/kubernetes/index.js';
import type { ResourceAction } from '../common/object.dto.js';

type Named = Pick<TypeName, 'group' | 'plural'>;
type Scalable = Pick<ResourceType, 'custom' | 'scalable'>;

const EXPOSABLE = ['deployments', 'statefulsets', 'daemonsets', 'replicasets'];
const WITH_ROLLOUT = ['deployments', 'statefulsets', 'daemonsets'];

/** Whether it has Pods that a Service can select for as long as it exists. */
export function isExposable({ group, plural }: Named): boolean {
  return group === 'apps' ? EXPOSABLE.includes(plural) : group === '' && plural === 'pods';
}

/** Whether a change of the pod template starts a rollout. */
export function hasRollout({ group, plural }: Named): boolean {
  return group === 'apps' && WITH_ROLLOUT.includes(plural);
}

/** Whether changes of the pod template can wait. */
export function isPausable({ group, plural }: Named): boolean {
  return group === 'apps' && plural === 'deployments';
}

export function isPaused(object: KubernetesObject): boolean {
  return specOf(object).paused === true;
}

/** Where an object of this kind has the spec of its Pods; undefined for other kinds, and where it cannot be changed. */
export function podSpecPath({ group, plural }: Named): readonly string[] | undefined {
  if (hasRollout({ group, plural })) return ['spec', 'template', 'spec'];
  return isCronJob({ group, plural }) ? ['spec', 'jobTemplate', 'spec', 'template', 'spec'] : undefined;
}

export function isCronJob({ group, plural }: Named): boolean {
  return group === 'batch' && plural === 'cronjobs';
}

export function isJob({ group, plural }: Named): boolean {
  return group === 'batch' && plural === 'jobs';
}

export function isSuspended(object: KubernetesObject): boolean {
  return specOf(object).suspend === true;
}

/** Whether a Job has completed or failed. */
export function isEnded(object: KubernetesObject): boolean {
  return hasCondition(object, 'Complete') || hasCondition(object, 'Failed');
}

/** Actions that the object currently allows, besides editing and deleting. */
export function actionsOf(
  type: Named & Pick<Scalable, 'scalable'>,
  object: KubernetesObject,
): ResourceAction[] {
  if (object.metadata.deletionTimestamp !== undefined) return [];
  if (type.group === '' && type.plural === 'pods') return ['expose', 'restart-pod'];
  if (type.group === '' && type.plural === 'nodes') {
    return [isCordoned(object) ? 'uncordon' : 'cordon', 'drain'];
  }
  const canSuspend = isCronJob(type) || (isJob(type) && !isEnded(object));
  return [
    ...(isExposable(type) ? (['expose'] as const) : []),
    ...(isCronJob(type) ? (['run'] as const) : []),
    ...(type.scalable ? (['scale'] as const) : []),
    ...(hasRollout(type) ? (['restart'] as const) : []),
    ...(podSpecPath(type) ? (['change-image'] as const) : []),
    ...(isPausable(type) ? ([isPaused(object) ? 'resume-rollout' : 'pause-rollout'] as const) : []),
    ...(canSuspend ? ([isSuspended(object) ? 'resume' : 'suspend'] as const) : []),
  ];
}

export function isCordoned(object: KubernetesObject): boolean {
  return specOf(object).unschedulable === true;
}

/** Desired replicas; null for kinds that cannot be scaled. */
export async function replicasOf(
  api: Pick<ResourceApi, 'read'>,
  type: Scalable,
  reference: ResourceReference,
  object: KubernetesObject,
): Promise<number | null> {
  if (!type.scalable) return null;
  // A custom resource can have them in any field.
  if (type.custom) return specOf(await api.read(reference, 'scale')).replicas ?? 0;
  // The default of the API server.
  return specOf(object).replicas ?? 1;
}
