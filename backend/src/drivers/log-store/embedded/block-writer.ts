import { BlockBuilder, type Block, type BlockInfo, type StoredBlock } from './block.js';
import { BlockStore } from './block.store.js';
import { trigramFilterOf } from './trigram-filter.js';
import type { OpenedDatabase, WriteRequest, WriterEvent, WriterOptions } from './writer-messages.js';

/** Text of a full block. Larger ones make pages slower to read, smaller ones compress worse. */
export const FULL_BLOCK_BYTES = 256 * 1024;
/** So many small blocks of a source are merged. */
const MERGED_BLOCKS = 16;
/** Smaller blocks are read as quickly as their filter. */
const MIN_FILTERED_BYTES = 16 * 1024;
const DAY_US = 24 * 60 * 60 * 1_000_000;
/** Part of the total limit that is freed at once. */
const SPARE = 0.02;
const MAX_LOG_BYTES = 8 * 1024 * 1024;
/** Free pages stay in the file up to this size, to be used again. */
const MAX_FREE_BYTES = 8 * 1024 * 1024;
const SHRUNK_PAGES = 2000;
const COMPRESSED_AT_ONCE = 4;

type DroppedBlock = BlockInfo & { compressed: number };

/** Applies requests to the database, and merges, compresses and drops blocks in small steps between them. */
export class BlockWriter {
  private readonly store: BlockStore;
  /** Small blocks at the end of each source, oldest first. */
  private readonly tails = new Map<number, BlockInfo[]>();
  private readonly mergeable = new Set<number>();
  private readonly bytesBySource = new Map<number, number>();
  private readonly overLimit = new Set<number>();
  /** Number of the first line that is stored, of each known source. */
  private readonly floors = new Map<number, number>();
  private readonly ends = new Map<number, number>();
  private uncompressed = 0;
  readonly opened: OpenedDatabase;

  /** @throws Error if the file cannot be opened now, or was written by a newer version */
  constructor(
    private readonly options: WriterOptions,
    private readonly report: (event: WriterEvent) => void,
  ) {
    this.store = BlockStore.open(options.path, options.resumedRun !== null);
    const sources = this.store.sources();
    for (const { id, firstSeq } of sources) this.floors.set(id, firstSeq);
    const blocks = this.store.infos();
    for (const block of blocks) this.track(block, block.compressed === 1);
    this.opened = {
      type: 'opened',
      ...this.beginRun(sources),
      sources,
      lastSource: this.store.lastSource(),
      blocks,
      notice: this.notice(),
    };
  }

  get bytesOnDisk(): number {
    const { used, free, log } = this.store.size();
    return used + free + log;
  }

  /** @throws Error if the disk or the database refuses; nothing has changed then */
  apply(request: WriteRequest): void {
    switch (request.type) {
      case 'write':
        this.write(request.blocks);
        return;
      case 'source':
        this.store.transaction(() => this.store.saveSource(request.row));
        this.floors.set(request.row.id, Math.max(request.row.firstSeq, this.floors.get(request.row.id) ?? 1));
        return;
      case 'delete':
        this.store.transaction(() =>
          this.store.removeBefore(request.source, request.firstSeq, request.nextSeq, request.lastTime),
        );
        this.forget(request.source);
        this.floors.set(request.source, request.firstSeq);
        this.erase();
        return;
      case 'remove':
        this.store.transaction(() => this.store.removeSource(request.source));
        this.forget(request.source);
        this.floors.delete(request.source);
        return;
      case 'maintain':
        this.dropByAge();
    }
  }

  /**
   * Does one step of what is due.
   * @returns whether there was something to do
   * @throws Error if the disk or the database refuses
   */
  maintain(): boolean {
    const { used, free, log } = this.store.size();
    const { totalBytes } = this.options.limits;
    if (log > Math.min(MAX_LOG_BYTES, totalBytes / 16) && this.checkpoint()) return true;
    if (used + log > totalBytes) return this.dropOldest(used + log - totalBytes * (1 - SPARE));
    for (const source of this.overLimit) return this.dropOfSource(source);
    for (const source of this.mergeable) return this.merge(source);
    if (this.uncompressed > this.options.uncompressedBytes) return this.compress();
    if (free > Math.min(MAX_FREE_BYTES, totalBytes / 16)) {
      this.store.shrink(SHRUNK_PAGES);
      return true;
    }
    return false;
  }

  close(): void {
    this.store.close();
  }

  private notice(): string | null {
    const { setAside } = this.store;
    return (
      (setAside &&
        `The log history was damaged (${setAside.reason}) and was moved to ${setAside.path}. Slipway started an empty one. Delete the file when you no longer need it.`) ??
      null
    );
  }

