import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { guardedInterval } from '../../../core/errors/index.js';
import { DomainError } from '../../../core/errors/domain-error.js';
import { asSentence } from '../../../core/errors/reason-of.js';
import type { LogLine, NewLogLine } from '../log-line.js';
import type {
  Histogram,
  LogPage,
  LogQuery,
  LogSearch,
  PageRequest,
  SearchCursor,
  SearchEvent,
} from '../log-query.js';
import type { SourceExtent, SourceIdentity, StoredSource } from '../log-source.js';
import { LOG_STORE_CAPABILITIES, type LogStore, type LogStoreStatus } from '../log-store.js';
import { Delivery, DELIVERY_TIMES, type DeliveryTimes } from './delivery.js';
import { countLines } from './histogram.js';
import { DatabaseFailure, HttpClient } from './http-client.js';
import { integerOf, placeOf, timeOf, type Place } from './line-format.js';
import { LineReader, type Snapshot } from './line-reader.js';
import { LineQuery } from './line-query.js';
import { storableTime, streamsOf } from './logsql.js';
import { Merge } from './merge.js';
import { invalidRegex, regexProblemOf } from './regex.js';
import { runSearch } from './search.js';
import { extentOf, raiseFirst, Sources, type Source } from './sources.js';
import { Spool } from './spool.js';
import { SpoolStore } from './spool.store.js';

/** Limits that tests and small machines change. */
export interface VictoriaLogsOptions {
  /** Maximum bytes of lines that wait on the local disk. 256 MB. */
  spoolBytes?: number;
  times?: Partial<DeliveryTimes>;
}

const SPOOL_BYTES = 256 * 1024 * 1024;
/** Above this, sources have to wait for the database, but no longer than so many milliseconds. */
const ROOM_BYTES = 32 * 1024 * 1024;
const ROOM_MS = 1000;
/** How often the store asks which lines the database has dropped: it drops whole days. */
const RETENTION_MS = 15 * 60 * 1000;
/** The database rejects lines that are more than two days ahead; one wrong clock would stop a source for ever. */
const MAX_AHEAD = 24 * 60 * 60 * 1_000_000;

/**
 * Opens the store that keeps its lines in VictoriaLogs: a single node, or the front of a cluster. It opens also while the
 * database is away.
 * @param folder of its local file: sources, numbers, and lines that the database may not have on its disk.
 */
export async function openVictoriaLogsStore(
  url: URL,
  folder: string,
  options: VictoriaLogsOptions = {},
): Promise<LogStore> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = SpoolStore.open(join(folder, 'spool.db'));
  return new VictoriaLogsStore(file, new HttpClient(url), options);
}

class VictoriaLogsStore implements LogStore {
  readonly kind = 'victorialogs';
  readonly capabilities = LOG_STORE_CAPABILITIES.victorialogs;
  readonly notice: string | null;
  private readonly storeId: string;
  private readonly known: Sources;
  private readonly spool: Spool;
  private readonly delivery: Delivery;
  private readonly reader: LineReader;
  private readonly timer: NodeJS.Timeout;

  constructor(
    file: SpoolStore,
    private readonly client: HttpClient,
    { spoolBytes = SPOOL_BYTES, times }: VictoriaLogsOptions,
  ) {
    this.notice = file.notice;
    const { id, lastSource, lastBlock } = file.identify(() => randomBytes(8).toString('hex'));
    this.storeId = id;
    this.known = new Sources(file, lastSource);
    this.spool = new Spool(file, { id, lastBlock }, spoolBytes, {
      onBlocks: () => this.delivery.notify(),
      onDiscard: (blocks) => this.delivery.discarded(blocks),
    });
    this.delivery = new Delivery(this.spool, client, id, { ...DELIVERY_TIMES, ...times });
    this.reader = new LineReader(client, this.spool, id, (failure) => this.delivery.queried(failure));
    this.timer = guardedInterval(() => this.enforceRetention(), RETENTION_MS, 'delete old log lines').unref();
  }

  get run(): number {
    return this.known.run;
  }

  changedFrom(id: number, run: number): number {
    return this.known.changedFrom(id, run);
  }

  source(identity: SourceIdentity): number {
    const { source, isChanged } = this.known.register(identity);
    if (isChanged) this.spool.touch(source);
    return source.id;
  }

  leave(id: number): void {
    const source = this.known.get(id);
    if (source) source.isPresent = false;
  }

  sources(): readonly StoredSource[] {
    return this.known.all();
  }

