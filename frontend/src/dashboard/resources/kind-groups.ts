import type { ResourceTypeDto } from '../../shared/api/api-types';
import { kindTitle } from './kind-labels';

export interface KindGroup {
  title: string;
  types: ResourceTypeDto[];
}

/** Built-in kinds by what one wants of them, in the order in which they are offered. */
const GROUPS: readonly { title: string; plurals: readonly string[] }[] = [
  {
    title: 'Workloads',
    plurals: [
      'pods',
      'deployments',
      'statefulsets',
      'daemonsets',
      'replicasets',
      'jobs',
      'cronjobs',
      'horizontalpodautoscalers',
      'poddisruptionbudgets',
      'replicationcontrollers',
    ],
  },
  {
    title: 'Network',
    plurals: ['services', 'endpointslices', 'ingresses', 'ingressclasses', 'networkpolicies', 'endpoints'],
  },
  {
    title: 'Config and storage',
    plurals: [
      'configmaps',
      'secrets',
      'persistentvolumeclaims',
      'persistentvolumes',
      'storageclasses',
      'volumeattachments',
    ],
  },
  {
    title: 'Access',
    plurals: ['serviceaccounts', 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  },
  { title: 'Cluster', plurals: ['nodes', 'namespaces', 'events', 'customresourcedefinitions'] },
];
export const OTHER_KINDS = 'Other';

/** Kinds that can be listed, grouped: the usual ones first, custom ones by the group that serves them. */
export function groupKinds(types: readonly ResourceTypeDto[]): KindGroup[] {
  const listed = types.filter(({ verbs }) => verbs.includes('list'));
  const builtIn = listed.filter(({ custom, group, plural }) => !custom && !isOldEvents(group, plural));
  const groups = GROUPS.map(({ title, plurals }) => ({
    title,
    types: plurals.flatMap((plural) => builtIn.filter((type) => type.plural === plural)),
  }));
  const grouped = new Set(groups.flatMap((group) => group.types));
  const others = new Map<string, ResourceTypeDto[]>();
  for (const type of listed) {
    if (grouped.has(type) || isOldEvents(type.group, type.plural)) continue;
    const title = type.custom ? type.group : OTHER_KINDS;
    others.set(title, [...(others.get(title) ?? []), type]);
  }
  const titles = [...others.keys()].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const rest = titles.map((title) => ({
    title,
    types: (others.get(title) ?? []).sort((one, other) => (kindTitle(one) < kindTitle(other) ? -1 : 1)),
  }));
  return [...groups, ...rest].filter((group) => group.types.length > 0);
}

/** Events are served twice, by one store; kubectl lists those of the core group. */
function isOldEvents(group: string, plural: string): boolean {
  return plural === 'events' && group !== 'core';
}

/** What is not custom comes before what is. */
function rank(title: string): number {
  return title === OTHER_KINDS ? 0 : 1;
}
