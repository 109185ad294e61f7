import { formatFull, plural } from '../../shared/format/format';
import { chipsOf, readQuery } from '../logs/query/log-query';
import { choiceSummary, readChoice } from '../logs/tree/source-choice';

/** The conditions of a saved search, as a short phrase. */
export function searchSummary(query: string): string {
  const params = new URLSearchParams(query);
  const wanted = readQuery(params);
  const choice = readChoice(params);
  const { groups, keys } = choice;
  const parts = [
    wanted.text === ''
      ? ''
      : wanted.regex
        ? $localize`matching “${wanted.text}:text:”`
        : $localize`with “${wanted.text}:text:”`,
    ...chipsOf({ ...wanted, marks: [] }, formatFull).map(({ kind, word, value }) =>
      `${word} ${kind === 'without' && word === 'without' ? `“${value}”` : value}`.trim(),
    ),
    groups.length > 0
      ? choiceSummary(choice)
      : keys.length > 0
        ? $localize`of ${plural(keys.length, 'source')}:sources:`
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