  extent(id: number): SourceExtent | undefined {
    const source = this.known.get(id);
    return source && extentOf(source);
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    const source = this.known.required(id);
    const first = source.nextSeq;
    if (lines.length === 0) return first;
    const latest = Date.now() * 1000 + MAX_AHEAD;
    for (const line of lines) {
      const text = line.text.toWellFormed();
      const effective = Math.max(source.lastTime, storableTime(Math.min(line.time, latest)));
      source.lastTime = effective;
      source.firstTime ??= effective;
      source.bytes += Buffer.byteLength(text);
      this.spool.append(source, effective, {
        ...line,
        time: Math.trunc(line.time),
        text,
        seq: source.nextSeq,
      });
      source.nextSeq += 1;
    }
    this.spool.touch(source);
    return first;
  }

  async room(): Promise<void> {
    const end = Date.now() + ROOM_MS;
    while (this.spool.bytes > ROOM_BYTES && this.delivery.unsentBytes > ROOM_BYTES && Date.now() < end) {
      if (this.delivery.problem.write !== null || this.delivery.problem.read !== null) return;
      await pause(20);
    }
  }

  async flush(): Promise<void> {
    this.spool.write();
  }

  async lines(id: number, from: number, limit: number, maxBytes = Infinity): Promise<LogLine[]> {
    const source = this.known.required(id);
    return this.reading([source], async (snapshot) => {
      const lines: LogLine[] = [];
      let bytes = 0;
      if (limit <= 0) return lines;
      for await (const { line } of this.reader.bySeq(snapshot, from, Infinity, 'oldest', limit)) {
        lines.push(line);
        bytes += Buffer.byteLength(line.text);
        if (lines.length >= limit || bytes >= maxBytes) break;
      }
      return lines;
    });
  }

  async seqAt(id: number, time: number): Promise<number> {
    return this.reading([this.known.required(id)], (snapshot) => this.merge(snapshot).positionAt(time));
  }

  async page(ids: readonly number[], position: number, request: PageRequest): Promise<LogPage> {
    return this.reading(this.known.chosen(ids), (snapshot) => this.merge(snapshot).page(position, request));
  }

  async positionOf(ids: readonly number[], id: number, seq: number): Promise<number> {
    return this.reading(this.known.chosen(ids), async (snapshot) => {
      const entry = await this.reader.find(snapshot, id, seq);
      if (!entry) throw new DomainError('line_not_found', `Line ${seq} of source ${id} does not exist.`);
      return this.merge(snapshot).positionOf(placeOf(entry));
    });
  }

  async positionAt(ids: readonly number[], time: number): Promise<number> {
    return this.reading(this.known.chosen(ids), (snapshot) => this.merge(snapshot).positionAt(time));
  }

