import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { timeText } from '../../core/values/index.js';
import type { LogQuery, SearchEvent } from '../../drivers/log-store/index.js';
import { plainText, presentLine } from '../log-lines/index.js';
import { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import { logQueryOf } from './log-query-of.js';
import { primed } from './primed.js';
import type { ExportFormat, ExportQueryDto } from './search-request.dto.js';

const CHUNK_LENGTH = 128 * 1024;

/** Writes lines as files, oldest first, in chunks. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
  ) {}

  /**
   * @returns chunks of the file; if they end with an error, the file is incomplete
   * @throws DomainError `invalid_input`, and `search_invalid` and `search_timeout` before the first line
   */
  async begin(request: ExportQueryDto, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const store = await this.access.get();
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    const search = { ...query, order: 'oldest', limit: Infinity, cursor: null } as const;
    return await primed(this.write(store.search(search, signal), query, request.format));
  }

  /** `staging-worker`, or `3 sources`. */
  describeSources({ sources }: ExportQueryDto): string {
    const ids = new Set(sources?.split(',').map(Number) ?? this.registry.all().map(({ id }) => id));
    const [only] = ids;
    return ids.size === 1 && only !== undefined ? this.nameOf(only) : `${ids.size} sources`;
  }

  private async *write(
    events: AsyncIterable<SearchEvent>,
    query: LogQuery,
    format: ExportFormat,
  ): AsyncGenerator<string, void> {
    const isNamed = query.sources?.length !== 1;
    let text = '';
    for await (const event of events) {
      if (event.type === 'match') {
        const { source, line } = event;
        text +=
          format === 'ndjson'
            ? `${JSON.stringify(Object.assign(presentLine(source, line), { name: this.nameOf(source) }))}\n`
            : `${timeText(line.time)} ${isNamed ? `${this.nameOf(source)} ` : ''}${plainText(line.text)}\n`;
        if (text.length < CHUNK_LENGTH) continue;
        yield text;
        text = '';
      } else if (event.type === 'end' && event.reason === 'timeout') {
        if (text !== '') yield text;
        throw timeout(query);
      }
    }
    if (text !== '') yield text;
  }

  private nameOf(source: number): string {
    const identity = this.registry.find(source)?.identity;
    if (!identity) return String(source);
    return [identity.name, identity.container ?? identity.service].filter((part) => part !== null).join('/');
  }
}

function timeout({ regex }: LogQuery): DomainError {
  return new DomainError(
    'search_timeout',
    regex
      ? 'The regex took too long and was stopped. Choose a shorter period or fewer sources, or search for plain text.'
      : 'The search took too long and was stopped. Choose a shorter period or fewer sources.',
  );
}
