import { ApiProblem } from '../../../shared/api/api-problem';
import { compareRows, type LogLine, readLine, rfc3339 } from '../../../shared/lines/log-line';
import { type LineSearch, MOST_MATCHES } from './line-search';
import { filterParameters, type LogQuery, moment } from './log-query';

/** Lines that fit are asked for by so many, on either side of where one stands. */
const MOST_AT_ONCE = 1000;
/** Fewer in a span make the next one longer. */
const FEW = 100;
/** A search tells the newest first: forwards it is asked by spans of time, which grow where little is found. */
const FIRST_SPAN = 60_000_000;
const SHORTEST_SPAN = 1000;
const GROWTH = 8;
const SHRINKAGE = 16;
/** Clocks of other machines may be ahead by so much. */
const AHEAD = 60_000_000;

/**
 * From one line that fits to the next, wherever it is, however many there are: what is around the place where one
 * stands is looked for, and kept for the next step.
 */
export class LineWalk {
  private asked = '';
  /** The oldest first, without one missing between them. */
  private held: readonly LogLine[] = [];
  private span = FIRST_SPAN;

  constructor(private readonly search: Pick<LineSearch, 'run'>) {}

  /**
   * @param from where one stands; null goes to the first or the last
   * @returns null where there is none
   * @throws ApiProblem
   */
  async next(
    query: LogQuery,
    sources: readonly number[],
    from: LogLine | null,
    direction: 1 | -1,
  ): Promise<LogLine | null> {
    const asked = JSON.stringify([query, sources]);
    if (asked !== this.asked) {
      this.held = [];
      this.span = FIRST_SPAN;
    }
    this.asked = asked;
    const near = from && this.near(from, direction);
    if (near) return near;
    const found =
      direction < 0 ? await this.before(query, sources, from) : await this.after(query, sources, from);
    if (found.length > 0) this.held = found;
    return (direction < 0 ? found.at(-1) : found[0]) ?? null;
  }

  /** The next one of those that are known, where none can be between. */
  private near(from: LogLine, direction: 1 | -1): LogLine | undefined {
    const [first] = this.held;
    const last = this.held.at(-1);
    if (!first || !last) return undefined;
    if (direction > 0) {
      return order(first, from) > 0 ? undefined : this.held.find((line) => order(line, from) > 0);
    }
    return order(last, from) < 0 ? undefined : this.held.findLast((line) => order(line, from) < 0);
  }

  private async before(
    query: LogQuery,
    sources: readonly number[],
    from: LogLine | null,
  ): Promise<LogLine[]> {
    const parameters = {
      ...filterParameters(query, sources),
      ...(from && { before: `${from.time}.${from.source}.${from.seq}` }),
      limit: MOST_AT_ONCE,
    };
    return (await this.find(parameters)).lines;
  }

  private async after(query: LogQuery, sources: readonly number[], from: LogLine | null): Promise<LogLine[]> {
    const now = Date.now();
    const end = query.to === null ? now * 1000 + AHEAD : moment(query.to, now);
    let begin = Math.max(from?.rank ?? 0, query.from === null ? 0 : moment(query.from, now));
    while (begin < end) {
      const { span } = this;
      const to = Math.min(begin + span, end);
      // So many of one moment are not divided any further.
      const limit = span <= SHORTEST_SPAN ? MOST_MATCHES : MOST_AT_ONCE;
      const part = { ...query, from: rfc3339(begin), to: rfc3339(to) };
      const { lines, isWhole } = await this.find({ ...filterParameters(part, sources), limit });
      if (!isWhole && span > SHORTEST_SPAN) {
        this.span = Math.max(SHORTEST_SPAN, Math.floor(span / SHRINKAGE));
        continue;
      }
      if (lines.length < FEW) this.span = span * GROWTH;
      const later = from ? lines.filter((line) => order(line, from) > 0) : lines;
      if (later.length > 0) return later;
      begin = to;
    }
    return [];
  }

  /** @returns lines, the oldest first, and whether those are all */
  private async find(
    parameters: ReturnType<typeof filterParameters>,
  ): Promise<{ lines: LogLine[]; isWhole: boolean }> {
    const lines: LogLine[] = [];
    let isWhole = false;
    for await (const events of this.search.run(parameters, new AbortController().signal)) {
      for (const event of events) {
        if (event.type === 'match') lines.push(readLine(event.line));
        if (event.type !== 'end') continue;
        if (event.reason === 'timeout') throw tooLong();
        isWhole = event.reason === 'complete';
      }
    }
    return { lines: lines.reverse(), isWhole };
  }
}

/** Of lines of one source, their numbers are sure. */
function order(one: LogLine, other: LogLine): number {
  return one.source === other.source ? one.seq - other.seq : compareRows(one, other);
}

function tooLong(): ApiProblem {
  return new ApiProblem(
    'search_invalid',
    $localize`The search timed out. Select a shorter time range, or search for plain text.`,
    0,
  );
}
