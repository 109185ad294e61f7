import type { ApiType } from './api-types.js';
import { apiVersionOf } from './api-types.js';

const SUBRESOURCE_VERBS: Readonly<Record<string, string[]>> = { eviction: ['create'] };
const SUBRESOURCE_KINDS: Readonly<Record<string, { group: string; version: string; kind: string }>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
};

/** Aggregated discovery, of the core group (`/api`) or of all others (`/apis`). */
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
        resources: served
          .toSorted((one, other) => (one.plural < other.plural ? -1 : 1))
          .map((type) => discovered(type)),
        freshness: 'Current',
      })),
    })),
  };
}

function discovered(type: ApiType): object {
  const { group, version, plural, kind, singular, namespaced, verbs, shortNames, categories } = type;
  const subresources = type.subresources.map((subresource) => ({
    subresource,
    responseKind: SUBRESOURCE_KINDS[subresource] ?? { group, version, kind },
    verbs: SUBRESOURCE_VERBS[subresource] ?? ['get', 'patch', 'update'],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

/** What a client gets that does not ask for the aggregated form: one group and version. */
export function resourceList(types: readonly ApiType[], group: string, version: string): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: types
      .filter((type) => type.group === group && type.version === version)
      .map(({ plural, singular, namespaced, kind, verbs, shortNames, categories }) => ({
        name: plural,
        singularName: singular,
        namespaced,
        kind,
        verbs,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
      })),
  };
}
