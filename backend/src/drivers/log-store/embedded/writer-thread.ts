import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { primaryCode } from '../../../core/errors/storage-failure.js';
import { Block, FULL_BLOCK_BYTES, mergeBlocks, type BlockData, type BlockInfo } from './block.js';
import { BlockStore, type BlockRow } from './block.store.js';
import type { WriteRequest, WriterEvent, WriterMessage, WriterOptions } from './writer.js';

/** Small blocks of a source that are merged, and how many are looked at. */
const MERGED_BLOCKS = 16;
const MAX_MERGED_BLOCKS = 256;
const DAY_US = 24 * 60 * 60 * 1_000_000;
/** Part of a limit that is freed at once. */
const SPARE = 0.02;
const MAX_LOG_BYTES = 8 * 1024 * 1024;
/** Free pages stay in the file up to this size, to be used again. */
const MAX_FREE_BYTES = 8 * 1024 * 1024;
const SHRUNK_PAGES = 2000;
const BLOCKS_AT_ONCE = 8;
/** SQLite's primary result codes CORRUPT and NOTADB. */
const DAMAGE = new Set([11, 26]);

const { path, limits, uncompressedBytes, resumedRun } = (workerData as { data: WriterOptions }).data;
const store = BlockStore.open(path, resumedRun !== null);
/** Number of the request that is applied next; undefined before the first one. */
let expected: number | undefined;
let maintenance: Iterator<void> | undefined;
let writtenBytes = 0;

function post(event: WriterEvent): void {
  parentPort?.postMessage(event);
}

function open(): void {
  const sources = store.sources();
  const runs = store.runs();
  // The clock gives a run another number even if the file with the earlier ones was lost.
  const run = resumedRun ?? Math.max(Date.now(), (runs.at(-1)?.run ?? 0) + 1);
  if (resumedRun === null) store.transaction(() => store.beginRun(run, sources));
  const lastSource = store.lastSource();
  post({
    type: 'opened',
    run,
    runs: store.runs(),
    sources,
    lastSource,
    blocks: store.all(),
    notice: store.notice,
  });
}

function apply(request: WriteRequest): void {
  switch (request.type) {
    case 'write':
      for (const block of request.blocks) {
        if (!block.data || !store.isNew(block)) continue;
        store.add(block, block.data, false);
        writtenBytes += block.diskBytes;
      }
      return;
    case 'source':
      store.saveSource(request.row);
      return;
    case 'delete':
      store.removeBefore(request.source, request.firstSeq, request.lastTime);
      return;
    case 'remove':
      store.removeSource(request.source);
      return;
    case 'maintain':
      maintenance ??= maintain();
  }
}

/** Merges, compresses and drops blocks, in steps between which requests are applied. */
function* maintain(): Generator<void> {
  writtenBytes = 0;
  if (store.size().log > Math.min(MAX_LOG_BYTES, limits.totalBytes / 16)) checkpoint();
  yield* dropOld();
  for (const { source, excess } of store.sourcesAbove(limits.bytesPerSource)) {
    drop(source, excess + limits.bytesPerSource * SPARE);
    yield;
  }
  for (let excess = totalExcess(); excess > 0; excess = totalExcess()) {
    if (!drop(null, excess + limits.totalBytes * SPARE)) break;
    checkpoint();
    yield;
  }
  for (const { source } of store.sourcesToMerge(FULL_BLOCK_BYTES, MERGED_BLOCKS)) {
    merge(source);
    yield;
  }
  while (store.uncompressedBytes() > uncompressedBytes) {
    store.transaction(() => store.oldestUncompressed(BLOCKS_AT_ONCE).forEach(compress));
    yield;
  }
  while (store.size().free > Math.min(MAX_FREE_BYTES, limits.totalBytes / 16)) {
    store.shrink(SHRUNK_PAGES);
    yield;
  }
}

function totalExcess(): number {
  const { used, log } = store.size();
  return used + log - limits.totalBytes;
}

