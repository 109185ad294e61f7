import type { ResourceTypeDto } from '../../shared/api/api-types';
import { kindTitle } from '../resource-model/kind-labels';

export interface KindGroup {
  title: string;
  types: ResourceTypeDto[];
}

/** Built-in kinds by purpose, in display order. */
const GROUPS: readonly { title: string; plurals: readonly string[] }[] = [
  {
    title: $localize`Workloads`,
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
    title: $localize`Network`,
    plurals: ['services', 'endpointslices', 'ingresses', 'ingressclasses', 'networkpolicies', 'endpoints'],
  },
  {
    title: $localize`Config`,
    plurals: ['configmaps', 'secrets', 'resourcequotas', 'limitranges'],
  },
  {
    title: $localize`Storage`,
    plurals: ['persistentvolumeclaims', 'persistentvolumes', 'storageclasses', 'volumeattachments'],
  },
  {
    title: $localize`Access control`,
    plurals: ['serviceaccounts', 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  },
  { title: $localize`Cluster`, plurals: ['nodes', 'namespaces', 'events', 'customresourcedefinitions'] },
];
export const OTHER_KINDS = $localize`Other`;

/** Kinds that can be listed: built-in kinds by purpose first, then custom kinds by API group. */
export function groupKinds(types: readonly ResourceTypeDto[]): KindGroup[] {
  const listed = types.filter(({ verbs }) => verbs.includes('list'));
  const builtIn = listed.filter(({ custom, group, plural }) => !custom && !isDuplicateEvents(group, plural));
  const groups = GROUPS.map(({ title, plurals }) => ({
    title,
    types: plurals.flatMap((plural) => builtIn.filter((type) => type.plural === plural)),
  }));
  const grouped = new Set(groups.flatMap((group) => group.types));
  const others = Map.groupBy(
    listed.filter((type) => !grouped.has(type) && !isDuplicateEvents(type.group, type.plural)),
    ({ custom, group }) => (custom ? group : OTHER_KINDS),
  );
  const titles = [...others.keys()].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const rest = titles.map((title) => ({
    title,
    types: (others.get(title) ?? []).sort((one, other) => (kindTitle(one) < kindTitle(other) ? -1 : 1)),
  }));
  return [...groups, ...rest].filter((group) => group.types.length > 0);
}

/** Both API groups serve the same events; kubectl lists those of the core group. */
function isDuplicateEvents(group: string, plural: string): boolean {
  return plural === 'events' && group !== 'core';
}

function rank(title: string): number {
  return title === OTHER_KINDS ? 0 : 1;
}
