import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { ClustersService, type Cluster } from '../clusters/index.js';
import { ClusterNames, presentGroup, unavailableError, type FoundNames } from '../resources/index.js';
import { NameQuery, type Fit } from './name-query.js';
import type { SearchQueryDto, SearchResponseDto, SearchedClusterDto, SearchResultDto } from './search.dto.js';

/** Per cluster. Later results are omitted, with a note. */
const TIMEOUT_MS = 2000;

type SearchScope = Pick<SearchQueryDto, 'cluster' | 'runtime'>;

interface Ranked {
  fit: Fit;
  /** Position of its kind: common kinds first. */
  kindIndex: number;
  result: SearchResultDto;
}

@Injectable()
export class SearchService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly names: ClusterNames,
  ) {}

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async find(text: string, limit: number, scope: SearchScope): Promise<SearchResponseDto> {
    const query = new NameQuery(text);
    const clusters = await this.clustersIn(scope);
    const found: Ranked[] = [];
    const searched = await Promise.all(
      clusters.map(async (cluster): Promise<SearchedClusterDto> => {
        const { name, runtime } = cluster;
        if (unavailableError(cluster)) {
          return { cluster: name, runtime, searched: false, reason: stateOf(cluster) };
        }
        const names = await this.namesIn(cluster);
        if (names instanceof DomainError) {
          return { cluster: name, runtime, searched: false, reason: names.message };
        }
        found.push(...rank(query, cluster, names));
        return { cluster: name, runtime, searched: true, reason: names.reason };
      }),
    );
    found.sort(byRank);
    return {
      results: found.slice(0, limit).map(({ result }) => result),
      clusters: searched,
      truncated: found.length > limit,
    };
  }

  private async clustersIn({ cluster, runtime }: SearchScope): Promise<Cluster[]> {
    if (cluster !== undefined) return [await this.clusters.get(cluster, runtime)];
    const clusters = await this.clusters.list();
    return clusters.filter((each) => runtime === undefined || each.runtime === runtime);
  }

  private async namesIn(cluster: Cluster): Promise<FoundNames | DomainError> {
    try {
      return await this.names.within(TIMEOUT_MS, cluster);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }
}

/** Short, since every search contains it: the cluster itself tells why, and what to do. */
function stateOf({ state, state_reason: reason }: Cluster): string {
  return state === 'unknown' ? `it could not be reached: ${reason ?? 'unknown reason'}` : `it is ${state}`;
}

function rank(query: NameQuery, { name: cluster, runtime }: Cluster, { kinds }: FoundNames): Ranked[] {
  return kinds.flatMap(({ type, names }, kindIndex) => {
    const fitOf = query.matcher(type);
    const { group, version, plural, kind } = type;
    return names.flatMap((object) => {
      const fit = fitOf(object);
      if (fit === undefined) return [];
      const { namespace, name } = object;
      const result = { cluster, runtime, group: presentGroup(group), version, plural, kind, namespace, name };
      return [{ fit, kindIndex, result }];
    });
  });
}

function byRank(one: Ranked, other: Ranked): number {
  return (
    one.fit - other.fit ||
    one.kindIndex - other.kindIndex ||
    one.result.name.localeCompare(other.result.name, 'en', { numeric: true }) ||
    one.result.cluster.localeCompare(other.result.cluster)
  );
}
