import type { ResourceHealth, ResourceTypeDto } from '../../shared/api/api-types';
import type { ShownState } from '../../shared/ui/state-styles';

/** Plural with the kind's capitals: `NetworkPolicies` from `NetworkPolicy` and `networkpolicies`. */
export function kindTitle({ kind, plural }: Pick<ResourceTypeDto, 'kind' | 'plural'>): string {
  const singular = kind.toLowerCase();
  let same = 0;
  while (same < singular.length && singular[same] === plural[same]) same += 1;
  // The stem may lack the last letter, as in Policy. Other plurals are unrelated words, such as `pods` of PodMetrics.
  return same < singular.length - 1 ? kind : kind.slice(0, same) + plural.slice(same);
}

const SHORT: Readonly<Record<string, string>> = {
  horizontalpodautoscalers: $localize`Autoscalers`,
  poddisruptionbudgets: $localize`Disruption budgets`,
  persistentvolumes: $localize`Volumes`,
  persistentvolumeclaims: $localize`Volume claims`,
  customresourcedefinitions: $localize`CRDs`,
};

export function shortTitle(type: Pick<ResourceTypeDto, 'kind' | 'plural' | 'custom'>): string {
  return (type.custom ? undefined : SHORT[type.plural]) ?? kindTitle(type);
}

/** `deployments.apps`; `pods` in the core group, as in kubectl. */
export function kindKey({ group, plural }: Pick<ResourceTypeDto, 'group' | 'plural'>): string {
  return group === 'core' ? plural : `${plural}.${group}`;
}

/** The worst first. */
export const HEALTH_ORDER: readonly ResourceHealth[] = ['failed', 'warning', 'progressing', 'ok', 'ended'];

export const HEALTH_STATES: Readonly<Record<Exclude<ResourceHealth, 'none'>, ShownState>> = {
  ok: 'running',
  progressing: 'creating',
  warning: 'warning',
  failed: 'failed',
  ended: 'succeeded',
};

export const HEALTH_LABELS: Readonly<Record<ResourceHealth, string>> = {
  ok: $localize`Healthy`,
  progressing: $localize`In progress`,
  warning: $localize`Needs attention`,
  failed: $localize`Failed`,
  ended: $localize`Completed`,
  none: '',
};
