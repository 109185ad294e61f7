import { formatFull, plural } from '../../shared/format/format';
import { chipsOf, readQuery } from '../logs/query/log-query';
import { choiceSummary, readChoice } from '../logs/tree/source-choice';

/** What a saved search looks for, in a few words; not how that is shown. */
export function searchSummary(query: string): string {
  const params = new URLSearchParams(query);
  const wanted = readQuery(params);
  const choice = readChoice(params);
  const { groups, keys } = choice;
  const parts = [
    wanted.text === '' ? '' : `${wanted.regex ? 'matching' : 'with'} “${wanted.text}”`,
    ...chipsOf({ ...wanted, marks: [] }, formatFull).map(({ kind, word, value }) =>
      `${word} ${kind === 'without' && word === 'without' ? `“${value}”` : value}`.trim(),
    ),
    groups.length > 0 ? choiceSummary(choice) : keys.length > 0 ? `of ${plural(keys.length, 'source')}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'Everything';
}

/** The query as the router takes it; a parameter that is given several times is a list. */
export function searchParams(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}
