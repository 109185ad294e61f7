import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError, guardedInterval, guardedTimeout } from '../../../core/errors/index.js';
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
import type { RunStart, SourceExtent, SourceIdentity, StoredSource } from '../log-source.js';
import {
  LOG_STORE_CAPABILITIES,
  type LogStore,
  type LogStoreStatus,
  type RetentionLimits,
} from '../log-store.js';
import { Block, FULL_BLOCK_BYTES } from './block.js';
import { BlockStore, type SourceRow } from './block.store.js';
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
  type WriterListener,
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
class EmbeddedLogStore implements LogStore, WriterListener {
  readonly kind = 'embedded';
  readonly capabilities = LOG_STORE_CAPABILITIES.embedded;
  readonly run: number;
  private readonly sourcesById = new Map<number, SourceBlocks>();
  private readonly sourcesByKey = new Map<string, SourceBlocks>();
  private readonly runsBySource: Map<number, RunStart[]>;
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
    for (const row of opened.sources) this.register(row);
    for (const block of opened.blocks) this.sourcesById.get(block.source)?.add(block);
    const maintain = (): void => this.writer.send({ type: 'maintain' });
    this.maintenance = guardedInterval(maintain, MAINTENANCE_MS, 'maintain the log store').unref();
    writer.listener = this;
  }

  changedFrom(id: number, run: number): number {
    if (run === this.run) return Infinity;
    // No earlier run has handed out numbers of a source that is younger.
    return this.runsBySource.get(id)?.find((start) => start.run > run)?.nextSeq ?? 1;
  }

  source(identity: SourceIdentity): number {
    const known = this.sourcesByKey.get(identity.key);
    const isChanged = JSON.stringify(known?.row.identity) !== JSON.stringify(identity);
    const source =
      known ?? this.register({ id: (this.lastSource += 1), identity, firstSeq: 1, nextSeq: 1, lastTime: 0 });
    source.isPresent = true;
    source.row.identity = identity;
    // A copy: numbers that are given meanwhile must not be stored before their lines.
    if (isChanged) this.writer.send({ type: 'source', row: { ...source.row } });
    return source.row.id;
  }

  leave(id: number): void {
    const source = this.sourcesById.get(id);
    if (!source) return;
    source.isPresent = false;
    this.forgetIfEmpty(source);
  }

  sources(): readonly StoredSource[] {
    const sources = [...this.sourcesById.values()];
    return sources.map(({ row: { id, identity }, extent }) => ({ id, identity, extent }));
  }

  extent(id: number): SourceExtent | undefined {
    return this.sourcesById.get(id)?.extent;
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    const source = this.required(id);
    const first = source.row.nextSeq;
    if (lines.length === 0) return first;
    if (this.writer.pendingBytes > MAX_PENDING_BYTES) {
      // The disk has refused lines for long. These keep their numbers, and the live view has them.
      this.write([source]);
      source.row.nextSeq += lines.length;
      this.discardedLines += lines.length;
      return first;
    }
    if (source.append(lines) >= FULL_BLOCK_BYTES) this.write([source]);
    else this.flushTimer ??= guardedTimeout(() => this.writeAll(), FLUSH_MS, 'write log lines');
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
    for (let next = from, known = source.blockAt(next); known; known = source.blockAt(next)) {
      const block = await this.read(known);
      const first = block?.info.firstSeq ?? 0;
      for (let index = Math.max(0, next - first); block && index < block.count; index += 1) {
        if (lines.length >= limit || bytes >= maxBytes) return lines;
        lines.push(block.line(index));
        bytes += block.bytesOf(index);
      }
      // The read block may be one that known blocks were merged into.
      next = Math.max(known.endSeq, block?.info.endSeq ?? 0);
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
    const cursor = this.withEffectiveTime(search.cursor);
    return searchLines(this.chosen(search.sources), search, cursor, this.pool, signal);
  }

  async histogram(query: LogQuery, buckets: number, signal: AbortSignal): Promise<Histogram> {
    return await countLines(this.chosen(query.sources), query, buckets, this.pool, signal);
  }

  async delete(id: number): Promise<{ lines: number; bytes: number }> {
    const source = this.required(id);
    const { firstSeq, nextSeq, bytes } = source.extent;
    source.drop(nextSeq);
    this.writer.send({ type: 'delete', source: id, firstSeq: nextSeq, lastTime: source.row.lastTime });
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
    this.reader?.database.close();
    this.reader = undefined;
    this.pool.close();
  }

  private async withEffectiveTime(cursor: SearchCursor | null): Promise<SearchCursor | null> {
    if (!cursor) return null;
    const { source, seq, time } = cursor;
    const known = this.sourcesById.get(source)?.blockAt(seq);
    const block = known && (await this.read(known));
    return { ...cursor, time: block?.effectiveTimes[seq - block.info.firstSeq] ?? time };
  }

  private register(row: SourceRow): SourceBlocks {
    const source = new SourceBlocks(row);
    this.sourcesById.set(row.id, source);
    this.sourcesByKey.set(row.identity.key, source);
    return source;
  }

  private required(id: number): SourceBlocks {
    const source = this.sourcesById.get(id);
    if (!source) throw new Error(`source ${id} is unknown`);
    return source;
  }

  private chosen(ids: readonly number[] | null): SourceBlocks[] {
    if (ids === null) return [...this.sourcesById.values()];
    return [...new Set(ids)].flatMap((id) => this.sourcesById.get(id) ?? []);
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
      const reader = (this.reader ??= BlockStore.openReader(this.path));
      // Between the two reads, the block may be merged into another one or compressed, which replaces it.
      return reader.database.transaction(() => {
        const [row] = reader.find(known.source, known.firstSeq, known.firstSeq + 1);
        return row && new Block(row, reader.data(row));
      });
    } catch {
      return undefined;
    }
  }

  private writeAll(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    this.write([...this.sourcesById.values()]);
  }

  private write(sources: readonly SourceBlocks[]): void {
    const blocks = sources.flatMap((source) => source.flush() ?? []);
    if (blocks.length > 0) this.writer.send({ type: 'write', blocks });
  }

  changed({ source: id, firstSeq, merged }: BlockChange): void {
    const source = this.sourcesById.get(id);
    if (merged) source?.merge(merged);
    else source?.drop(firstSeq);
    if (source) this.forgetIfEmpty(source);
  }

  private forgetIfEmpty(source: SourceBlocks): void {
    if (source.isPresent || !source.isEmpty) return;
    const { id, identity } = source.row;
    this.sourcesById.delete(id);
    this.sourcesByKey.delete(identity.key);
    this.writer.send({ type: 'remove', source: id });
  }

  /** The file may be another one now: the sources are stored again, before the lines that wait. */
  reopened(opened: OpenedDatabase): WriteRequest[] {
    if (opened.notice !== null) this.notice = opened.notice;
    this.closeReaders();
    const bySource = Map.groupBy(opened.blocks, ({ source }) => source);
    for (const source of this.sourcesById.values()) source.reset(bySource.get(source.row.id) ?? []);
    return [...this.sourcesById.values()].map(({ row }) => ({ type: 'source', row: { ...row } }));
  }
}
