import type { ResourceHealth, ResourceTypeDto } from '../../shared/api/api-types';
import type { ShownState } from '../../shared/ui/state-styles';

/** `NetworkPolicies` of `NetworkPolicy` and `networkpolicies`: the kind's own capitals, the server's own plural. */
export function kindTitle({ kind, plural }: Pick<ResourceTypeDto, 'kind' | 'plural'>): string {
  const singular = kind.toLowerCase();
  let same = 0;
  while (same < singular.length && singular[same] === plural[same]) same += 1;
  // But for the last letter, as with Policy: other plurals are words of their own, such as `pods` of PodMetrics.
  return same < singular.length - 1 ? kind : kind.slice(0, same) + plural.slice(same);
}

/** Where there is little room: words that people say. */
const SHORT: Readonly<Record<string, string>> = {
  horizontalpodautoscalers: 'Autoscalers',
  poddisruptionbudgets: 'Disruption budgets',
  persistentvolumes: 'Volumes',
  persistentvolumeclaims: 'Volume claims',
  customresourcedefinitions: 'Resource definitions',
};

export function shortTitle(type: Pick<ResourceTypeDto, 'kind' | 'plural' | 'custom'>): string {
  return (type.custom ? undefined : SHORT[type.plural]) ?? kindTitle(type);
}

/** `deployments.apps`, as kubectl and the overview name a kind; of the core group, `pods`. */
export function kindKey({ group, plural }: Pick<ResourceTypeDto, 'group' | 'plural'>): string {
  return group === 'core' ? plural : `${plural}.${group}`;
}

/** How health looks; kinds that have none get no mark. */
export const HEALTH_STATES: Readonly<Record<Exclude<ResourceHealth, 'none'>, ShownState>> = {
  ok: 'running',
  progressing: 'creating',
  warning: 'warning',
  failed: 'failed',
  ended: 'succeeded',
};

export const HEALTH_LABELS: Readonly<Record<ResourceHealth, string>> = {
  ok: 'Fine',
  progressing: 'On its way',
  warning: 'Needs attention',
  failed: 'Failed',
  ended: 'Ended',
  none: '',
};
