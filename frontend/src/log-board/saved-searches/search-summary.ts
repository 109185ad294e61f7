import { formatFull, sourceCount } from '../../shared/format/format';
import { chipsOf, readQuery } from '../../shared/search/log-query';
import { readSelection, selectionSummary } from '../search-model/source-selection';

export function searchSummary(query: string): string {
  const params = new URLSearchParams(query);
  const parsed = readQuery(params);
  const selection = readSelection(params);
  const { groups, keys } = selection;
  const parts = [
    parsed.text === ''
      ? ''
      : parsed.regex
        ? $localize`matching “${parsed.text}:text:”`
        : $localize`with “${parsed.text}:text:”`,
    { apps: $localize`of apps`, system: $localize`of the system`, all: '' }[parsed.scope ?? 'all'],
    ...chipsOf({ ...parsed, marks: [] }, formatFull).map(({ kind, word, value }) =>
      `${word} ${kind === 'without' && word === 'without' ? `“${value}”` : value}`.trim(),
    ),
    groups.length > 0
      ? selectionSummary(selection)
      : keys.length > 0
        ? $localize`of ${sourceCount(keys.length)}:sources:`
        : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || $localize`All lines`;
}

/** The query as router parameters; a repeated parameter becomes a list. */
export function searchParams(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}
