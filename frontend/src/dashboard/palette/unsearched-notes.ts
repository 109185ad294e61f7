import { asSentence } from '../../shared/format/format';
import type { SearchResponseDto } from '../../shared/api/api-types';

const MAX_NAMED = 2;

/** Clusters that were not searched completely, with reasons, and whether there are more results. */
export function unsearchedNotes({
  clusters,
  truncated,
}: Pick<SearchResponseDto, 'clusters' | 'truncated'>): string[] {
  const incomplete = clusters.filter(({ searched, reason }) => !searched || reason !== null);
  const notes = incomplete
    .slice(0, MAX_NAMED)
    .map(({ cluster, searched, reason }) =>
      searched
        ? $localize`Cluster ${cluster}:cluster: was only partly searched. ${reasonOf(reason)}:reason:`
        : $localize`Cluster ${cluster}:cluster: was not searched. ${reasonOf(reason)}:reason:`,
    );
  const rest = incomplete.slice(MAX_NAMED).map(({ cluster }) => cluster);
  return [
    ...notes,
    ...(rest.length > 0 ? [$localize`Not searched: ${rest.join(', ')}:clusters:.`] : []),
    ...(truncated ? [$localize`More objects match. Type more to narrow the results.`] : []),
  ];
}

function reasonOf(reason: string | null): string {
  return asSentence(reason ?? $localize`Reason unknown`);
}
