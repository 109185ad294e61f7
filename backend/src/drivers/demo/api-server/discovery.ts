import type { ApiType } from './api-types.js';

/** Aggregated discovery of the core group (`/api`) or of all others (`/apis`). */
export function aggregatedDiscovery(types: readonly ApiType[], core: boolean): object {
  const groups = new Map<string, Map<string, ApiType[]>>();
  for (const type of types.filter(({ group }) => (group === '') === core)) {
    const versions = groups.get(type.group) ?? new Map<string, ApiType[]>();
    versions.set(type.version, [...(versions.get(type.version) ?? []), type]);
    groups.set(type.group, versions);
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([group, versions]) => ({
      metadata: group === '' ? {} : { name: group },
      versions: [...versions].map(([version, served]) => ({
        version,
        resources: served.map(resourceOf),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceOf({ group, version, plural, kind, namespaced, verbs, shortNames }: ApiType): object {
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  return { resource: plural, responseKind: { group, version, kind }, scope, verbs, shortNames };
}
