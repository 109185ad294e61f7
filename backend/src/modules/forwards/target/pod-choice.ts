import { DomainError } from '../../../core/errors/index.js';
import { labels } from '../../../core/parsing/index.js';
import {
  labelSelectorOf,
  PODS,
  specOf,
  statusOf,
  type KubernetesObject,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { nameOfTarget, type ForwardTo } from './forward-kinds.js';

type Requirement = NonNullable<ReturnType<typeof labelSelectorOf>['matchExpressions']>[number];

/** The label selector of an object's Pods as in a query; undefined if it has none. */
function selectorOf({ plural }: Pick<ForwardTo, 'plural'>, object: KubernetesObject): string | undefined {
  const { selector } = specOf(object);
  const { matchLabels = {}, matchExpressions = [] } =
    plural === 'services' ? { matchLabels: labels(selector) } : labelSelectorOf(selector);
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(requirementText),
  ];
  return parts.length > 0 ? parts.join(',') : undefined;
}

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
  const labelSelector = selectorOf(to, object);
  if (labelSelector === undefined) {
    throw new DomainError('resource_refused', `${what} selects no Pods, so Slipway cannot forward to it.`);
  }
  const pods = await api.list(PODS, { namespace: to.namespace, labelSelector });
  const [newest, ...others] = pods
    .filter((pod) => isRunning(pod) && isReady(pod))
    .sort((one, other) => createdAt(other).localeCompare(createdAt(one)));
  if (!newest) throw new DomainError('resource_refused', `${what} has no ready Pod.`);
  return others.find(({ metadata }) => metadata.name === preferred) ?? newest;
}

function requirementText({ key, operator, values = [] }: Requirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}

function createdAt({ metadata }: KubernetesObject): string {
  return metadata.creationTimestamp ?? '';
}

/** Whether a Pod runs and is not being deleted. */
export function isRunning(pod: KubernetesObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && statusOf(pod).phase === 'Running';
}

function isReady(pod: KubernetesObject): boolean {
  const { conditions = [] } = statusOf(pod);
  return conditions.some((one) => one.type === 'Ready' && one.status === 'True');
}