  private beginRun(sources: OpenedDatabase['sources']): Pick<OpenedDatabase, 'run' | 'runs'> {
    const runs = this.store.runs();
    if (this.options.resumedRun !== null) return { run: this.options.resumedRun, runs };
    // The clock gives it another number even if the file with the earlier ones was lost.
    const run = Math.max(Date.now(), (runs.at(-1)?.run ?? 0) + 1);
    const next = sources.map(({ id, nextSeq }) => ({ id, nextSeq: Math.max(nextSeq, this.endOf(id)) }));
    this.store.transaction(() => this.store.beginRun(run, next));
    return { run, runs: [...runs, ...next.map(({ id, nextSeq }) => ({ run, source: id, nextSeq }))] };
  }

  private write(blocks: Extract<WriteRequest, { type: 'write' }>['blocks']): void {
    const added: BlockInfo[] = [];
    const isNew = ({ source, endSeq }: BlockInfo): boolean =>
      endSeq > (this.floors.get(source) ?? Infinity) && endSeq > this.endOf(source);
    this.store.transaction(() => {
      for (const block of blocks) {
        if (!block.data || !isNew(block)) continue;
        const diskBytes = this.store.add({ ...block, data: block.data }, filterOf(block.data.text), false);
        added.push({ ...infoOf(block), diskBytes });
      }
    });
    for (const block of added) this.track(block, false);
  }

  private endOf(source: number): number {
    return this.ends.get(source) ?? this.store.endOf(source);
  }

  private track(block: BlockInfo, isCompressed: boolean): void {
    const { source, diskBytes, endSeq } = block;
    this.ends.set(source, endSeq);
    this.count(source, diskBytes, isCompressed);
    if (isCompressed || block.textBytes >= FULL_BLOCK_BYTES) {
      this.tails.delete(source);
      this.mergeable.delete(source);
      return;
    }
    const tail = this.tails.get(source) ?? [];
    this.tails.set(source, tail);
    // Blocks on either side of a gap are not merged: numbers within a block follow each other.
    if (tail.at(-1) && tail.at(-1)?.endSeq !== block.firstSeq) tail.length = 0;
    tail.push(block);
    if (tail.length >= MERGED_BLOCKS || (tail.length > 1 && sum(tail) >= FULL_BLOCK_BYTES))
      this.mergeable.add(source);
  }

  private count(source: number, bytes: number, isCompressed: boolean): void {
    const ofSource = (this.bytesBySource.get(source) ?? 0) + bytes;
    this.bytesBySource.set(source, ofSource);
    if (!isCompressed) this.uncompressed += bytes;
    if (ofSource > this.options.limits.bytesPerSource) this.overLimit.add(source);
    else this.overLimit.delete(source);
  }

  /**
   * Merges the newest small blocks of a source: all of them if they fill a block, else those before which an older one is
   * more than twice as large as the rest (universal compaction, as in RocksDB), so that lines are not copied too often.
   */
  private merge(source: number): true {
    const tail = this.tails.get(source) ?? [];
    let start = tail.length - 1;
    let bytes = tail[start]?.textBytes ?? 0;
    const isFull = sum(tail) >= FULL_BLOCK_BYTES;
    while (
      start > 0 &&
      (isFull || (tail[start - 1]?.textBytes ?? 0) <= 2 * bytes || tail.length - start < 2)
    ) {
      start -= 1;
      bytes += tail[start]?.textBytes ?? 0;
    }
    const merged = tail.splice(start);
    this.mergeable.delete(source);
    const first = merged[0];
    if (!first || merged.length === 1) return true;
    const builder = new BlockBuilder(source, first.firstSeq, first.firstTime);
    for (const info of merged) this.read(info)?.copyTo(builder);
    const block = builder.build();
    // A damaged block leaves a gap, and stays as it is.
    if (block.endSeq !== merged.at(-1)?.endSeq) return true;
    const diskBytes = this.replace(merged, block, false);
    this.tails.set(source, tail);
    for (const { diskBytes: before } of merged) this.count(source, -before, false);
    this.track({ ...infoOf(block), diskBytes }, false);
    this.report({ type: 'merged', block: { ...infoOf(block), diskBytes } });
    return true;
  }

