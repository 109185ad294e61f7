import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../../core/errors/index.js';
import type {
  Histogram,
  LogLine,
  LogPage,
  LogQuery,
  LogSearch,
  LogStore,
  LogStoreCapabilities,
  LogStoreStatus,
  NewLogLine,
  PageRequest,
  RetentionLimits,
  SearchEvent,
  SourceExtent,
  SourceIdentity,
  StoredSource,
} from '../../../drivers/log-store/index.js';
import { FoundLines, type PieceLimits } from './found-lines.js';
import { LogHistory, type HistoryOptions } from './log-history.js';
import type { SearchQuery } from './search-query.js';

/** The history writes what waits after this time. */
const FLUSH_MS = 100;
const PIECES: PieceLimits = { bytes: 16 * 1024 * 1024, lines: 20_000 };

/** Temporary, until `drivers/log-store/embedded` replaces the history: makes a history look like a `LogStore`. */
class HistoryLogStore implements LogStore {
  readonly capabilities: LogStoreCapabilities = {
    deletion: 'erase',
    retention: 'store',
    regex: 'javascript',
  };

  constructor(
    private readonly history: LogHistory,
    private readonly pieces: PieceLimits,
  ) {}

  get notice(): string | null {
    return this.history.notice;
  }

  get run(): number {
    return this.history.run;
  }

  changedFrom(id: number, run: number): number {
    return this.history.changedFrom(id, run);
  }

  source(identity: SourceIdentity): number {
    return this.history.source(identity);
  }

  leave(id: number): void {
    this.history.leave(id);
  }

  sources(): readonly StoredSource[] {
    return this.history.sources();
  }

  extent(id: number): SourceExtent | undefined {
    return this.history.extent(id);
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    return this.history.append(id, lines);
  }

  room(): Promise<void> {
    return this.history.room();
  }

  async flush(): Promise<void> {
    await delay(FLUSH_MS);
    await this.history.enforceLimits();
  }

  lines(id: number, from: number, limit: number, maxBytes?: number): Promise<LogLine[]> {
    return this.history.page(id, from, limit, maxBytes);
  }

  seqAt(id: number, time: number): Promise<number> {
    return this.history.sequenceAt(id, time);
  }

  page(ids: readonly number[], position: number, request: PageRequest): Promise<LogPage> {
    return this.history.around(ids, position, request);
  }

  async positionOf(ids: readonly number[], id: number, seq: number): Promise<number> {
    const { firstSeq = 1, nextSeq = 1 } = this.history.extent(id) ?? {};
    if (seq < firstSeq || seq >= nextSeq || !ids.includes(id)) {
      throw new DomainError('line_not_found', `Line ${seq} of source ${id} is not stored.`);
    }
    return await this.history.positionOf(ids, id, seq);
  }

  positionAt(ids: readonly number[], time: number): Promise<number> {
    return this.history.positionAt(ids, time);
  }

  search(search: LogSearch, signal: AbortSignal): AsyncIterable<SearchEvent> {
    return search.order === 'oldest' ? this.oldest(search, signal) : this.newest(search, signal);
  }

  histogram(query: LogQuery, buckets: number, signal: AbortSignal): Promise<Histogram> {
    return this.history.histogram(searchQuery(query), buckets, signal);
  }

  delete(id: number): Promise<{ lines: number; bytes: number }> {
    return this.history.delete(id);
  }

  enforceRetention(): Promise<void> {
    return this.history.enforceLimits();
  }

  status(): LogStoreStatus {
    const { bytesOnDisk } = this.history;
    return { state: 'ok', reason: null, pendingBytes: 0, discardedLines: 0, bytesOnDisk };
  }

  close(): Promise<void> {
    return this.history.close();
  }

  private newest(search: LogSearch, signal: AbortSignal): AsyncIterable<SearchEvent> {
    const { limit, cursor: before, bytes = Infinity, characters = Infinity } = search;
    const query = { ...searchQuery(search), limit, before, bounds: { bytes, characters } };
    return withSearchedTo(this.history.search(query, signal));
  }

  /** Without a cursor and limits of bytes, which only searches for the newest lines use. */
  private async *oldest(search: LogSearch, signal: AbortSignal): AsyncGenerator<SearchEvent> {
    let matched = 0;
    let time: number | null = null;
    const end = (reason: 'complete' | 'limit' | 'timeout'): SearchEvent => {
      const searchedTo = reason === 'complete' ? null : time;
      return { type: 'end', searched: matched, matched, reason, time: searchedTo };
    };
    try {
      for await (const lines of await FoundLines.of(this.history, searchQuery(search), this.pieces, signal)) {
        for (const { source, line } of lines) {
          if (matched === search.limit) {
            yield end('limit');
            return;
          }
          matched += 1;
          time = line.time;
          yield { type: 'match', source, line };
        }
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'search_timeout') throw error;
      yield end('timeout');
      return;
    }
    if (!signal.aborted) yield end('complete');
  }
}

function searchQuery(query: LogQuery): SearchQuery {
  const { sources, text, regex, matchCase, without, levels, streams, fields, withoutFields, from, to } =
    query;
  const conditions = { sources, text, regex, matchCase, without, levels, streams, fields, withoutFields };
  return { ...conditions, from, to, limit: Infinity, before: null };
}

async function* withSearchedTo(events: ReturnType<LogHistory['search']>): AsyncGenerator<SearchEvent> {
  let time: number | null = null;
  for await (const event of events) {
    // Before the first piece is searched there is no time.
    if (event.type === 'progress' && Number.isFinite(event.time)) time = event.time;
    if (event.type === 'end') yield { ...event, time: event.reason === 'complete' ? null : time };
    else if (event.type === 'match' || Number.isFinite(event.time)) yield event;
  }
}

/** Opens a history. @throws Error if the folder cannot be written, or comes from a newer version */
export async function openHistoryLogStore(
  folder: string,
  { totalBytes, bytesPerSource, maxAgeDays }: RetentionLimits,
  { pieces = PIECES, ...options }: HistoryOptions & { pieces?: PieceLimits } = {},
): Promise<LogStore> {
  const limits = { bytesInAll: totalBytes, bytesPerSource, maxAgeDays };
  return new HistoryLogStore(await LogHistory.open(folder, limits, options), pieces);
}
