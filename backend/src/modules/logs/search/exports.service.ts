import { Injectable } from '@nestjs/common';
import { AnswerBounds } from '../answer-bounds.js';
import { HistoryAccess } from '../history-access.js';
import type { LogHistory, SearchQuery } from '../history/index.js';
import { presentLine } from '../lines/present-line.js';
import { timeText } from '../lines/time-text.js';
import { SourceRegistry } from '../sources/source-registry.js';
import { FoundLines, type SourceLine } from './found-lines.js';
import { plainText } from './plain-text.js';
import { searchQueryOf } from './search-query-of.js';
import type { ExportFormat, ExportQueryDto } from './search-request.dto.js';

/** Lines that are read at once. */
const PAGE = 2000;
/** Characters that are handed on at once. */
const PIECE = 128 * 1024;

/** Writes lines as files, the oldest first, piece by piece: never more of them than `AnswerBounds` lets be in memory. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly access: HistoryAccess,
    private readonly registry: SourceRegistry,
    private readonly bounds: AnswerBounds,
  ) {}

  /**
   * @returns pieces of the file; where they end by an error, it is not whole
   * @throws DomainError `invalid_input`, and `search_invalid` and `search_timeout` before the first line
   */
  async begin(request: ExportQueryDto, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const history = await this.access.get();
    const query = searchQueryOf(request, Date.now() * 1000, { limit: Infinity });
    const pages = isFilter(query)
      ? await FoundLines.of(history, query, this.bounds, signal)
      : this.merged(history, query, signal);
    return this.write(pages, request.format, query.sources?.length !== 1);
  }

  /** `staging-worker`, or `3 sources`. */
  describeSources({ sources }: ExportQueryDto): string {
    const ids = new Set(sources?.split(',').map(Number) ?? this.registry.all().map(({ id }) => id));
    const [only] = ids;
    return ids.size === 1 && only !== undefined ? this.nameOf(only) : `${ids.size} sources`;
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
      const limit = Math.min(PAGE, until - position);
      const page = await history.merged(ids, position, limit, { bytes: this.bounds.pageBytes });
      if (page.lines.length === 0) return;
      yield page.lines;
      position = page.position + page.lines.length;
    }
  }

  private async *write(
    pages: AsyncIterable<readonly SourceLine[]>,
    format: ExportFormat,
    named: boolean,
  ): AsyncGenerator<string> {
    for await (const page of pages) {
      let text = '';
      for (const { source, line } of page) {
        text +=
          format === 'ndjson'
            ? `${JSON.stringify(Object.assign(presentLine(source, line), { name: this.nameOf(source) }))}\n`
            : `${timeText(line.time)} ${named ? `${this.nameOf(source)} ` : ''}${plainText(line.text)}\n`;
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      if (text !== '') yield text;
    }
  }

  private nameOf(source: number): string {
    const identity = this.registry.find(source)?.identity;
    if (!identity) return String(source);
    return [identity.name, identity.container ?? identity.service].filter((part) => part !== null).join('/');
  }
}

/** Whether anything but sources and time is asked for. */
function isFilter({ text, without, levels, streams, fields, withoutFields }: SearchQuery): boolean {
  const lists = [without, fields, withoutFields];
  return text !== null || levels !== null || streams !== null || lists.some(({ length }) => length > 0);
}