  async *search(search: LogSearch, signal: AbortSignal): AsyncGenerator<SearchEvent, void, undefined> {
    try {
      const query = new LineQuery(search);
      const sources = this.known.chosen(search.sources);
      await this.validate(query);
      const after = search.cursor && (await this.placeOf(search.cursor));
      const snapshot = this.reader.snapshot(sources);
      try {
        yield* runSearch(this.reader, snapshot, query, search, after, signal);
      } finally {
        snapshot.view.release();
      }
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  async histogram(query: LogQuery, buckets: number, signal: AbortSignal): Promise<Histogram> {
    const compiled = new LineQuery(query);
    return this.reading(this.known.chosen(query.sources), async (snapshot) => {
      await this.validate(compiled);
      return countLines(this.reader, snapshot, compiled, query, buckets, signal);
    });
  }

  async delete(id: number): Promise<{ lines: number; bytes: number }> {
    const source = this.known.required(id);
    const { firstSeq, nextSeq, bytes } = source;
    Object.assign(source, { firstSeq: nextSeq, hiddenBelow: nextSeq, bytes: 0, firstTime: null });
    this.spool.touch(source);
    this.spool.write();
    if (this.spool.problem !== null) {
      throw new DomainError(
        'storage_unavailable',
        'The lines are hidden, but a restart may show them again. Slipway could not write to its data folder. Make sure that the disk has room and the folder is writable; Slipway retries by itself.',
      );
    }
    return { lines: nextSeq - firstSeq, bytes };
  }

  /** Learns which lines the database has dropped, and forgets sources that are gone and have no lines. */
  async enforceRetention(): Promise<void> {
    const sources = this.known.chosen(null);
    try {
      await this.reader.with(sources, async ({ view }) => {
        const before = new Map(sources.map(({ id, nextSeq }) => [id, nextSeq]));
        const query = `${streamsOf(this.storeId, null)} | stats by (source) min(seq) as first, min(_time) as time`;
        const rows = await this.reader.rows(query);
        const found = new Map(rows.map((row) => [integerOf(row, 'source'), row]));
        for (const source of sources) {
          const row = found.get(source.id);
          const inSpool = view.firstSeq(source.id);
          const first = row ? integerOf(row, 'first') : Infinity;
          this.keepFrom(source, Math.min(first, inSpool, before.get(source.id) ?? Infinity), row?.['time']);
        }
      });
    } catch (error) {
      // The query is retried later.
      if (!(error instanceof DatabaseFailure)) throw error;
      return;
    }
    for (const source of this.known.chosen(null)) {
      if (source.isPresent || source.firstSeq < source.nextSeq) continue;
      this.spool.forget(source);
      this.known.remove(source);
    }
  }

  status(): LogStoreStatus {
    const { write, read } = this.delivery.problem;
    const pendingBytes = this.delivery.unsentBytes;
    const counts = { pendingBytes, discardedLines: this.delivery.discardedLines, bytesOnDisk: null };
    if (read !== null) return { state: 'unavailable', reason: this.unavailableReason(read), ...counts };
    if (write !== null) {
      const reason = `VictoriaLogs at ${this.client.address} does not take lines: ${asSentence(write)} New lines wait on the local disk, and Slipway retries. Check that VictoriaLogs runs and that its disk has room.`;
      return { state: 'degraded', reason, ...counts };
    }
    if (this.spool.problem !== null) {
      const reason = `Slipway could not write lines to its data folder: ${asSentence(this.spool.problem)} They wait in memory. Make sure that the disk has room and the folder is writable.`;
      return { state: 'degraded', reason, ...counts };
    }
    return { state: 'ok', reason: null, ...counts };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.spool.write();
    await this.delivery.close();
    this.client.close();
    this.spool.close();
  }

  private merge(snapshot: Snapshot): Merge {
    return new Merge(this.reader, snapshot);
  }

  private async reading<TResult>(
    sources: readonly Source[],
    work: (snapshot: Snapshot) => Promise<TResult>,
  ): Promise<TResult> {
    try {
      return await this.reader.with(sources, work);
    } catch (error) {
      throw this.asDomainError(error);
    }
  }

  /** A cursor names the line's own time, and the order is that of effective times. */
  private async placeOf({ time, source, seq }: SearchCursor): Promise<Place> {
    const known = this.known.chosen([source]);
    const entry = await this.reader.with(known, (snapshot) => this.reader.find(snapshot, source, seq));
    return entry ? placeOf(entry) : { effective: time, source, seq };
  }

  /** Only the database knows whether a regex is valid. The time before all lines makes the question cheap. */
  private async validate({ regex, filter }: LineQuery): Promise<void> {
    if (regex) {
      await this.reader.rows(`${streamsOf(this.storeId, null)} _time:<1970-01-02 ${filter} | limit 1`);
    }
  }

  private keepFrom(source: Source, first: number, time: unknown): void {
    const isOutdated = source.hiddenBelow > 1 && first >= source.hiddenBelow;
    if (isOutdated) source.hiddenBelow = 1;
    const isDropped = first > source.firstSeq && first <= source.nextSeq;
    if (isDropped) raiseFirst(source, first, first === source.nextSeq ? null : timeOfFirst(time, source));
    if (isOutdated || isDropped) this.spool.touch(source);
  }

  private asDomainError(error: unknown): unknown {
    if (!(error instanceof DatabaseFailure)) return error;
    const problem = error.kind === 'invalid' ? regexProblemOf(error.message) : undefined;
    if (problem !== undefined) return invalidRegex(`VictoriaLogs uses RE2 regexes: ${problem}`);
    return new DomainError('storage_unavailable', this.unavailableReason(error.message), undefined, {
      cause: error,
    });
  }

  private unavailableReason(reason: string): string {
    return `The log history cannot be read. VictoriaLogs at ${this.client.address} does not respond to queries: ${asSentence(reason)} New lines wait on the local disk. Check that every node of VictoriaLogs runs.`;
  }
}

/** The effective time of the oldest line that is left; the earlier bound if only the spool has it. */
function timeOfFirst(time: unknown, { firstTime }: Source): number | null {
  return time === undefined ? firstTime : timeOf(time);
}
