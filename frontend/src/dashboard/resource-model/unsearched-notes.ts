import { asSentence, clusterCount, formatList } from '../../shared/format/format';
import type { SearchResponseDto } from '../../shared/api/api-types';

type SearchedCluster = SearchResponseDto['clusters'][number];

/** Clusters that were not searched completely, with the reason of a single one, and whether there are more results. */
export function unsearchedNotes({
  clusters,
  truncated,
}: Pick<SearchResponseDto, 'clusters' | 'truncated'>): string[] {
  const incomplete = clusters.filter(({ searched, reason }) => !searched || reason !== null);
  const [only] = incomplete;
  return [
    ...(only ? [incomplete.length === 1 ? noteOf(only) : summaryOf(incomplete)] : []),
    ...(truncated ? [$localize`More objects match. Type more to narrow the results.`] : []),
  ];
}

function noteOf({ cluster, searched, reason }: SearchedCluster): string {
  return searched
    ? $localize`Cluster ${cluster}:cluster: was only partly searched. ${reasonOf(reason)}:reason:`
    : $localize`Cluster ${cluster}:cluster: was not searched. ${reasonOf(reason)}:reason:`;
}

/** One line, however many clusters are stopped. */
function summaryOf(incomplete: readonly SearchedCluster[]): string {
  const count = clusterCount(incomplete.length);
  const names = formatList(incomplete.map(({ cluster }) => cluster));
  return incomplete.some(({ searched }) => searched)
    ? $localize`${count}:clusters: not searched completely: ${names}:names:.`
    : $localize`${count}:clusters: not searched: ${names}:names:.`;
}

function reasonOf(reason: string | null): string {
  return asSentence(reason ?? $localize`Reason unknown`);
}
