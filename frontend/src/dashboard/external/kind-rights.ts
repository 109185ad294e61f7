import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceAction, ResourceTypeDto } from '../../shared/api/api-types';
import { formatList } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { rawText } from '../../shared/format/raw-text';
import { ClustersStore } from '../../shared/live/clusters-store';
import { kindKey } from '../resource-model/kind-labels';
import { isPodType } from '../resource-model/resource-address';
import { type ExternalCluster, isExternal } from './external-labels';

type Kind = Pick<ResourceTypeDto, 'group' | 'plural'>;
/** By kind: the verbs that the user surely may not use in a namespace. Those of a subresource are like `create exec`. */
type Forbidden = ReadonlyMap<string, readonly string[]>;
/** Actions on an object. */
export type ObjectAction =
  ResourceAction | 'undo' | 'delete' | 'read' | 'shell' | 'debug' | 'files' | 'forward' | 'logs';
/** Verbs of a kind, of which one must be allowed; null for the kind of the object. */
type Need = readonly [kind: Kind | null, ...verbs: string[]];

/** As long as the server remembers what the user may do. */
const FRESH_MS = 60_000;
/** Of more namespaces nothing is read, and nothing is disabled. */
const MAX_NAMESPACES = 5;
const PODS = { group: 'core', plural: 'pods' };
const CHANGE: Need = [null, 'patch', 'update'];
const DELETE: Need = [null, 'delete'];
// A WebSocket is a GET. Kubernetes also checks `create` for it from 1.35 on, which is named first.
const EXEC: readonly Need[] = [
  [PODS, 'create exec'],
  [PODS, 'get exec'],
];
const SINCE_1_35: readonly (string | undefined)[] = ['create exec', 'create portforward'];
/** All that an action needs, if it is more than a change of the object. */
const NEEDS: Partial<Record<ObjectAction, readonly Need[]>> = {
  'restart-pod': [DELETE],
  delete: [DELETE],
  read: [[null, 'get']],
  scale: [[null, 'patch scale']],
  expose: [[{ group: 'core', plural: 'services' }, 'create']],
  run: [[{ group: 'batch', plural: 'jobs' }, 'create']],
  shell: EXEC,
  files: EXEC,
  debug: [[PODS, 'patch ephemeralcontainers'], ...EXEC],
  forward: [
    [PODS, 'create portforward'],
    [PODS, 'get portforward'],
  ],
  logs: [[PODS, 'get log']],
};

/** Why the user of a cluster may not do something; null if that is allowed, or not known. */
export interface Rights {
  /**
   * For `data-denied`, which disables a control.
   * @param kind null for every kind
   * @param verbs of which one must be allowed
   */
  denied: (kind: Kind | null | undefined, verbs: readonly string[]) => string | null;
  /** As `denied`, for an action on an object of a kind. */
  deniedAction: (action: ObjectAction, type: Kind | undefined) => string | null;
  unlisted: (kind: Kind) => string | null;
}

/** Verbs that are forbidden to the users of external clusters, by cluster and namespace. Unknown until they are read. */
@Service()
export class KindRights {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly reads = new Map<string, { at: number; done: Promise<void> }>();
  private readonly known = signal<ReadonlyMap<string, Forbidden>>(new Map());

  /** Reads rights that are missing or older than a minute. If that fails, the server's refusals say it. */
  async read(cluster: ExternalCluster | undefined, namespaces: readonly string[]): Promise<void> {
    if (!cluster) return;
    const { name, runtime } = cluster;
    const reads = namespaces.map((namespace) => {
      const id = addressOf(cluster, namespace);
      const known = this.reads.get(id);
      if (known && performance.now() - known.at < FRESH_MS) return known.done;
      const done = this.api.get('/api/v1/clusters/{name}/resources', { name, runtime, namespace }).then(
        (types) => {
          const listed = types.filter(({ verbs }) => verbs.includes('list'));
          const forbidden = new Map(listed.map((type) => [kindKey(type), type.forbidden ?? []]));
          this.known.update((all) => new Map([...all, [id, forbidden]]));
        },
        () => undefined,
      );
      this.reads.set(id, { at: performance.now(), done });
      return done;
    });
    await Promise.all(reads);
  }

  /** An external cluster whose rights can be read. */
  find(key: ClusterKey | undefined): ExternalCluster | undefined {
    const found = key && this.clusters.find(key.name, key.runtime);
    return isExternal(found) && found.state === 'running' ? found : undefined;
  }

