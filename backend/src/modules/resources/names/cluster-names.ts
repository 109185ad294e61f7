import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import { ClusterResources, type OpenCluster } from '../cluster-resources.js';
import { overviewKinds } from '../overview/built-in-kinds.js';
import { mapConcurrently } from '../overview/map-concurrently.js';
import { listRows } from '../watch/printed-row.js';
import { keyOfCluster, TableWatches } from '../watch/table-watches.js';

/** Of each kind. */
const MAX_NAMES = 10_000;
/** The next letter of a search comes sooner than this. */
const FRESH_MS = 15_000;
const LISTS_AT_ONCE = 4;
/** A list that nobody waits for any more still fills the cache. */
const LIST_DEADLINE_MS = 10_000;

export interface NamedObject {
  namespace: string | null;
  name: string;
}

export interface NamesOfKind {
  type: ResourceType;
  names: readonly NamedObject[];
}

/** What is in a cluster by name, as far as it was found out. */
export interface FoundNames {
  /** In the order of an overview: what people look for comes first. */
  kinds: NamesOfKind[];
  /** Why it is not everything, or null. */
  reason: string | null;
}

interface Kept {
  since: number;
  /** Names, or why there are none; `isCut` where there are more. */
  names: Promise<{ names: NamedObject[]; isCut: boolean } | DomainError>;
}

/** The names of all objects in a cluster: from watches where there are some, else from lists that are kept a moment. */
@Injectable()
export class ClusterNames {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
  ) {}

  /**
   * What could be found within a time.
   * @throws DomainError where the cluster cannot be asked at all
   */
  async within(milliseconds: number, cluster: Cluster): Promise<FoundNames> {
    const found = new Map<ResourceType, readonly NamedObject[]>();
    const notes: string[] = [];
    let types: ResourceType[] | undefined;
    const search = async (): Promise<void> => {
      const open = { cluster, api: await this.resources.apiOf(cluster) };
      types = searched(await open.api.types());
      await mapConcurrently(types, LISTS_AT_ONCE, async (type) => {
        const names = await this.namesOf(open, type);
        if (names instanceof DomainError) notes.push(names.message);
        else {
          found.set(type, names.names);
          if (names.isCut) notes.push(`Of its ${type.plural} only ${MAX_NAMES} were searched.`);
        }
      });
    };
    const isWhole = await inTime(search(), milliseconds);
    if (!types) throw new DomainError('cluster_unreachable', `${cluster.name} did not answer in time.`);
    const kinds = types.flatMap((type) => {
      const names = found.get(type);
      return names ? [{ type, names }] : [];
    });
    if (!isWhole) notes.unshift(`${kinds.length} of ${types.length} kinds were searched in time.`);
    return { kinds, reason: notes.length === 0 ? null : [...new Set(notes)].slice(0, 3).join(' ') };
  }

  private async namesOf(open: OpenCluster, type: ResourceType): Promise<Awaited<Kept['names']>> {
    const watched = this.watches.ready(open.cluster, type);
    if (watched) return { names: watched.inOrder().map(({ row }) => row), isCut: false };
    const now = performance.now();
    for (const [key, { since }] of this.kept) if (now - since > FRESH_MS) this.kept.delete(key);
    const key = `${keyOfCluster(open.cluster)} ${type.group}/${type.version}/${type.plural}`;
    const kept = this.kept.get(key) ?? { since: now, names: list(open, type) };
    this.kept.set(key, kept);
    return await kept.names;
  }
}

async function list({ api }: OpenCluster, type: ResourceType): Promise<Awaited<Kept['names']>> {
  try {
    const { rows, continue: next } = await listRows(api, type, MAX_NAMES, { deadlineMs: LIST_DEADLINE_MS });
    const names = rows.map(({ row: { namespace, name } }) => ({ namespace, name }));
    return { names, isCut: next !== null };
  } catch (error) {
    if (error instanceof DomainError) return error;
    return new DomainError('cluster_unreachable', `Its ${type.plural} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Events are named after what they are about, and measurements as what they are of: both would be found twice. */
function searched(types: readonly ResourceType[]): ResourceType[] {
  return overviewKinds(types)
    .filter(({ served, type }) => served && type.plural !== 'events' && type.group !== 'metrics.k8s.io')
    .map(({ type }) => type);
}

/** Whether something ended within a time; what it throws until then is thrown. */
async function inTime(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  // It goes on when nobody waits for it any more, and may fail then.
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), patience]);
  } finally {
    clearTimeout(timer);
  }
}