function* dropOld(): Generator<void> {
  const oldest = Date.now() * 1000 - limits.maxAgeDays * DAY_US;
  for (
    let [block] = store.oldest(null, 1);
    block && block.lastTime < oldest;
    [block] = store.oldest(null, 1)
  ) {
    drop(null, block.diskBytes);
    yield;
  }
}

/** Drops the oldest blocks of one source, or of all, until so many bytes are free. @returns whether there were any */
function drop(source: number | null, bytes: number): boolean {
  const blocks = store.oldest(source, MAX_MERGED_BLOCKS);
  let freed = 0;
  const dropped = blocks.filter(({ diskBytes }) => (freed += diskBytes) - diskBytes < bytes);
  store.transaction(() => {
    for (const block of dropped) store.removeBefore(block.source, block.endSeq, block.lastTime);
  });
  for (const { source: of, endSeq } of dropped) post({ type: 'dropped', source: of, firstSeq: endSeq });
  return dropped.length > 0;
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
  const isFull = textBytesOf(small) >= FULL_BLOCK_BYTES;
  let count = Math.min(2, small.length);
  while (
    count < small.length &&
    (isFull || (small[count]?.textBytes ?? 0) <= 2 * textBytesOf(small.slice(0, count)))
  ) {
    count += 1;
  }
  const rows = small.slice(0, count).reverse();
  if (rows.length < 2) return;
  const blocks = rows
    .map((row) => [row, dataOf(row)] as const)
    .map(([row, data]) => data && new Block(row, data));
  if (!blocks.every((block) => block !== undefined)) return;
  const block = mergeBlocks(blocks);
  store.transaction(() => {
    for (const row of rows) store.remove(row);
    store.add(block, block.data, false);
  });
  const { data: _, ...info } = block;
  post({ type: 'merged', block: info satisfies BlockInfo });
}

function compress(row: BlockRow): void {
  const data = dataOf(row);
  if (!data) return;
  store.remove(row);
  store.add(row, data, true);
}

/** The data of a block. One that is damaged is removed: nobody can read it. */
function dataOf(row: BlockRow): BlockData | undefined {
  try {
    return store.data(row);
  } catch (error) {
    if (primaryCode(error) !== undefined) throw error;
    store.remove(row);
    return undefined;
  }
}

function textBytesOf(blocks: readonly BlockInfo[]): number {
  return blocks.reduce((sum, { textBytes }) => sum + textBytes, 0);
}

/** What was deleted on request must not stay in free pages or in the write-ahead log. */
function erase(): void {
  store.shrink(Number.MAX_SAFE_INTEGER);
  checkpoint();
}

function checkpoint(): void {
  try {
    store.checkpoint();
  } catch (error) {
    // Somebody reads: it is tried again.
    if (primaryCode(error) !== undefined) throw error;
  }
}

/** @returns whether it worked. Ends the thread if the file is damaged: the next one checks it, and sets it aside. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (DAMAGE.has(primaryCode(error) ?? 0)) throw error;
    post({ type: 'failed', reason: reasonOf(error) });
    return false;
  }
}

function step(): void {
  attempt(() => {
    if (maintenance?.next().done !== false) maintenance = undefined;
  }) || (maintenance = undefined);
  if (maintenance) setImmediate(step);
}

parentPort?.on('message', (message: WriterMessage) => {
  if (message === 'close') {
    store.close();
    process.exit();
  }
  const { id, request } = message;
  expected ??= id;
  if (id !== expected) return;
  const isIdle = !maintenance;
  if (!attempt(() => store.transaction(() => apply(request)))) return;
  if (request.type === 'delete' && !attempt(erase)) return;
  expected += 1;
  const { used, free, log } = store.size();
  post({ type: 'done', id, bytesOnDisk: used + free + log });
  if (writtenBytes > Math.min(MAX_LOG_BYTES, limits.totalBytes / 16)) maintenance ??= maintain();
  if (isIdle && maintenance) setImmediate(step);
});

open();
