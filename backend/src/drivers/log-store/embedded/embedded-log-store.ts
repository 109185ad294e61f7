import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../../core/errors/domain-error.js';
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
import {
  LOG_STORE_CAPABILITIES,
  type LogStore,
  type LogStoreStatus,
  type RetentionLimits,
} from '../log-store.js';
import { Block, FULL_BLOCK_BYTES } from './block.js';
import { BlockStore, type RunStart } from './block.store.js';
import { LineMatcher } from './line-matcher.js';
import { Merge } from './merge.js';
import { countLines, searchLines } from './search.js';
import { SearchPool } from './search-pool.js';
import { SourceBlocks } from './source-blocks.js';
import {
  MAX_PENDING_BYTES,
  Writer,
  type BlockChange,
  type KnownBlock,
  type OpenedDatabase,
  type WriteRequest,
} from './writer.js';

export interface EmbeddedLogStoreOptions {
  /** Bytes of the newest blocks that stay uncompressed. Default: 256 MB, or a quarter of the total limit. */
  uncompressedBytes?: number;
  /** Milliseconds that a search may take. */
  searchDeadlineMs?: number;
}

const UNCOMPRESSED_BYTES = 256 * 1024 * 1024;
const SEARCH_DEADLINE_MS = 10_000;
const FLUSH_MS = 100;
const MAINTENANCE_MS = 1000;
/** Every reader of a page gives way to the rest of the process after so many blocks: they are read synchronously. */
const BLOCKS_AT_ONCE = 8;

/** The file of the store, and the folder of the store that earlier versions of Slipway had. */
const FILE = 'logs.db';
const EARLIER_FOLDER = 'logs';

/**
 * Opens the log store in a data folder, or creates it.
 * @throws Error if the file cannot be opened now, or was written by a newer version
 */
export async function openEmbeddedLogStore(
  folder: string,
  limits: RetentionLimits,
  options: EmbeddedLogStoreOptions = {},
): Promise<LogStore> {
  const moved = moveEarlierStore(folder);
  const path = join(folder, FILE);
  const uncompressedBytes =
    options.uncompressedBytes ?? Math.min(UNCOMPRESSED_BYTES, Math.ceil(limits.totalBytes / 4));
  const { writer, opened } = await Writer.open({ path, limits, uncompressedBytes, resumedRun: null });
  const notice = [moved, opened.notice].filter((part) => part !== null).join(' ');
  const deadlineMs = options.searchDeadlineMs ?? SEARCH_DEADLINE_MS;
  return new EmbeddedLogStore(path, writer, opened, notice || null, deadlineMs);
}

/** See docs/decisions: reading the earlier format would take more code than it is worth. */
function moveEarlierStore(folder: string): string | null {
  const earlier = join(folder, EARLIER_FOLDER);
  if (!existsSync(earlier)) return null;
  let place = `${earlier}.earlier-version`;
  for (let number = 2; existsSync(place); number += 1) place = `${earlier}.earlier-version-${number}`;
  renameSync(earlier, place);
  return `The log history of an earlier version of Slipway was moved to ${place}. This version cannot read it. Delete the folder when you no longer need it.`;
}

/** The log store that is part of Slipway: blocks of lines in one SQLite file. See ARCHITECTURE.md. */
class EmbeddedLogStore implements LogStore {
  readonly kind = 'embedded';
  readonly capabilities = LOG_STORE_CAPABILITIES.embedded;
  readonly run: number;
  private readonly sourcesById = new Map<number, SourceBlocks>();
  private readonly sourcesByKey = new Map<string, SourceBlocks>();
  private readonly runsBySource: Map<number, RunStart[]>;
  private readonly unflushed = new Set<SourceBlocks>();
  private reader: BlockStore | undefined;
  private readonly pool: SearchPool;
  private lastSource: number;
  private flushTimer: NodeJS.Timeout | undefined;
  private readonly maintenance: NodeJS.Timeout;
  private discardedLines = 0;
  private blocksRead = 0;

  constructor(
    private readonly path: string,
    private readonly writer: Writer,
    opened: OpenedDatabase,
    public notice: string | null,
    searchDeadlineMs: number,
  ) {
    this.run = opened.run;
    this.lastSource = opened.lastSource;
    this.runsBySource = Map.groupBy(opened.runs, ({ source }) => source);
    this.pool = new SearchPool(path, searchDeadlineMs);
    for (const row of opened.sources) this.register(new SourceBlocks(row));
    for (const block of opened.blocks) this.sourcesById.get(block.source)?.add(block);
    this.maintenance = setInterval(() => this.writer.send({ type: 'maintain' }), MAINTENANCE_MS).unref();
    writer.listener = {
      written: (blocks) => blocks.forEach((block) => delete block.data),
      changed: (change) => this.change(change),
      reopened: (again) => this.reopen(again),
    };
  }

