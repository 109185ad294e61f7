import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { isDatabaseDamage, primaryCode } from '../../../core/errors/storage-failure.js';
import { freeMemory } from '../../../core/threads/free-memory.js';
import { Block, FULL_BLOCK_BYTES, mergeBlocks, type BlockData } from './block.js';
import { BlockStore, type BlockRow } from './block.store.js';
import type { BlockChange, OpenedDatabase, WriteRequest, WriteResponse, WriterOptions } from './writer.js';

/** Small blocks of a source that are merged, and how many are looked at. */
const MERGED_BLOCKS = 16;
const MAX_MERGED_BLOCKS = 256;
const DAY_US = 24 * 60 * 60 * 1_000_000;
/** Part of a limit that is freed at once. */
const SPARE = 0.02;
const SLACK_BYTES = 8 * 1024 * 1024;

const { path, limits, uncompressedBytes, resumedRun } = workerData as WriterOptions;
/** Most bytes of the write-ahead log, and of blocks between maintenances; a quarter of it for free pages to be used again. */
const slack = Math.min(SLACK_BYTES, limits.totalBytes / 16);
/** Pages (of 4 KB) and blocks for one step of a maintenance, so that the write-ahead log grows by less than `slack`. */
const shrunkPages = Math.ceil(slack / 2 / 4096);
const blocksAtOnce = Math.ceil(slack / FULL_BLOCK_BYTES / 4);
const store = BlockStore.open(path, resumedRun !== null);
const { database } = store;
let maintenance: Promise<void> | undefined;
/** Bytes written since the last maintenance; the first one looks at everything. */
let writtenBytes = Infinity;
let bytesOnDisk = 0;
/** Deleted lines are still in the write-ahead log. */
let isErasing = false;
/** For the next response. */
const changes: BlockChange[] = [];

function open(): OpenedDatabase {
  const sources = store.sources();
  // The clock gives a run another number even if the file with the earlier ones was lost.
  const run = resumedRun ?? Math.max(Date.now(), (store.runs().at(-1)?.run ?? 0) + 1);
  if (resumedRun === null) database.transaction(() => store.beginRun(run, sources));
  const [runs, blocks] = [store.runs(), store.all()];
  return { run, runs, sources, lastSource: store.lastSource(), blocks, notice: store.notice };
}

function apply(request: WriteRequest): void {
  if (request.type === 'write') {
    for (const block of request.blocks) {
      if (!block.data || !store.isNew(block)) continue;
      store.add(block, block.data, false);
      writtenBytes += block.diskBytes;
      release(block.data);
    }
  } else if (request.type === 'maintain') {
    removeAll(store.before(Date.now() * 1000 - limits.maxAgeDays * DAY_US));
    if (writtenBytes === 0) return;
    for (const { source, excess } of store.sourcesAbove(limits.bytesPerSource)) {
      drop(source, excess + limits.bytesPerSource * SPARE);
    }
  } else if (request.type === 'source') store.saveSource(request.row);
  else if (request.type === 'remove') store.removeSource(request.source);
  else if (request.type === 'delete') {
    writtenBytes += 1;
    store.removeBefore(request.source, request.firstSeq, request.lastTime);
  }
}

/** Merges and compresses blocks, in steps between which requests are applied. */
async function maintain(): Promise<void> {
  if (writtenBytes === 0) return;
  writtenBytes = 0;
  for (const { source } of store.sourcesToMerge(FULL_BLOCK_BYTES, MERGED_BLOCKS)) {
    merge(source);
    await endStep();
  }
  while (store.uncompressedBytes() > uncompressedBytes) {
    database.transaction(() => store.oldestUncompressed(blocksAtOnce).forEach(compress));
    await endStep();
  }
  while (database.size().free > slack / 4) {
    database.shrink(shrunkPages);
    await endStep();
  }
}

async function endStep(): Promise<void> {
  enforceTotalLimit();
  await turn();
}

/** Before more is written, so that the limit holds in a flood, too. */
function enforceTotalLimit(): void {
  if (database.size().log > slack) checkpoint();
  const excess = (): number => database.size().used + database.size().log + slack - limits.totalBytes;
  while (excess() > 0 && drop(null, excess() + limits.totalBytes * SPARE)) checkpoint();
}

