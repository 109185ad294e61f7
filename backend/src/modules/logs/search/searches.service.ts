import { Injectable } from '@nestjs/common';
import { AnswerBounds } from '../answer-bounds.js';
import { HistoryAccess } from '../history-access.js';
import type { Histogram, SearchEvent, SearchQuery } from '../history/index.js';
import type { LineDto } from '../lines/line.dto.js';
import { presentLine } from '../lines/present-line.js';
import { timeText } from '../lines/time-text.js';
import { searchQueryOf } from './search-query-of.js';
import type { HistogramQueryDto, LineSearchDto } from './search-request.dto.js';
import type { HistogramDto, SearchResultDto, ToldSearchEvent } from './search.dto.js';

const SECOND_US = 1_000_000;

/** Searches, and counts. */
@Injectable()
export class SearchesService {
  constructor(
    private readonly access: HistoryAccess,
    private readonly bounds: AnswerBounds,
  ) {}

  /** Finds lines, the newest first. @throws DomainError `search_invalid` at once, `invalid_input` */
  async begin(request: LineSearchDto, signal: AbortSignal): Promise<AsyncIterable<ToldSearchEvent>> {
    return await this.find(request, Infinity, signal);
  }

  /** The same, all at once: no more than there is room for. */
  async all(request: LineSearchDto, signal: AbortSignal): Promise<SearchResultDto> {
    const matches: LineDto[] = [];
    for await (const event of await this.find(request, this.bounds.pageBytes, signal)) {
      if (event.type === 'match') matches.push(event.line);
      else if (event.type === 'end') {
        const { searched, matched, reason, before } = event;
        return { matches, searched, matched, reason, before };
      }
    }
    throw new Error('a search ended without a word');
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async histogram(request: HistogramQueryDto, signal: AbortSignal): Promise<HistogramDto> {
    const history = await this.access.get();
    const query = searchQueryOf(request, Date.now() * 1000, { limit: 1 });
    return presentHistogram(await history.histogram(query, request.buckets, signal));
  }

  private async find(
    request: LineSearchDto,
    bytes: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ToldSearchEvent>> {
    const history = await this.access.get();
    const query: SearchQuery = {
      ...searchQueryOf(request, Date.now() * 1000, request),
      bounds: { bytes, characters: request.longest ?? Infinity },
    };
    return told(history.search(query, signal), query);
  }
}

async function* told(
  events: AsyncIterable<SearchEvent>,
  { before }: SearchQuery,
): AsyncGenerator<ToldSearchEvent> {
  let last = before;
  for await (const event of events) {
    if (event.type === 'match') {
      const { source, line } = event;
      last = { time: line.time, source, seq: line.seq };
      yield { type: 'match', line: presentLine(source, line) };
    } else if (event.type === 'progress') {
      // Before the first piece is searched there is no time to tell.
      if (Number.isFinite(event.time)) yield { ...event, time: timeText(event.time) };
    } else {
      const goesOn = event.reason !== 'complete' && last !== null;
      yield { ...event, before: goesOn ? `${last?.time}.${last?.source}.${last?.seq}` : null };
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
