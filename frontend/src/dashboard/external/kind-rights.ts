import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { sameJson } from '../../shared/format/same-json';
import { rawText } from '../../shared/format/raw-text';
import { ClustersStore } from '../../shared/live/clusters-store';
import { kindKey } from '../resource-model/kind-labels';
import { type ExternalCluster, isExternal } from './external-labels';

type Kind = Pick<ResourceTypeDto, 'group' | 'plural'>;
/** By kind: the verbs that the user surely may not use in a namespace. */
type Forbidden = ReadonlyMap<string, readonly string[]>;

/** As long as the server remembers what the user may do. */
const FRESH_MS = 60_000;
/** Of more namespaces nothing is read, and nothing is disabled. */
const MAX_NAMESPACES = 5;
/** Verbs that change an object; either may be used. */
export const CHANGE = ['patch', 'update'] as const;

/** Verbs that are forbidden to the users of external clusters, by cluster and namespace. Unknown until they are read. */
@Service()
class KindRights {
  private readonly api = inject(Api);
  private readonly readAt = new Map<string, number>();
  private readonly known = signal<ReadonlyMap<string, Forbidden>>(new Map());

  /** Reads rights that are missing or older than a minute. If that fails, the server's refusals say it. */
  read(cluster: ExternalCluster, namespaces: readonly string[]): void {
    const { name, runtime } = cluster;
    for (const namespace of namespaces) {
      const id = addressOf(cluster, namespace);
      if (performance.now() - (this.readAt.get(id) ?? -Infinity) < FRESH_MS) continue;
      this.readAt.set(id, performance.now());
      this.api.get('/api/v1/clusters/{name}/resources', { name, runtime, namespace }).then(
        (types) => {
          const listed = types.filter(({ verbs }) => verbs.includes('list'));
          const forbidden = new Map(listed.map((type) => [kindKey(type), type.forbidden ?? []]));
          this.known.update((known) => new Map([...known, [id, forbidden]]));
        },
        () => undefined,
      );
    }
  }

  /** Whether none of the verbs may be used on a kind, or on any kind, in any of the namespaces. */
  areForbidden(
    cluster: ExternalCluster,
    namespaces: readonly string[],
    kind: Kind | null,
    verbs: readonly string[],
  ): boolean {
    return (
      namespaces.length > 0 &&
      namespaces.every((namespace) => {
        const known = this.known().get(addressOf(cluster, namespace));
        const kinds = kind ? [known?.get(kindKey(kind))] : [...(known?.values() ?? [])];
        return kinds.length > 0 && kinds.every((one) => verbs.every((verb) => one?.includes(verb)));
      })
    );
  }
}

function addressOf({ name, external }: ExternalCluster, namespace: string): string {
  return JSON.stringify([name, external.identity, namespace]);
}

/** Why the user of a cluster may not do something; null if that is allowed, or not known. */
export interface Rights {
  /** For `data-denied`, which disables a control. @param kind null for every kind */
  denied: (kind: Kind | null | undefined, verbs: readonly string[]) => string | null;
  unlisted: (kind: Kind) => string | null;
}

/**
 * Reads what the user may do in namespaces of a cluster; without any, in those that Slipway knows of. Requires an
 * injection context.
 */
export function rightsIn(
  scope: () => { key: ClusterKey | undefined; namespaces?: readonly (string | null)[] },
): Rights {
  const rights = inject(KindRights);
  const clusters = inject(ClustersStore);
  const cluster = computed(() => {
    const { key } = scope();
    const found = key && clusters.find(key.name, key.runtime);
    return isExternal(found) && found.state === 'running' ? found : undefined;
  });
  const namespaces = computed(
    () => {
      const { namespace = null, namespaces: typed = [] } = cluster()?.external ?? {};
      const own = namespace ?? 'default';
      // Rights on what has no namespace hold in each.
      const asked = [...new Set((scope().namespaces ?? []).map((one) => one ?? own))];
      const names = asked.length > 0 ? asked : [...new Set([own, ...typed])];
      return names.length > MAX_NAMESPACES ? [] : names;
    },
    { equal: sameJson },
  );
  effect(() => {
    const [found, names] = [cluster(), namespaces()];
    if (found) untracked(() => rights.read(found, names));
  });
  const refused = (kind: Kind | null, verbs: readonly string[]): ExternalCluster | undefined => {
    const found = cluster();
    return found && rights.areForbidden(found, namespaces(), kind, verbs) ? found : undefined;
  };
  return {
    denied: (kind, verbs) => {
      const [verb = ''] = verbs;
      if (kind === undefined || !refused(kind, verbs)) return null;
      if (kind === null) return $localize`You may not ${verb}:verb: objects in this cluster`;
      return $localize`You may not ${verb}:verb: ${kindKey(kind)}:kind: in this cluster`;
    },
    unlisted: (kind) => {
      const user = refused(kind, ['list'])?.external.user;
      if (user === undefined) return null;
      const who = user === null ? $localize`You` : rawText(user);
      return $localize`${who}:user: may not list ${kindKey(kind)}:kind: here`;
    },
  };
}
