import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchesSearchData } from '../../../shared/api/api-types';
import { compareRows, type LogLine, readLine, rfc3339 } from '../../../shared/lines/log-line';
import { filterParameters, type LogQuery, moment, type SearchScope } from '../../../shared/search/log-query';
import { type LineSearch, MAX_MATCHES } from './line-search';

const MAX_AT_ONCE = 1000;
/** With fewer matches, the next span is longer. */
const FEW = 100;
/**
 * Searches return the newest matches first: forward navigation searches in spans of time, which grow while few
 * matches are found.
 */
const FIRST_SPAN = 60_000_000;
const SHORTEST_SPAN = 1000;
const GROWTH = 8;
const SHRINK = 16;
/** Clocks of other machines may be ahead. */
const CLOCK_SKEW = 60_000_000;

/** Navigates from one matching line to the next. Matches around the current line are kept for the next step. */
export class MatchNavigator {
  private queryKey = '';
  /** Oldest first, without gaps. */
  private loaded: readonly LogLine[] = [];
  private span = FIRST_SPAN;

  constructor(private readonly search: Pick<LineSearch, 'run'>) {}

  /**
   * @param from the current line; null for the first or last match
   * @returns null without another match
   * @throws ApiProblem
   */
  async next(
    query: LogQuery,
    sources: SearchScope,
    from: LogLine | null,
    direction: 1 | -1,
  ): Promise<LogLine | null> {
    const queryKey = JSON.stringify([query, sources]);
    if (queryKey !== this.queryKey) {
      this.loaded = [];
      this.span = FIRST_SPAN;
    }
    this.queryKey = queryKey;
    const loadedNext = from && this.loadedNext(from, direction);
    if (loadedNext) return loadedNext;
    const found =
      direction < 0 ? await this.before(query, sources, from) : await this.after(query, sources, from);
    if (found.length > 0) this.loaded = found;
    return (direction < 0 ? found.at(-1) : found[0]) ?? null;
  }

  /** The next loaded match, if none can be between. */
  private loadedNext(from: LogLine, direction: 1 | -1): LogLine | undefined {
    const [first] = this.loaded;
    const last = this.loaded.at(-1);
    if (!first || !last) return undefined;
    if (direction > 0) {
      return order(first, from) > 0 ? undefined : this.loaded.find((line) => order(line, from) > 0);
    }
    return order(last, from) < 0 ? undefined : this.loaded.findLast((line) => order(line, from) < 0);
  }

  private async before(query: LogQuery, sources: SearchScope, from: LogLine | null): Promise<LogLine[]> {
    const parameters = {
      ...filterParameters(query, sources),
      ...(from && { before: `${from.time}.${from.source}.${from.seq}` }),
      limit: MAX_AT_ONCE,
    };
    return (await this.request(parameters)).lines;
  }

  private async after(query: LogQuery, sources: SearchScope, from: LogLine | null): Promise<LogLine[]> {
    const now = Date.now();
    const end = query.to === null ? now * 1000 + CLOCK_SKEW : moment(query.to, now);
    let begin = Math.max(from?.rank ?? 0, query.from === null ? 0 : moment(query.from, now));
    while (begin < end) {
      const { span } = this;
      const to = Math.min(begin + span, end);
      // Spans are not divided further.
      const limit = span <= SHORTEST_SPAN ? MAX_MATCHES : MAX_AT_ONCE;
      const part = { ...query, from: rfc3339(begin), to: rfc3339(to) };
      const { lines, isComplete } = await this.request({ ...filterParameters(part, sources), limit });
      if (!isComplete && span > SHORTEST_SPAN) {
        this.span = Math.max(SHORTEST_SPAN, Math.floor(span / SHRINK));
        continue;
      }
      if (lines.length < FEW) this.span = span * GROWTH;
      const later = from ? lines.filter((line) => order(line, from) > 0) : lines;
      if (later.length > 0) return later;
      begin = to;
    }
    return [];
  }

  /** @returns lines, oldest first, and whether they are complete */
  private async request(
    parameters: NonNullable<SearchesSearchData['query']>,
  ): Promise<{ lines: LogLine[]; isComplete: boolean }> {
    const lines: LogLine[] = [];
    let isComplete = false;
    for await (const events of this.search.run(parameters, new AbortController().signal)) {
      for (const event of events) {
        if (event.type === 'match') lines.push(readLine(event.line));
        if (event.type !== 'end') continue;
        if (event.reason === 'timeout') throw timeoutProblem();
        isComplete = event.reason === 'complete';
      }
    }
    return { lines: lines.reverse(), isComplete };
  }
}

/** Within a source, sequence numbers are reliable. */
function order(one: LogLine, other: LogLine): number {
  return one.source === other.source ? one.seq - other.seq : compareRows(one, other);
}

function timeoutProblem(): ApiProblem {
  return new ApiProblem(
    'search_invalid',
    $localize`The search timed out. Select a shorter time range, or search for plain text.`,
    0,
  );
}
