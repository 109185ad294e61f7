import type { ApiType } from './api-types.js';

const SUBRESOURCE_KINDS: Readonly<Record<string, { group: string; version: string; kind: string }>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
};

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

function resourceOf(type: ApiType): object {
  const { group, version, plural, kind, singular, namespaced, verbs, shortNames, categories } = type;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    shortNames,
    categories,
    subresources: type.subresources.map((subresource) => ({
      subresource,
      responseKind: SUBRESOURCE_KINDS[subresource] ?? { group, version, kind },
      verbs: subresource === 'eviction' ? ['create'] : ['get', 'patch', 'update'],
    })),
  };
}
