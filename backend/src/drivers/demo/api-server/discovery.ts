import type { ApiType } from './api-types.js';

/** Aggregated discovery of the core group (`/api`) or of all others (`/apis`). */
export function aggregatedDiscovery(types: readonly ApiType[], core: boolean): object {
  const wanted = types.filter(({ group }) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...Map.groupBy(wanted, ({ group }) => group)].map(([group, members]) => ({
      metadata: group === '' ? {} : { name: group },
      versions: [...Map.groupBy(members, ({ version }) => version)].map(([version, served]) => ({
        version,
        resources: served.map(resourceOf),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceOf({
  group,
  version,
  plural,
  kind,
  namespaced,
  verbs,
  shortNames,
  ...type
}: ApiType): object {
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  const subresources = type.subresources.map((subresource) => ({ subresource }));
  return { resource: plural, responseKind: { group, version, kind }, scope, verbs, shortNames, subresources };
}
