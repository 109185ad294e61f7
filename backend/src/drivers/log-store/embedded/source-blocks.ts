import type { NewLogLine } from '../log-line.js';
import type { SourceExtent, SourceIdentity } from '../log-source.js';
import { BlockBuilder, firstIndex, type BlockInfo, type StoredBlock } from './block.js';
import type { SourceRow } from './block.store.js';
import type { KnownBlock } from './writer.js';

/** What the main thread knows about one source: where its blocks are, and the lines that are not flushed yet. */
export class SourceBlocks {
  readonly id: number;
  identity: SourceIdentity;
  /** Ordered by number. There may be gaps where a block was damaged or could not be written. */
  blocks: KnownBlock[] = [];
  nextSeq: number;
  lastTime: number;
  /** Lines before this one are deleted. */
  floor: number;
  /** Somebody reads it now. */
  isPresent = false;
  private textBytes = 0;
  private builder: BlockBuilder | undefined;

  constructor({ id, identity, firstSeq, nextSeq, lastTime }: SourceRow) {
    this.id = id;
    this.identity = identity;
    this.floor = firstSeq;
    this.nextSeq = nextSeq;
    this.lastTime = lastTime;
  }

  get row(): SourceRow {
    const { id, identity, floor: firstSeq, nextSeq, lastTime } = this;
    return { id, identity, firstSeq, nextSeq, lastTime };
  }

  get firstSeq(): number {
    return this.blocks[0]?.firstSeq ?? this.builder?.firstSeq ?? this.nextSeq;
  }

  get isEmpty(): boolean {
    return this.firstSeq === this.nextSeq;
  }

  get extent(): SourceExtent {
    const { firstSeq, nextSeq, isEmpty } = this;
    const firstTime = this.blocks[0]?.firstTime ?? this.builder?.firstEffectiveTime ?? null;
    return {
      firstSeq,
      nextSeq,
      bytes: this.textBytes + (this.builder?.textBytes ?? 0),
      firstTime: isEmpty ? null : firstTime,
      lastTime: isEmpty ? null : this.lastTime,
    };
  }

  /** Adds a block behind the others. */
  add(block: KnownBlock): void {
    this.blocks.push(block);
    this.textBytes += block.textBytes;
    this.nextSeq = Math.max(this.nextSeq, block.endSeq);
    this.lastTime = Math.max(this.lastTime, block.lastTime);
  }

  /** Takes over what is on disk after a restart of the writer; blocks that are not written yet stay. */
  reset(onDisk: readonly BlockInfo[]): void {
    const end = onDisk.at(-1)?.endSeq ?? 0;
    const unwritten = this.blocks.filter(({ data, firstSeq }) => data && firstSeq >= end);
    this.blocks = [];
    this.textBytes = 0;
    for (const block of onDisk) if (block.endSeq > this.floor) this.add(block);
    for (const block of unwritten) this.add(block);
  }

  /** @returns bytes of text that wait in memory now */
  append(lines: readonly NewLogLine[]): number {
    this.builder ??= new BlockBuilder(this.id, this.nextSeq, this.lastTime);
    for (const line of lines) this.builder.add(line);
    this.nextSeq += lines.length;
    this.lastTime = this.builder.lastTime;
    return this.builder.textBytes;
  }

  /** Makes a block of the lines that are in none yet. */
  flush(): StoredBlock | undefined {
    const block = this.unflushed();
    this.builder = undefined;
    if (block) this.add(block);
    return block;
  }

  /** Blocks including one of the lines that are not flushed, as they are now. */
  snapshot(): KnownBlock[] {
    const unflushed = this.unflushed();
    return unflushed ? [...this.blocks, unflushed] : [...this.blocks];
  }

  /** Replaces the blocks that were merged. */
  merge(merged: BlockInfo): void {
    const from = this.indexOf(merged.firstSeq);
    const to = this.indexOf(merged.endSeq);
    if (from < to) this.blocks.splice(from, to - from, merged);
  }

  /** Forgets the lines before a number, which is the beginning of a block, or the next number for all. */
  drop(firstSeq: number): void {
    if (firstSeq >= this.nextSeq) this.builder = undefined;
    this.floor = Math.max(this.floor, firstSeq);
    const dropped = this.blocks.splice(0, this.indexOf(firstSeq));
    for (const { textBytes } of dropped) this.textBytes -= textBytes;
  }

  /** Forgets a block that could not be written. */
  discard(block: BlockInfo): boolean {
    const index = this.blocks.findIndex(({ firstSeq }) => firstSeq === block.firstSeq);
    if (index < 0) return false;
    this.blocks.splice(index, 1);
    this.textBytes -= block.textBytes;
    return true;
  }

  /** Index of the block that has this line, or of the next one. */
  private indexOf(seq: number): number {
    return firstIndex(this.blocks.length, (index) => (this.blocks[index] as BlockInfo).endSeq > seq);
  }

  private unflushed(): StoredBlock | undefined {
    return this.builder && this.builder.count > 0 ? this.builder.build() : undefined;
  }
}
