import type { NewLogLine, LogLine } from './log-line.js';
import type { Histogram, LogPage, LogQuery, LogSearch, PageRequest, SearchEvent } from './log-query.js';
import type { SourceExtent, SourceIdentity, StoredSource } from './log-source.js';

/** Limits of what a store keeps. A store whose capabilities say that the database decides ignores them. */
export interface RetentionLimits {
  /** Maximum bytes on disk, of everything that the store writes. */
  totalBytes: number;
  /** The same for the blocks of one source. */
  bytesPerSource: number;
  maxAgeDays: number;
}

/** Where lines are stored: in a file of the data folder, or in a VictoriaLogs database. */
export type LogStoreKind = 'embedded' | 'victorialogs';

export interface LogStoreCapabilities {
  /** `erase`: deleted lines are removed from the disk. `hide`: they are hidden until the database drops them. */
  deletion: 'erase' | 'hide';
  /** Who enforces the retention limits. */
  retention: 'store' | 'database';
  /** Syntax of regexes. */
  regex: 'javascript' | 're2';
}

/** Known of each kind of store before it is opened. */
export const LOG_STORE_CAPABILITIES = {
  embedded: { deletion: 'erase', retention: 'store', regex: 'javascript' },
  victorialogs: { deletion: 'hide', retention: 'database', regex: 're2' },
} as const satisfies Record<LogStoreKind, LogStoreCapabilities>;

export interface LogStoreStatus {
  /** `degraded`: it cannot write now and retries; lines wait. `unavailable`: it cannot be read either. */
  state: 'ok' | 'degraded' | 'unavailable';
  /** The problem and its remedy; null if the state is `ok`. */
  reason: string | null;
  /** Bytes that wait to be written. */
  pendingBytes: number;
  /** Lines that were discarded because too many waited, since the store was opened. */
  discardedLines: number;
  /** Bytes on disk that count for the total limit; null if the store does not know. */
  bytesOnDisk: number | null;
}

/**
 * Stores the lines of all sources. It numbers the lines of each source from 1 on without gaps; a line can be read as soon
 * as `append` returns. All times are microseconds since the epoch.
 *
 * Sources that a request names and the store does not know are ignored, unless the method says otherwise.
 */
export interface LogStore {
  readonly kind: LogStoreKind;
  readonly capabilities: LogStoreCapabilities;
  /** Data set aside or imported when the store was opened, as a sentence; null if none. */
  readonly notice: string | null;

  /** Identifies the time since the store was opened; greater with each opening. */
  readonly run: number;

  /**
   * First number of a source that may name another line than it did in an earlier run: a killed process has handed out
   * numbers of lines that it lost. Infinity without such lines.
   */
  changedFrom(id: number, run: number): number;

  /**
   * Registers a source as present and stores its identity.
   * @returns its id: the same for the same key as long as the source is known.
   */
  source(identity: SourceIdentity): number;

  /** Marks a source as gone. The store forgets it when its last line is gone. */
  leave(id: number): void;

  /** Every known source, also those that are gone. */
  sources(): readonly StoredSource[];

  extent(id: number): SourceExtent | undefined;

  /**
   * Stores lines. A killed process loses at most the lines of the last second.
   * @returns the number of the first line; the others follow without gaps.
   * @throws Error for an unknown source.
   */
  append(id: number, lines: readonly NewLogLine[]): number;

  /** Resolves when the store can take more lines; at once unless the disk or the database is slower than the sources. */
  room(): Promise<void>;

  /** Resolves when every appended line is stored durably, or could not be written. */
  flush(): Promise<void>;

  /**
   * Lines of one source from a number on, or from the oldest line if that is later.
   * @param maxBytes ends the page with the line that reaches so many bytes of text.
   * @throws Error for an unknown source.
   */
  lines(id: number, from: number, limit: number, maxBytes?: number): Promise<LogLine[]>;

  /** Number of the first line of a source at or after an effective time; the number of the next line if no such line exists. */
  seqAt(id: number, time: number): Promise<number>;

  /** Lines around a position of the merged sources. */
  page(ids: readonly number[], position: number, request: PageRequest): Promise<LogPage>;

  /**
   * Position of a line among the merged sources.
   * @throws DomainError `line_not_found` if the line is not stored or its source is not one of them.
   */
  positionOf(ids: readonly number[], id: number, seq: number): Promise<number>;

  /** Position of the first line at or after an effective time. */
  positionAt(ids: readonly number[], time: number): Promise<number>;

  /**
   * Finds lines. Matches come in the order of the search; the last event is `end`, unless the signal aborts the search. A
   * search has a deadline; one without a limit, as an export is, has it for each of its parts.
   * @throws DomainError `search_invalid` for an invalid regex, before the first event.
   */
  search(search: LogSearch, signal: AbortSignal): AsyncIterable<SearchEvent>;

  /**
   * Counts matching lines per level in buckets of equal length.
   * @throws DomainError `search_invalid` for an invalid regex.
   */
  histogram(query: LogQuery, buckets: number, signal: AbortSignal): Promise<Histogram>;

  /**
   * Deletes all lines of a source. Its numbers continue.
   * @throws DomainError `storage_unavailable` if the disk or the database refused. The lines are hidden, and the store
   * retries, but until then a restart may show them again.
   */
  delete(id: number): Promise<{ lines: number; bytes: number }>;

  /** Deletes the oldest lines that exceed the limits. Runs by itself every second. */
  enforceRetention(): Promise<void>;

  status(): LogStoreStatus;

  close(): Promise<void>;
}