  changedFrom(id: number, run: number): number {
    if (run === this.run) return Infinity;
    // No earlier run has handed out numbers of a source that is younger.
    return this.runsBySource.get(id)?.find((start) => start.run > run)?.nextSeq ?? 1;
  }

  source(identity: SourceIdentity): number {
    const known = this.sourcesByKey.get(identity.key);
    if (known) {
      known.isPresent = true;
      if (JSON.stringify(known.identity) !== JSON.stringify(identity)) {
        known.identity = identity;
        this.writer.send({ type: 'source', row: known.row });
      }
      return known.id;
    }
    this.lastSource += 1;
    const source = new SourceBlocks({ id: this.lastSource, identity, firstSeq: 1, nextSeq: 1, lastTime: 0 });
    source.isPresent = true;
    this.register(source);
    this.writer.send({ type: 'source', row: source.row });
    return source.id;
  }

  leave(id: number): void {
    const source = this.sourcesById.get(id);
    if (!source) return;
    source.isPresent = false;
    this.forgetIfEmpty(source);
  }

  sources(): readonly StoredSource[] {
    return [...this.sourcesById.values()].map(({ id, identity, extent }) => ({ id, identity, extent }));
  }

  extent(id: number): SourceExtent | undefined {
    return this.sourcesById.get(id)?.extent;
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    const source = this.required(id);
    const first = source.nextSeq;
    if (lines.length === 0) return first;
    if (this.writer.pendingBytes > MAX_PENDING_BYTES) {
      // The disk has refused lines for long. These keep their numbers, and the live view has them.
      this.write([source]);
      source.nextSeq += lines.length;
      this.discardedLines += lines.length;
      return first;
    }
    this.unflushed.add(source);
    if (source.append(lines) >= FULL_BLOCK_BYTES) this.write([source]);
    else this.flushTimer ??= setTimeout(() => this.writeAll(), FLUSH_MS);
    return first;
  }

  async room(): Promise<void> {
    await this.writer.room();
  }

  async flush(): Promise<void> {
    this.writeAll();
    await this.writer.flush();
  }

  async lines(id: number, from: number, limit: number, maxBytes = Infinity): Promise<LogLine[]> {
    const source = this.required(id);
    const lines: LogLine[] = [];
    let bytes = 0;
    let next = Math.max(from, source.firstSeq);
    for (const known of source.snapshot()) {
      if (known.endSeq <= next) continue;
      const block = await this.read(known);
      if (!block) continue;
      for (let index = Math.max(0, next - block.info.firstSeq); index < block.count; index += 1) {
        if (lines.length >= limit || bytes >= maxBytes) return lines;
        lines.push(block.line(index));
        bytes += block.bytesOf(index);
      }
      next = block.info.endSeq;
    }
    return lines;
  }

  async seqAt(id: number, time: number): Promise<number> {
    return await this.merge([id]).positionAt(time);
  }

  async page(ids: readonly number[], position: number, request: PageRequest): Promise<LogPage> {
    return await this.merge(ids).page(position, request);
  }

  async positionOf(ids: readonly number[], id: number, seq: number): Promise<number> {
    const position = await this.merge(ids).positionOf(id, seq);
    if (position === undefined) {
      throw new DomainError('line_not_found', `Line ${seq} of source ${id} is not stored.`);
    }
    return position;
  }

  async positionAt(ids: readonly number[], time: number): Promise<number> {
    return await this.merge(ids).positionAt(time);
  }

  search(search: LogSearch, signal: AbortSignal): AsyncIterable<SearchEvent> {
    new LineMatcher(search);
    return this.searchEvents(search, signal);
  }

  async histogram(query: LogQuery, buckets: number, signal: AbortSignal): Promise<Histogram> {
    return await countLines(this.chosen(query.sources), query, buckets, this.pool, signal);
  }

  async delete(id: number): Promise<{ lines: number; bytes: number }> {
    const source = this.required(id);
    const { firstSeq, nextSeq, bytes } = source.extent;
    source.drop(nextSeq);
    this.unflushed.delete(source);
    const { lastTime } = source;
    this.writer.send({ type: 'delete', source: id, firstSeq: nextSeq, lastTime });
    this.forgetIfEmpty(source);
    if (!(await this.writer.flush())) {
      throw new DomainError(
        'storage_unavailable',
        `The lines are hidden but not yet deleted, because ${this.writer.failure ?? 'the store was closed'}. Slipway retries. Until it succeeds, a restart may show the lines again. Check that the disk of the data folder has free space and is writable.`,
      );
    }
    return { lines: nextSeq - firstSeq, bytes };
  }

