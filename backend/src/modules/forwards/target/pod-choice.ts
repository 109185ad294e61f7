import { DomainError } from '../../../core/errors/index.js';
import { labels } from '../../../core/parsing/index.js';
import {
  hasCondition,
  labelSelectorOf,
  PODS,
  selectorText,
  specOf,
  statusOf,
  type KubernetesObject,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { nameOfTarget, type ForwardTo } from './forward-kinds.js';

/**
 * The Pod behind an object: the preferred one if it is ready, otherwise the newest ready one. A Pod that was chosen itself
 * need not be ready, so that what is wrong with it can be found.
 * @throws DomainError `resource_refused` if no Pod fits now
 */
export async function findPod(
  api: ResourceApi,
  to: ForwardTo,
  object: KubernetesObject,
  preferred?: string,
): Promise<KubernetesObject> {
  const what = nameOfTarget(to);
  if (to.plural === 'pods') {
    if (isRunning(object)) return object;
    throw new DomainError('resource_refused', `${what} is not running.`);
  }
  const { selector } = specOf(object);
  const labelSelector = selectorText(
    to.plural === 'services' ? { matchLabels: labels(selector) } : labelSelectorOf(selector),
  );
  if (labelSelector === '') {
    throw new DomainError('resource_refused', `${what} selects no Pods, so Slipway cannot forward to it.`);
  }
  const pods = await api.list(PODS, { namespace: to.namespace, labelSelector });
  const [newest, ...others] = pods
    .filter((pod) => isRunning(pod) && hasCondition(pod, 'Ready'))
    .sort((one, other) => createdAt(other).localeCompare(createdAt(one)));
  if (!newest) throw new DomainError('resource_refused', `${what} has no ready Pod.`);
  return others.find(({ metadata }) => metadata.name === preferred) ?? newest;
}

function createdAt({ metadata }: KubernetesObject): string {
  return metadata.creationTimestamp ?? '';
}

/** Whether a Pod runs and is not being deleted. */
export function isRunning(pod: KubernetesObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && statusOf(pod).phase === 'Running';
}