/** Drops the oldest blocks of one source, or of all, until so many bytes are free. @returns whether there were any */
function drop(source: number | null, bytes: number): boolean {
  const blocks = store.oldest(source, MAX_MERGED_BLOCKS);
  let freed = 0;
  const dropped = blocks.filter(({ diskBytes }) => (freed += diskBytes) - diskBytes < bytes);
  removeAll(dropped);
  return dropped.length > 0;
}

function removeAll(blocks: readonly Pick<BlockRow, 'source' | 'endSeq' | 'lastTime'>[]): void {
  if (blocks.length === 0) return;
  database.transaction(() => {
    for (const { source, endSeq, lastTime } of blocks) store.removeBefore(source, endSeq, lastTime);
  });
  for (const { source, endSeq } of blocks) changes.push({ source, firstSeq: endSeq });
}

/**
 * Merges the newest small blocks of a source: all of them if they fill a block, else up to the first one that is more than
 * twice as large as those after it together (universal compaction, as in RocksDB), so that lines are not copied too often.
 */
function merge(source: number): void {
  const small: BlockRow[] = [];
  for (const row of store.newest(source, MAX_MERGED_BLOCKS)) {
    // Numbers within a block follow each other.
    const follows = small.length === 0 || small.at(-1)?.firstSeq === row.endSeq;
    if (row.textBytes >= FULL_BLOCK_BYTES || row.compressed || !follows) break;
    small.push(row);
  }
  const isFull = small.reduce((sum, { textBytes }) => sum + textBytes, 0) >= FULL_BLOCK_BYTES;
  const rows: BlockRow[] = [];
  let bytes = 0;
  for (const row of small) {
    if (!isFull && rows.length >= 2 && row.textBytes > 2 * bytes) break;
    rows.unshift(row);
    bytes += row.textBytes;
  }
  if (rows.length < 2) return;
  const blocks = rows.flatMap((row) => readBlock(row) ?? []);
  if (blocks.length < rows.length) return;
  const block = mergeBlocks(blocks);
  database.transaction(() => {
    for (const row of rows) store.remove(row);
    store.add(block, block.data, false);
  });
  changes.push({ source, firstSeq: block.firstSeq, merged: { ...block, data: undefined } });
  for (const { data } of [...blocks, block]) release(data);
}

function release({ columns, text }: BlockData): void {
  freeMemory(columns);
  freeMemory(text);
}

/** Reads a block. A damaged one is removed, because its lines are lost. */
function readBlock(row: BlockRow): Block | undefined {
  try {
    return new Block(row, store.data(row));
  } catch (error) {
    if (primaryCode(error) !== undefined) throw error;
    store.remove(row);
    return undefined;
  }
}

function compress(row: BlockRow): void {
  const block = readBlock(row);
  if (!block) return;
  store.remove(row);
  store.add(row, block.data, true);
}

/** @returns false if another connection reads; try again later */
function checkpoint(): boolean {
  try {
    database.checkpoint();
    return true;
  } catch (error) {
    if (primaryCode(error) !== undefined) throw error;
    return false;
  }
}

/** Ends the thread if the file is damaged: the next one checks it, and sets it aside. */
function throwIfDamaged(error: unknown): void {
  if (isDatabaseDamage(error)) throw error;
}

/** @returns why the request could not be applied; null if it was */
function tryApply(request: WriteRequest): string | null {
  try {
    database.transaction(() => apply(request));
    if (request.type === 'delete') {
      // Data deleted on request must not stay in free pages or in the write-ahead log.
      database.shrink(Number.MAX_SAFE_INTEGER);
      isErasing = true;
    }
    if (isErasing) isErasing = !checkpoint();
    enforceTotalLimit();
    const { used, free, log } = database.size();
    bytesOnDisk = used + free + log;
    return null;
  } catch (error) {
    throwIfDamaged(error);
    return reasonOf(error);
  }
}

parentPort?.on('message', (request: WriteRequest) => {
  if (request.type === 'close') {
    database.close();
    process.exit();
  }
  const response: WriteResponse = { failure: tryApply(request), bytesOnDisk, changes: changes.splice(0) };
  parentPort?.postMessage(response);
  if (request.type !== 'maintain' && writtenBytes <= slack) return;
  // If the disk refuses, the next maintenance tries again, and requests that fail report it.
  maintenance ??= maintain()
    .catch(throwIfDamaged)
    .finally(() => (maintenance = undefined));
});

parentPort?.postMessage(open());