  private compress(): true {
    for (let count = 0; count < COMPRESSED_AT_ONCE; count += 1) {
      const info = this.store.oldest('uncompressed');
      if (!info || this.uncompressed <= this.options.uncompressedBytes) break;
      const tail = this.tails.get(info.source);
      const at = tail?.findIndex(({ endSeq }) => endSeq === info.endSeq) ?? -1;
      if (tail && at >= 0) tail.splice(0, at + 1);
      const block = this.read(info);
      if (!block) {
        this.store.transaction(() => this.store.remove(info));
        this.count(info.source, -info.diskBytes, false);
        continue;
      }
      const builder = new BlockBuilder(info.source, info.firstSeq, info.firstTime);
      block.copyTo(builder);
      const diskBytes = this.replace([info], builder.build(), true);
      this.count(info.source, -info.diskBytes, false);
      this.count(info.source, diskBytes, true);
    }
    return true;
  }

  private replace(before: readonly BlockInfo[], block: StoredBlock, compressed: boolean): number {
    return this.store.transaction(() => {
      for (const info of before) this.store.remove(info);
      return this.store.add(block, filterOf(block.data.text), compressed);
    });
  }

  /** Undefined if the block is damaged: then it is left as it is. */
  private read(info: BlockInfo): Block | undefined {
    const [found] = this.store.find(info.source, info.firstSeq, info.endSeq);
    try {
      return found && this.store.read(found);
    } catch {
      return undefined;
    }
  }

  private dropByAge(): void {
    const oldest = Date.now() * 1000 - this.options.limits.maxAgeDays * DAY_US;
    const dropped: DroppedBlock[] = [];
    this.store.transaction(() => {
      for (
        let block = this.store.oldest('all');
        block && block.lastTime < oldest;
        block = this.store.oldest('all')
      ) {
        this.drop(block, dropped);
      }
    });
    this.reportDropped(dropped);
  }

  private dropOldest(bytes: number): boolean {
    const dropped: DroppedBlock[] = [];
    this.store.transaction(() => {
      for (let freed = 0; freed < bytes;) {
        const block = this.store.oldest('all');
        if (!block) return;
        this.drop(block, dropped);
        freed += block.diskBytes;
      }
    });
    this.reportDropped(dropped);
    return dropped.length > 0;
  }

  private dropOfSource(source: number): true {
    const { bytesPerSource } = this.options.limits;
    const dropped: DroppedBlock[] = [];
    const excess = (this.bytesBySource.get(source) ?? 0) - bytesPerSource * (1 - SPARE);
    this.store.transaction(() => {
      for (let freed = 0; freed < excess;) {
        const block = this.store.oldestOf(source);
        if (!block) return;
        this.drop(block, dropped);
        freed += block.diskBytes;
      }
    });
    this.reportDropped(dropped);
    this.overLimit.delete(source);
    return true;
  }

  private drop(block: DroppedBlock, dropped: DroppedBlock[]): void {
    this.store.removeBefore(block.source, block.endSeq, block.endSeq, block.lastTime);
    dropped.push(block);
  }

  private reportDropped(dropped: readonly DroppedBlock[]): void {
    for (const { source, endSeq, diskBytes, compressed } of dropped) {
      this.count(source, -diskBytes, compressed === 1);
      this.floors.set(source, Math.max(endSeq, this.floors.get(source) ?? 1));
      const tail = this.tails.get(source);
      if (tail)
        this.tails.set(
          source,
          tail.filter((info) => info.endSeq > endSeq),
        );
      this.report({ type: 'dropped', source, firstSeq: endSeq });
    }
  }

  private forget(source: number): void {
    let bytes = 0;
    for (const block of this.store.infos()) if (block.compressed === 0) bytes += block.diskBytes;
    this.uncompressed = bytes;
    for (const map of [this.tails, this.bytesBySource, this.ends]) map.delete(source);
    for (const set of [this.mergeable, this.overLimit]) set.delete(source);
  }

  /** What was deleted on request must not stay in free pages or in the write-ahead log. */
  private erase(): void {
    const { free } = this.store.size();
    if (free > 0) this.store.shrink(Number.MAX_SAFE_INTEGER);
    this.checkpoint();
  }

  /** @returns whether the write-ahead log was emptied: not while somebody reads */
  private checkpoint(): boolean {
    try {
      this.store.checkpoint();
      return true;
    } catch (error) {
      if (error instanceof Error && 'errcode' in error) throw error;
      return false;
    }
  }
}

function infoOf({
  source,
  firstSeq,
  endSeq,
  firstTime,
  lastTime,
  textBytes,
  diskBytes,
  levels,
}: BlockInfo): BlockInfo {
  return { source, firstSeq, endSeq, firstTime, lastTime, textBytes, diskBytes, levels };
}

function filterOf(text: Uint8Array): Uint8Array | null {
  return text.length < MIN_FILTERED_BYTES ? null : trigramFilterOf(text);
}

function sum(blocks: readonly BlockInfo[]): number {
  return blocks.reduce((bytes, { textBytes }) => bytes + textBytes, 0);
}