  /** On an object, as far as they are known. */
  on(key: ClusterKey, namespace: string | null): Rights {
    const cluster = this.find(key);
    return this.in(cluster, [namespace]);
  }

  /** As `on`, after they are read. */
  async readOn(key: ClusterKey, namespace: string | null): Promise<Rights> {
    const cluster = this.find(key);
    await this.read(cluster, namesIn(cluster, [namespace]));
    return this.on(key, namespace);
  }

  /** In all of the namespaces; null for what has no namespace. */
  in(cluster: ExternalCluster | undefined, asked: readonly (string | null)[]): Rights {
    const namespaces = namesIn(cluster, asked);
    const where = asked.includes(null)
      ? $localize`in this cluster`
      : namespaces.length === 1
        ? $localize`in namespace ${namespaces[0]}:namespace:`
        : $localize`in the namespaces ${formatList(namespaces)}:namespaces:`;
    const refused = (kind: Kind | null, verbs: readonly string[]): ExternalCluster | undefined =>
      cluster && this.areForbidden(cluster, namespaces, kind, verbs) ? cluster : undefined;
    const denied: Rights['denied'] = (kind, verbs) => {
      const [verb = '', part] = verbs[0]?.split(' ') ?? [];
      if (kind === undefined || !refused(kind, verbs)) return null;
      if (kind === null) return $localize`You may not ${verb}:verb: objects ${where}:where:`;
      const what = part === undefined ? kindKey(kind) : `${kindKey(kind)}/${part}`;
      return $localize`You may not ${verb}:verb: ${what}:kind: ${where}:where:`;
    };
    return {
      denied,
      deniedAction: (action, type) => {
        const isDeletion = action === 'restart' && type && isPodType(type);
        for (const [kind, ...verbs] of isDeletion ? [DELETE] : (NEEDS[action] ?? [CHANGE])) {
          if (SINCE_1_35.includes(verbs[0]) && !isSince135(cluster)) continue;
          const reason = denied(kind ?? type, verbs);
          if (reason !== null) return reason;
        }
        return null;
      },
      unlisted: (kind) => {
        const user = refused(kind, ['list'])?.external.user;
        if (user === undefined) return null;
        const who = user === null ? $localize`You` : rawText(user);
        return $localize`${who}:user: may not list ${kindKey(kind)}:kind: here`;
      },
    };
  }

  /** Whether none of the verbs may be used on a kind, or on any kind, in any of the namespaces. */
  private areForbidden(
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

/** False for an unknown version: what the server would allow is not disabled. */
function isSince135(cluster: ExternalCluster | undefined): boolean {
  return Number(/^v1\.(\d+)/.exec(cluster?.kubernetes_version ?? '')?.[1]) >= 35;
}

function addressOf({ name, external }: ExternalCluster, namespace: string): string {
  return JSON.stringify([name, external.identity, namespace]);
}

/** Rights on what has no namespace hold in each. */
function namesIn(cluster: ExternalCluster | undefined, namespaces: readonly (string | null)[]): string[] {
  const own = cluster?.external.namespace ?? 'default';
  return [...new Set(namespaces.map((one) => one ?? own))];
}

/**
 * Reads what the user may do in namespaces of a cluster; without any, in those that Slipway knows of. Requires an
 * injection context.
 */
export function rightsIn(
  scope: () => { key: ClusterKey | undefined; namespaces?: readonly (string | null)[] },
): Rights {
  const rights = inject(KindRights);
  const cluster = computed(() => rights.find(scope().key));
  const namespaces = computed(
    (): readonly (string | null)[] => {
      const asked = [...new Set(scope().namespaces ?? [])];
      const known = namesIn(cluster(), [null, ...(cluster()?.external.namespaces ?? [])]);
      const names = asked.length > 0 ? asked : known;
      return names.length > MAX_NAMESPACES ? [] : names;
    },
    { equal: sameJson },
  );
  effect(() => {
    const [found, names] = [cluster(), namespaces()];
    untracked(() => void rights.read(found, namesIn(found, names)));
  });
  const found = computed(() => rights.in(cluster(), namespaces()));
  return {
    denied: (...asked) => found().denied(...asked),
    deniedAction: (...asked) => found().deniedAction(...asked),
    unlisted: (kind) => found().unlisted(kind),
  };
}
