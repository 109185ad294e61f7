import { Injectable } from '@nestjs/common';
import { HistoryAccess } from '../history-access.js';
import type { LogHistory, SearchQuery } from '../history/index.js';
import type { StoredLine } from '../lines/line.js';
import { presentLine } from '../lines/present-line.js';
import { timeText } from '../lines/time-text.js';
import { SourceRegistry } from '../sources/source-registry.js';
import { plainText } from './plain-text.js';
import { searchQueryOf } from './search-query-of.js';
import type { ExportFormat, ExportQueryDto } from './search-request.dto.js';

/** Lines that are read, or found and turned round, at once. */
const PAGE = 2000;
/** Spans of time into which a search is divided, until none holds more than this. */
const MOST_TOGETHER = 20_000;
const SPANS = 200;

interface SourceLine {
  source: number;
  line: StoredLine;
}

/** Writes lines as files, the oldest first, with no more of them in memory than a page. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly access: HistoryAccess,
    private readonly registry: SourceRegistry,
  ) {}

  /** @throws DomainError `invalid_input`, and `search_invalid` before the first line */
  async begin(request: ExportQueryDto, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const history = await this.access.get();
    const now = Date.now() * 1000;
    const query = searchQueryOf(request, now, { limit: MOST_TOGETHER });
    const to = query.to ?? now + 1;
    // Refuses an expression that is none while the answer can still say so.
    if (query.regex) await history.histogram({ ...query, from: to, to }, 1, signal);
    const pages = isFilter(query) ? this.found(history, query, signal) : this.merged(history, query, signal);
    return this.write(pages, request.format, query.sources?.length !== 1);
  }

  /** Every line of the sources within the time. */
  private async *merged(
    history: LogHistory,
    { sources, from, to }: SearchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceLine[]> {
    const ids = [...(sources ?? this.registry.all().map(({ id }) => id))];
    let position = from === null ? 0 : await history.positionAt(ids, from);
    // What comes meanwhile is not waited for.
    const until = to === null ? (await history.merged(ids, 0, 1)).end : await history.positionAt(ids, to);
    while (position < until && !signal.aborted) {
      const page = await history.merged(ids, position, Math.min(PAGE, until - position));
      if (page.lines.length === 0) return;
      yield page.lines;
      position = page.position + page.lines.length;
    }
  }

  /** What a search finds, which tells the newest first: span by span, each turned round. */
  private async *found(
    history: LogHistory,
    query: SearchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceLine[]> {
    const { from, width, buckets } = await history.histogram(query, SPANS, signal);
    let begin = query.from ?? from;
    let together = 0;
    for (const [index, { time, total }] of buckets.entries()) {
      const end = index === buckets.length - 1 ? (query.to ?? time + width + 1) : time + width;
      together += total;
      const next = buckets[index + 1]?.total ?? 0;
      if (index < buckets.length - 1 && together + next <= MOST_TOGETHER) continue;
      if (together > 0) yield* this.span(history, { ...query, from: begin, to: end }, together, signal);
      if (signal.aborted) return;
      begin = end;
      together = 0;
    }
  }

  private async *span(
    history: LogHistory,
    query: SearchQuery & { from: number; to: number },
    matches: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceLine[]> {
    if (matches > MOST_TOGETHER && query.to - query.from > SPANS) {
      yield* this.found(history, query, signal);
      return;
    }
    const lines: SourceLine[] = [];
    // So many lines of one moment are not divided any further.
    const limit = matches + MOST_TOGETHER;
    for await (const event of history.search({ ...query, limit }, signal)) {
      if (event.type === 'match') lines.push({ source: event.source, line: event.line });
    }
    yield lines.reverse();
  }

  private async *write(
    pages: AsyncIterable<readonly SourceLine[]>,
    format: ExportFormat,
    named: boolean,
  ): AsyncGenerator<string> {
    for await (const page of pages) {
      yield page
        .map(({ source, line }) =>
          format === 'ndjson'
            ? `${JSON.stringify(Object.assign(presentLine(source, line), { name: this.nameOf(source) }))}\n`
            : `${timeText(line.time)} ${named ? `${this.nameOf(source)} ` : ''}${plainText(line.text)}\n`,
        )
        .join('');
    }
  }

  private nameOf(source: number): string {
    const identity = this.registry.find(source)?.identity;
    if (!identity) return String(source);
    return [identity.name, identity.container ?? identity.service].filter((part) => part !== null).join('/');
  }
}

/** Whether anything but sources and time is asked for. */
function isFilter({ text, without, levels, fields, withoutFields }: SearchQuery): boolean {
  const lists = [without, fields, withoutFields];
  return text !== null || levels !== null || lists.some(({ length }) => length > 0);
}
