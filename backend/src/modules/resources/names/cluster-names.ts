import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import { ClusterResources, type OpenCluster } from '../common/cluster-resources.js';
import { overviewKinds } from '../overview/built-in-kinds.js';
import { listRows } from '../watch/printed-row.js';
import { keyOfCluster, TableWatches } from '../watch/table-watches.js';

/** Per kind. */
const MAX_NAMES = 10_000;
/** Covers the letters of one search. */
const FRESH_MS = 15_000;
const CONCURRENT_LISTS = 4;
/** Longer than a search waits: a late list still fills the cache. */
const LIST_DEADLINE_MS = 10_000;

export interface NamedObject {
  namespace: string | null;
  name: string;
}

export interface NamesOfKind {
  type: ResourceType;
  names: readonly NamedObject[];
}

export interface FoundNames {
  /** In the order of the overview, which starts with the most common kinds. */
  kinds: NamesOfKind[];
  /** Why names are missing; null if the search was complete. */
  reason: string | null;
}

interface CachedNames {
  since: number;
  names: Promise<{ names: NamedObject[]; isTruncated: boolean } | DomainError>;
}

/** The names of all objects in a cluster, from open watches or from cached lists. */
@Injectable()
export class ClusterNames {
  private readonly cache = new Map<string, CachedNames>();

  constructor(
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
  ) {}

  /**
   * The names that can be read within a time.
   * @throws DomainError if the cluster is unreachable
   */
  async within(milliseconds: number, cluster: Cluster): Promise<FoundNames> {
    const found = new Map<ResourceType, readonly NamedObject[]>();
    const notes: string[] = [];
    let types: ResourceType[] | undefined;
    const search = async (): Promise<void> => {
      const open = { cluster, api: await this.resources.apiOf(cluster) };
      types = searchableTypes(await open.api.types());
      await mapConcurrently(types, CONCURRENT_LISTS, async (type) => {
        const names = await this.namesOf(open, type);
        if (names instanceof DomainError) notes.push(names.message);
        else {
          found.set(type, names.names);
          if (names.isTruncated) notes.push(`Only ${MAX_NAMES} ${type.plural} were searched.`);
        }
      });
    };
    const isComplete = await finishesWithin(search(), milliseconds);
    if (!types) throw new DomainError('cluster_unreachable', `${cluster.name} did not respond in time.`);
    const kinds = types.flatMap((type) => {
      const names = found.get(type);
      return names ? [{ type, names }] : [];
    });
    if (!isComplete) notes.unshift(`${kinds.length} of ${types.length} kinds were searched in time.`);
    return { kinds, reason: notes.length === 0 ? null : [...new Set(notes)].slice(0, 3).join(' ') };
  }

  private async namesOf(open: OpenCluster, type: ResourceType): Promise<Awaited<CachedNames['names']>> {
    const watched = this.watches.ready(open.cluster, type);
    if (watched) return { names: watched.inOrder().map(({ row }) => row), isTruncated: false };
    const now = performance.now();
    for (const [key, { since }] of this.cache) if (now - since > FRESH_MS) this.cache.delete(key);
    const key = `${keyOfCluster(open.cluster)} ${type.group}/${type.version}/${type.plural}`;
    const cached = this.cache.get(key) ?? { since: now, names: list(open, type) };
    this.cache.set(key, cached);
    return await cached.names;
  }
}

async function list({ api }: OpenCluster, type: ResourceType): Promise<Awaited<CachedNames['names']>> {
  try {
    const { rows, continue: next } = await listRows(api, type, MAX_NAMES, { deadlineMs: LIST_DEADLINE_MS });
    const names = rows.map(({ row: { namespace, name } }) => ({ namespace, name }));
    return { names, isTruncated: next !== null };
  } catch (error) {
    if (error instanceof DomainError) return error;
    return new DomainError('cluster_unreachable', `Could not read ${type.plural}: ${reasonOf(error)}.`);
  }
}

/** Without events and metrics, whose names repeat those of other objects. */
function searchableTypes(types: readonly ResourceType[]): ResourceType[] {
  return overviewKinds(types)
    .filter(({ served, type }) => served && type.plural !== 'events' && type.group !== 'metrics.k8s.io')
    .map(({ type }) => type);
}

/** @throws what the work throws within the time */
async function finishesWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  // It continues after the timeout and may still fail.
  work.catch(() => undefined);
  return await Promise.race([work.then(() => true), delay(milliseconds, false, { ref: false })]);
}
