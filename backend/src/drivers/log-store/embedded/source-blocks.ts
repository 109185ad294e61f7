import { firstIndex } from '../first-index.js';
import type { NewLogLine } from '../log-line.js';
import type { SourceExtent } from '../log-source.js';
import { encodeBlock, type BlockInfo, type StoredBlock } from './block.js';
import type { SourceRow } from './block.store.js';
import type { KnownBlock } from './writer.js';

/** The main thread's state of one source: where its blocks are, and the lines that are not flushed yet. */
export class SourceBlocks {
  /** Ordered by number. There may be gaps where a block was damaged or could not be written. */
  private blocks: KnownBlock[] = [];
  /** A reader uses it. */
  isPresent = false;
  private textBytes = 0;
  /** Lines that are in no block yet, and the effective time of the line before them. */
  private newLines: NewLogLine[] = [];
  private newBytes = 0;
  private timeBefore = 0;

  /** @param row as it would be stored now, with the lines that are not flushed */
  constructor(readonly row: SourceRow) {}

  get firstSeq(): number {
    return this.blocks[0]?.firstSeq ?? this.row.nextSeq - this.newLines.length;
  }

  get isEmpty(): boolean {
    return this.firstSeq === this.row.nextSeq;
  }

  get extent(): SourceExtent {
    const { firstSeq } = this;
    const { nextSeq, lastTime } = this.row;
    const bytes = this.textBytes + this.newBytes;
    if (this.isEmpty) return { firstSeq, nextSeq, bytes, firstTime: null, lastTime: null };
    const [block] = this.blocks;
    const firstTime = block?.firstTime ?? Math.max(this.timeBefore, Math.floor(this.newLines[0]?.time ?? 0));
    return { firstSeq, nextSeq, bytes, firstTime, lastTime };
  }

  add(block: KnownBlock): void {
    this.blocks.push(block);
    this.textBytes += block.textBytes;
    this.row.nextSeq = Math.max(this.row.nextSeq, block.endSeq);
    this.row.lastTime = Math.max(this.row.lastTime, block.lastTime);
  }

  /** Takes over what is on disk after a restart of the writer; blocks that are not written yet stay. */
  reset(onDisk: readonly BlockInfo[]): void {
    const end = onDisk.at(-1)?.endSeq ?? 0;
    const unwritten = this.blocks.filter(({ data, firstSeq }) => data && firstSeq >= end);
    this.blocks = [];
    this.textBytes = 0;
    for (const block of onDisk) if (block.endSeq > this.row.firstSeq) this.add(block);
    for (const block of unwritten) this.add(block);
  }

  /** @returns bytes of text that are in no block yet */
  append(lines: readonly NewLogLine[]): number {
    if (this.newLines.length === 0) this.timeBefore = this.row.lastTime;
    for (const line of lines) {
      this.newLines.push(line);
      this.newBytes += Buffer.byteLength(line.text);
      this.row.lastTime = Math.max(this.row.lastTime, Math.floor(line.time));
    }
    this.row.nextSeq += lines.length;
    return this.newBytes;
  }

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

  merge(merged: BlockInfo): void {
    const from = blockIndex(this.blocks, merged.firstSeq);
    const to = blockIndex(this.blocks, merged.endSeq);
    if (from < to) this.blocks.splice(from, to - from, merged);
  }

  /** Forgets the lines before a number, which is the beginning of a block, or the next number for all. */
  drop(firstSeq: number): void {
    if (firstSeq >= this.row.nextSeq) {
      this.newLines = [];
      this.newBytes = 0;
    }
    this.row.firstSeq = Math.max(this.row.firstSeq, firstSeq);
    const dropped = this.blocks.splice(0, blockIndex(this.blocks, firstSeq));
    for (const { textBytes } of dropped) this.textBytes -= textBytes;
  }

  /** The block that has a line, or the next one; undefined behind the last line. */
  blockAt(seq: number): KnownBlock | undefined {
    if (seq >= this.row.nextSeq) return undefined;
    return this.blocks[blockIndex(this.blocks, seq)] ?? this.unflushed();
  }

  private unflushed(): StoredBlock | undefined {
    const { row, newLines, timeBefore } = this;
    if (newLines.length === 0) return undefined;
    return encodeBlock(row.id, row.nextSeq - newLines.length, timeBefore, newLines);
  }
}

/** Index of the block that has a line, or of the next one. */
export function blockIndex(blocks: readonly BlockInfo[], seq: number): number {
  return firstIndex(blocks.length, (index) => (blocks[index] as BlockInfo).endSeq > seq);
}
