import { asSentence } from '../../shared/format/format';
import type { SearchAnswerDto } from '../../shared/api/api-types';

const NAMED = 2;

/** Which clusters a search could not look into, and why; and that there is more than is shown. */
export function unsearchedNotes({
  clusters,
  truncated,
}: Pick<SearchAnswerDto, 'clusters' | 'truncated'>): string[] {
  const left = clusters.filter(({ searched, reason }) => !searched || reason !== null);
  const told = left
    .slice(0, NAMED)
    .map(
      ({ cluster, searched, reason }) =>
        `${cluster} was not searched${searched ? ' whole' : ''}: ${asSentence(reason ?? 'it did not say why')}`,
    );
  const rest = left.slice(NAMED).map(({ cluster }) => cluster);
  return [
    ...told,
    ...(rest.length > 0 ? [`Nor were ${rest.join(', ')}.`] : []),
    ...(truncated ? ['More names fit than are shown. Type on to narrow them.'] : []),
  ];
}