  async enforceRetention(): Promise<void> {
    this.writeAll();
    this.writer.send({ type: 'maintain' });
    await this.writer.flush();
  }

  status(): LogStoreStatus {
    const { failure, pendingBytes, bytesOnDisk } = this.writer;
    return {
      state: failure === null ? 'ok' : 'degraded',
      reason:
        failure &&
        `Slipway cannot write log lines: ${failure}. They wait in memory and Slipway retries. Check that the disk of the data folder has free space and is writable.`,
      pendingBytes,
      discardedLines: this.discardedLines,
      bytesOnDisk,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.maintenance);
    this.writeAll();
    this.closeReaders();
    await this.writer.close();
  }

  private closeReaders(): void {
    this.reader?.close();
    this.reader = undefined;
    this.pool.close();
  }

  private async *searchEvents(
    search: LogSearch,
    signal: AbortSignal,
  ): AsyncGenerator<SearchEvent, void, undefined> {
    const cursor = search.cursor && (await this.withEffectiveTime(search.cursor));
    yield* searchLines(this.chosen(search.sources), search, cursor, this.pool, signal);
  }

  private async withEffectiveTime(cursor: SearchCursor): Promise<SearchCursor> {
    const { source, seq } = cursor;
    const known = this.sourcesById
      .get(source)
      ?.snapshot()
      .find(({ firstSeq, endSeq }) => firstSeq <= seq && seq < endSeq);
    const block = known && (await this.read(known));
    return { ...cursor, time: block?.effectiveTimes[seq - block.info.firstSeq] ?? cursor.time };
  }

  private register(source: SourceBlocks): void {
    this.sourcesById.set(source.id, source);
    this.sourcesByKey.set(source.identity.key, source);
  }

  private required(id: number): SourceBlocks {
    const source = this.sourcesById.get(id);
    if (!source) throw new Error(`source ${id} is unknown`);
    return source;
  }

  private chosen(ids: readonly number[] | null): SourceBlocks[] {
    if (ids === null) return [...this.sourcesById.values()];
    return [...new Set(ids)].map((id) => this.sourcesById.get(id)).filter((source) => source !== undefined);
  }

  private merge(ids: readonly number[]): Merge {
    return new Merge(this.chosen(ids), (known) => this.read(known));
  }

  /** Undefined if the block was deleted since, or is damaged. */
  private async read(known: KnownBlock): Promise<Block | undefined> {
    if (known.data) return new Block(known, known.data);
    this.blocksRead += 1;
    if (this.blocksRead % BLOCKS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    try {
      this.reader ??= BlockStore.openReader(this.path);
      const [row] = this.reader.find(known.source, known.firstSeq, known.firstSeq + 1);
      return row && new Block(row, this.reader.data(row));
    } catch {
      return undefined;
    }
  }

  private writeAll(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    this.write([...this.unflushed]);
  }

  private write(sources: readonly SourceBlocks[]): void {
    for (const source of sources) this.unflushed.delete(source);
    const blocks = sources.map((source) => source.flush()).filter((block) => block !== undefined);
    if (blocks.length > 0) this.writer.send({ type: 'write', blocks });
  }

  private change(change: BlockChange): void {
    if (change.type === 'merged') {
      this.sourcesById.get(change.block.source)?.merge(change.block);
      return;
    }
    const source = this.sourcesById.get(change.source);
    source?.drop(change.firstSeq);
    if (source) this.forgetIfEmpty(source);
  }

  private forgetIfEmpty(source: SourceBlocks): void {
    if (source.isPresent || !source.isEmpty) return;
    this.sourcesById.delete(source.id);
    this.sourcesByKey.delete(source.identity.key);
    this.writer.send({ type: 'remove', source: source.id });
  }

  /** The file may be another one now: the sources are stored again, before the lines that wait. */
  private reopen(opened: OpenedDatabase): WriteRequest[] {
    if (opened.notice !== null) this.notice = opened.notice;
    this.closeReaders();
    const bySource = Map.groupBy(opened.blocks, ({ source }) => source);
    for (const source of this.sourcesById.values()) source.reset(bySource.get(source.id) ?? []);
    return [...this.sourcesById.values()].map(({ row }) => ({ type: 'source', row }));
  }
}
