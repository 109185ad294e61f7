import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { primaryCode } from '../../../core/errors/storage-failure.js';
import { giveBack } from '../../../core/threads/index.js';
import { Block, FULL_BLOCK_BYTES, mergeBlocks, type BlockInfo } from './block.js';
import { BlockStore, type BlockRow } from './block.store.js';
import type { OpenedDatabase, WriteRequest, WriterEvent, WriterOptions } from './writer.js';

/** Small blocks of a source that are merged, and how many are looked at. */
const MERGED_BLOCKS = 16;
const MAX_MERGED_BLOCKS = 256;
const DAY_US = 24 * 60 * 60 * 1_000_000;
/** Part of a limit that is freed at once. */
const SPARE = 0.02;
const SLACK_BYTES = 8 * 1024 * 1024;
const SHRUNK_PAGES = 2000;
const BLOCKS_AT_ONCE = 8;
/** SQLite's primary result codes CORRUPT and NOTADB. */
const DAMAGE = new Set([11, 26]);

const { path, limits, uncompressedBytes, resumedRun } = (workerData as { data: WriterOptions }).data;
/** Most bytes of the write-ahead log, of free pages that are kept to be used again, and of blocks between maintenances. */
const slack = Math.min(SLACK_BYTES, limits.totalBytes / 16);
const store = BlockStore.open(path, resumedRun !== null);
let maintenance: Iterator<void> | undefined;
/** Bytes written since the last maintenance; the first one looks at everything. */
let writtenBytes = Infinity;

function post(event: WriterEvent): void {
  parentPort?.postMessage(event);
}

function open(): OpenedDatabase {
  const sources = store.sources();
  // The clock gives a run another number even if the file with the earlier ones was lost.
  const run = resumedRun ?? Math.max(Date.now(), (store.runs().at(-1)?.run ?? 0) + 1);
  if (resumedRun === null) store.transaction(() => store.beginRun(run, sources));
  const [runs, blocks] = [store.runs(), store.all()];
  return { run, runs, sources, lastSource: store.lastSource(), blocks, notice: store.notice };
}

function apply(request: WriteRequest): void {
  switch (request.type) {
    case 'write':
      for (const block of request.blocks) {
        if (!block.data || !store.isNew(block)) continue;
        store.add(block, block.data, false);
        writtenBytes += block.diskBytes;
        // Without waiting for the collector, which counts such bytes late.
        giveBack(block.data.text);
      }
      return;
    case 'source':
      store.saveSource(request.row);
      return;
    case 'delete':
      writtenBytes += 1;
      store.removeBefore(request.source, request.firstSeq, request.lastTime);
      return;
    case 'remove':
      store.removeSource(request.source);
      return;
    case 'maintain':
    case 'close':
  }
}

/** Merges, compresses and drops blocks, in steps between which requests are applied. */
function* maintain(): Generator<void> {
  dropOld();
  if (writtenBytes === 0) return;
  writtenBytes = 0;
  for (const { source, excess } of store.sourcesAbove(limits.bytesPerSource)) {
    drop(source, excess + limits.bytesPerSource * SPARE);
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
  while (store.size().free > slack) {
    store.shrink(SHRUNK_PAGES);
    yield;
  }
}

/** Before more is written, so that the limit holds in a flood, too. */
function enforceTotalLimit(): void {
  if (store.size().log > slack) checkpoint();
  const excess = (): number => store.size().used + store.size().log + slack - limits.totalBytes;
  while (excess() > 0 && drop(null, excess() + limits.totalBytes * SPARE)) checkpoint();
}

function dropOld(): void {
  removeAll(store.before(Date.now() * 1000 - limits.maxAgeDays * DAY_US));
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
  store.transaction(() => {
    for (const { source, endSeq, lastTime } of blocks) store.removeBefore(source, endSeq, lastTime);
  });
  for (const { source, endSeq } of blocks) post({ type: 'dropped', source, firstSeq: endSeq });
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
  const blocks = rows.flatMap((row) => readBlock(row) ?? []);
  if (blocks.length < rows.length) return;
  const block = mergeBlocks(blocks);
  store.transaction(() => {
    for (const row of rows) store.remove(row);
    store.add(block, block.data, false);
  });
  post({ type: 'merged', block: { ...block, data: undefined } });
}

/** One that is damaged is removed: nobody can read it. */
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

/** Ends the thread if the file is damaged: the next one checks it, and sets it aside. */
function throwIfDamaged(error: unknown): void {
  if (DAMAGE.has(primaryCode(error) ?? 0)) throw error;
}

function step(): void {
  try {
    if (maintenance?.next().done !== false) maintenance = undefined;
  } catch (error) {
    throwIfDamaged(error);
    // The disk refuses: the next maintenance tries again, and requests that fail report it.
    maintenance = undefined;
  }
  if (maintenance) setImmediate(step);
}

parentPort?.on('message', (request: WriteRequest) => {
  if (request.type === 'close') {
    store.close();
    process.exit();
  }
  try {
    store.transaction(() => apply(request));
    if (request.type === 'delete') erase();
    enforceTotalLimit();
    const { used, free, log } = store.size();
    post({ type: 'applied', bytesOnDisk: used + free + log });
  } catch (error) {
    throwIfDamaged(error);
    post({ type: 'failed', reason: reasonOf(error) });
  }
  const isDue = request.type === 'maintain' || writtenBytes > slack;
  if (!isDue || maintenance) return;
  maintenance = maintain();
  setImmediate(step);
});

post({ type: 'opened', opened: open() });
