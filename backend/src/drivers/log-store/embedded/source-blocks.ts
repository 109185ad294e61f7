import type { NewLogLine } from '../log-line.js';
import type { SourceExtent, SourceIdentity } from '../log-source.js';
import { encodeBlock, firstIndex, type BlockInfo, type StoredBlock } from './block.js';
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
  /** Lines that are in no block yet, and the effective time of the line before them. */
  private newLines: NewLogLine[] = [];
  private newBytes = 0;
  private timeBefore = 0;

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
    return this.blocks[0]?.firstSeq ?? this.nextSeq - this.newLines.length;
  }

  get isEmpty(): boolean {
    return this.firstSeq === this.nextSeq;
  }

  get extent(): SourceExtent {
    const { firstSeq, nextSeq, isEmpty } = this;
    const firstTime =
      this.blocks[0]?.firstTime ?? Math.max(this.timeBefore, Math.floor(this.newLines[0]?.time ?? 0));
    return {
      firstSeq,
      nextSeq,
      bytes: this.textBytes + this.newBytes,
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

  /** @returns bytes of text that are in no block yet */
  append(lines: readonly NewLogLine[]): number {
    if (this.newLines.length === 0) this.timeBefore = this.lastTime;
    for (const line of lines) {
      this.newLines.push(line);
      this.newBytes += Buffer.byteLength(line.text);
      this.lastTime = Math.max(this.lastTime, Math.floor(line.time));
    }
    this.nextSeq += lines.length;
    return this.newBytes;
  }

  /** Makes a block of the lines that are in none yet. */
  flush(): StoredBlock | undefined {
    const block = this.unflushed();
    this.newLines = [];
    this.newBytes = 0;
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
    if (firstSeq >= this.nextSeq) {
      this.newLines = [];
      this.newBytes = 0;
    }
    this.floor = Math.max(this.floor, firstSeq);
    const dropped = this.blocks.splice(0, this.indexOf(firstSeq));
    for (const { textBytes } of dropped) this.textBytes -= textBytes;
  }

  /** Index of the block that has this line, or of the next one. */
  private indexOf(seq: number): number {
    return firstIndex(this.blocks.length, (index) => (this.blocks[index] as BlockInfo).endSeq > seq);
  }

  private unflushed(): StoredBlock | undefined {
    const { id, nextSeq, newLines, timeBefore } = this;
    if (newLines.length === 0) return undefined;
    return encodeBlock(id, nextSeq - newLines.length, timeBefore, newLines);
  }
}
