import type {
  HistoryLimits,
  HistoryOptions,
  LogHistory,
  SearchEvent,
  SearchQuery,
} from '../../../backend/src/modules/log-sources/history/index.js';

export { identityOf, newLine, START } from './lines.js';

export const NO_LIMITS: HistoryLimits = { bytesInAll: 1e9, bytesPerSource: 1e9, maxAgeDays: 36_500 };
/** So small that a few thousand lines go through every form that lines are kept in. */
export const SMALL: HistoryOptions = { plainBytes: 64 * 1024, segmentBytes: 16 * 1024 };

export function queryOf(more: Partial<SearchQuery>): SearchQuery {
  return {
    sources: null,
    text: null,
    regex: false,
    matchCase: false,
    without: [],
    levels: null,
    streams: null,
    fields: [],
    withoutFields: [],
    from: null,
    to: null,
    limit: 100_000,
    before: null,
    ...more,
  };
}

/** All that a search tells. */
export async function findIn(
  history: LogHistory,
  query: Partial<SearchQuery>,
): Promise<{
  matches: (SearchEvent & { type: 'match' })[];
  texts: string[];
  end: (SearchEvent & { type: 'end' }) | undefined;
}> {
  const matches: (SearchEvent & { type: 'match' })[] = [];
  let end: (SearchEvent & { type: 'end' }) | undefined;
  for await (const event of history.search(queryOf(query), new AbortController().signal)) {
    if (event.type === 'match') matches.push(event);
    if (event.type === 'end') end = event;
  }
  return { matches, texts: matches.map(({ line }) => line.text), end };
}
