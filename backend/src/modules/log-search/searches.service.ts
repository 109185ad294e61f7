import { Injectable } from '@nestjs/common';
import { timeText } from '../../core/values/index.js';
import type { Histogram, SearchCursor, SearchEvent } from '../../drivers/log-store/index.js';
import { ResponseLimits, type LineDto, presentLine } from '../log-lines/index.js';
import { LogStoreAccess } from '../log-sources/index.js';
import { logQueryOf } from './log-query-of.js';
import { primed } from './primed.js';
import type { HistogramQueryDto, LineSearchDto } from './search-request.dto.js';
import type { HistogramDto, SearchResultDto, SearchStreamEvent } from './search.dto.js';

const SECOND_US = 1_000_000;

/** Searches stored lines, and counts them over time. */
@Injectable()
export class SearchesService {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly limits: ResponseLimits,
  ) {}

  /** Returns all matches up to the size limit. */
  async all(request: LineSearchDto, signal: AbortSignal): Promise<SearchResultDto> {
    const matches: LineDto[] = [];
    for await (const event of await this.begin(request, signal, this.limits.pageBytes)) {
      if (event.type === 'match') matches.push(event.line);
      else if (event.type === 'end') {
        const { searched, matched, reason, searched_to, before } = event;
        return { matches, searched, matched, reason, searched_to, before };
      }
    }
    throw new Error('the search has no end event');
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async histogram(request: HistogramQueryDto, signal: AbortSignal): Promise<HistogramDto> {
    const store = await this.access.get();
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    return presentHistogram(await store.histogram(query, request.buckets, signal));
  }

  /** Streams matches, newest first. @throws DomainError `search_invalid`, `invalid_input` */
  async begin(
    request: LineSearchDto,
    signal: AbortSignal,
    bytes = Infinity,
  ): Promise<AsyncIterable<SearchStreamEvent>> {
    const store = await this.access.get();
    const { limit, before, longest: characters = Infinity } = request;
    const cursor = cursorOf(before);
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    const search = { ...query, order: 'newest', limit, cursor, bytes, characters } as const;
    return await primed(presentEvents(store.search(search, signal), cursor));
  }
}

/** @param before of an earlier response */
function cursorOf(before: string | undefined): SearchCursor | null {
  const [time, source, seq] = before?.split('.').map(Number) ?? [];
  return time === undefined || source === undefined || seq === undefined ? null : { time, source, seq };
}

async function* presentEvents(
  events: AsyncIterable<SearchEvent>,
  cursor: SearchCursor | null,
): AsyncGenerator<SearchStreamEvent, void> {
  let last = cursor;
  for await (const event of events) {
    if (event.type === 'match') {
      const { source, line } = event;
      last = { time: line.time, source, seq: line.seq };
      yield { type: 'match', line: presentLine(source, line) };
    } else if (event.type === 'progress') {
      yield { ...event, time: timeText(event.time) };
    } else {
      const { time, ...end } = event;
      const hasMore = end.reason !== 'complete' && last !== null;
      const searchedTo = time === null ? null : timeText(time);
      const before = hasMore ? `${last?.time}.${last?.source}.${last?.seq}` : null;
      yield { ...end, searched_to: searchedTo, before };
    }
  }
}

function presentHistogram({ from, to, width, buckets, reason }: Histogram): HistogramDto {
  return {
    from: timeText(from),
    to: timeText(to),
    bucket_seconds: width / SECOND_US,
    buckets: buckets.map(({ time, total, levels }) => ({ time: timeText(time), total, levels })),
    reason,
  };
}
