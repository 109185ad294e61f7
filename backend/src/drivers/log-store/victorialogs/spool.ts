import { guardedTimeout } from '../../../core/errors/index.js';
import { parseOwnJson } from '../../../core/parsing/index.js';
import { firstIndex } from '../first-index.js';
import type { LogLine } from '../log-line.js';
import { compare, entryOf, placeOf, rowOf, type Entry, type Place, type Row } from './line-format.js';
import type { Block, SourceRecord, SpoolStore } from './spool.store.js';

/** Longest time that a line is only in memory. */
const WRITE_MS = 100;
const MAX_BLOCK_LINES = 2000;
const MAX_BLOCK_BYTES = 512 * 1024;
/** Most blocks that wait, because each takes memory. */
const MAX_BLOCKS = 200_000;
/** Most bytes that wait for a disk that cannot be written. */
const MAX_UNWRITTEN_BYTES = 64 * 1024 * 1024;

interface UnwrittenBlock extends Block {
  lines: string[];
}

/** Which lines a reader wants, and in which order. */
export interface EntryRange {
  order: 'oldest' | 'newest';
  /** Effective times. */
  from: number;
  to: number;
  /** Lines behind this place in the order. */
  after: Place | null;
}

/**
 * The newest lines, on the local disk until the database has them on its own. Blocks are in the order in which they were
 * appended, so those of one source hold its last numbers. Readers take these lines from here and older ones from the
 * database: a line is never read from both.
 */
export class Spool {
  private readonly blocks: Block[];
  private unwritten: UnwrittenBlock[] = [];
  private readonly open = new Map<number, UnwrittenBlock>();
  private readonly changed = new Set<SourceRecord>();
  /** First block of each active reader. */
  private readonly readers = new Map<symbol, number>();
  private timer: NodeJS.Timeout | undefined;
  private lastBlock: number;
  private unwrittenBytes = 0;
  /** Blocks below this are in the database and not read from here. */
  private confirmedBelow: number;
  bytes = 0;
  /** Why the local disk could not be written; null if it can. */
  problem: string | null = null;

  /** @param onBlocks is called when there is more to send; `onDiscard` when lines are lost. */
  constructor(
    private readonly file: SpoolStore,
    private readonly store: { id: string; lastBlock: number },
    private readonly maxBytes: number,
    private readonly events: { onBlocks: () => void; onDiscard: (blocks: readonly Block[]) => void },
  ) {
    this.blocks = file.blocks();
    this.lastBlock = Math.max(store.lastBlock, this.blocks.at(-1)?.id ?? 0);
    this.confirmedBelow = this.blocks[0]?.id ?? this.lastBlock + 1;
    for (const { bytes } of this.blocks) this.bytes += bytes;
  }

  append({ id }: SourceRecord, effective: number, line: LogLine): void {
    let block = this.open.get(id);
    if (block && (block.lines.length >= MAX_BLOCK_LINES || block.bytes >= MAX_BLOCK_BYTES)) block = undefined;
    if (!block) {
      this.lastBlock += 1;
      block = {
        id: this.lastBlock,
        source: id,
        firstSeq: line.seq,
        endSeq: line.seq,
        firstTime: effective,
        lastTime: effective,
        bytes: 0,
        lines: [],
      };
      this.open.set(id, block);
      this.unwritten.push(block);
    }
    const row = rowOf(this.store.id, block.id, { source: id, effective, line });
    const bytes = Buffer.byteLength(row) + 1;
    block.lines.push(row);
    block.endSeq = line.seq + 1;
    block.lastTime = effective;
    block.bytes += bytes;
    this.bytes += bytes;
    this.unwrittenBytes += bytes;
  }

  /** Writes a source's record with the next blocks. */
  touch(source: SourceRecord): void {
    this.changed.add(source);
    this.timer ??= guardedTimeout(() => this.write(), WRITE_MS, 'write log lines');
    if (this.unwrittenBytes > MAX_BLOCK_BYTES * 4 && this.problem === null) this.write();
  }

  /** Does not write the record of a source that was removed. */
  forget(source: SourceRecord): void {
    this.changed.delete(source);
  }

  /** Writes what is only in memory. If the disk refuses, it stays there, and is written later. */
  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unwritten.length === 0 && this.changed.size === 0) return;
    const { unwritten } = this;
    try {
      const blocks = unwritten.map((block) => ({ ...headOf(block), rows: block.lines.join('\n') }));
      this.file.write(blocks, this.changed);
      this.problem = null;
    } catch (error) {
      this.problem = String(error);
      while (this.unwrittenBytes > MAX_UNWRITTEN_BYTES && unwritten.length > 1) {
        const [oldest] = unwritten.splice(0, 1) as [UnwrittenBlock];
        this.unwrittenBytes -= oldest.bytes;
        this.bytes -= oldest.bytes;
        if (this.open.get(oldest.source) === oldest) this.open.delete(oldest.source);
        this.events.onDiscard([oldest]);
      }
      this.timer ??= guardedTimeout(() => this.write(), WRITE_MS * 10, 'write log lines');
      return;
    }
    for (const block of unwritten) this.blocks.push(headOf(block));
    this.unwritten = [];
    this.unwrittenBytes = 0;
    this.open.clear();
    this.changed.clear();
    this.discardExcess();
    if (unwritten.length > 0) this.events.onBlocks();
  }

  /** Written blocks from an id on, as many as have so many bytes. */
  take(from: number, maxBytes: number): Block[] {
    const taken: Block[] = [];
    let bytes = 0;
    for (let at = this.indexOf(from); at < this.blocks.length && bytes < maxBytes; at += 1) {
      const block = this.blocks[at] as Block;
      taken.push(block);
      bytes += block.bytes;
    }
    return taken;
  }

  /** Written blocks from an id up to and including another. */
  range(from: number, to: number): Block[] {
    return this.blocks.slice(this.indexOf(from), this.indexOf(to + 1));
  }

  rows(block: Block): string {
    const unwritten = this.unwritten.find(({ id }) => id === block.id);
    return unwritten ? unwritten.lines.join('\n') : this.file.rows(block.id);
  }

  entries(block: Block): Entry[] {
    const rows = this.rows(block);
    if (rows === '') return [];
    // A block that is still open may have got more lines since the reader took its view.
    const count = block.endSeq - block.firstSeq;
    return rows.split('\n', count).map((row) => entryOf(parseOwnJson<Row>(row)));
  }

  /** The database has all blocks below an id on its disk. They are removed when no reader needs them. */
  confirm(below: number): void {
    this.confirmedBelow = Math.max(this.confirmedBelow, below);
    this.removeConfirmed();
  }

  /** A snapshot for readers. Its data stays until `release`. */
  view(sources: ReadonlySet<number>): SpoolView {
    const firstBlock = this.confirmedBelow;
    const key = Symbol('reader');
    this.readers.set(key, firstBlock);
    const blocks = this.from(firstBlock);
    const firstTime = blocks.reduce((least, block) => Math.min(least, block.firstTime), Infinity);
    const release = (): void => {
      this.readers.delete(key);
      this.removeConfirmed();
    };
    const wanted = blocks.filter(({ source }) => sources.has(source));
    return new SpoolView(this, wanted, firstBlock, firstTime, release);
  }

  private from(id: number): Block[] {
    return [...this.blocks.slice(this.indexOf(id)), ...this.unwritten.map(headOf)];
  }

  private removeConfirmed(): void {
    const below = Math.min(this.confirmedBelow, ...this.readers.values());
    const count = this.indexOf(below);
    if (count > 0) this.remove(count);
  }

  private discardExcess(): void {
    let excess = this.bytes - this.maxBytes;
    let count = Math.max(0, this.blocks.length - MAX_BLOCKS);
    for (let at = 0; at < count; at += 1) excess -= this.blocks[at]?.bytes ?? 0;
    while (excess > 0 && count < this.blocks.length) {
      excess -= this.blocks[count]?.bytes ?? 0;
      count += 1;
    }
    if (count === 0) return;
    const discarded = this.blocks.slice(0, count);
    this.confirmedBelow = Math.max(this.confirmedBelow, (discarded.at(-1)?.id ?? 0) + 1);
    this.remove(count);
    this.events.onDiscard(discarded);
  }

  private remove(count: number): void {
    const removed = this.blocks.splice(0, count);
    for (const { bytes } of removed) this.bytes -= bytes;
    try {
      this.file.removeBlocksBelow((removed.at(-1)?.id ?? 0) + 1);
    } catch (error) {
      // They are removed with the next ones, or checked again at the next opening.
      this.problem = String(error);
    }
  }

  private indexOf(id: number): number {
    return firstIndex(this.blocks.length, (at) => (this.blocks[at] as Block).id >= id);
  }

  close(): void {
    clearTimeout(this.timer);
    this.write();
    clearTimeout(this.timer);
    this.file.close();
  }
}

function headOf({ lines: _lines, ...head }: UnwrittenBlock): Block {
  return head;
}

/** The lines that one reader takes from the spool. */
export class SpoolView {
  private bySource: Map<number, Block[]> | undefined;

  constructor(
    private readonly spool: Spool,
    /** Those of the reader's sources. */
    readonly blocks: readonly Block[],
    readonly firstBlock: number,
    /** Earliest effective time of any line in the spool. */
    readonly firstTime: number,
    readonly release: () => void,
  ) {}

  /** Lines in the order of a merge. Reads blocks one after the other. */
  *ordered({ order, from, to, after }: EntryRange): Generator<Entry> {
    const sign = order === 'oldest' ? 1 : -1;
    const edge = (block: Block): number => (order === 'oldest' ? block.firstTime : block.lastTime);
    const wanted = this.blocks.filter(({ firstTime, lastTime }) => firstTime < to && lastTime >= from);
    wanted.sort((one, other) => sign * (edge(one) - edge(other)));
    const waiting: Entry[] = [];
    for (const block of wanted) {
      // No line of this block or a later one comes before these.
      const ready = waiting.findIndex(({ effective }) => sign * (effective - edge(block)) >= 0);
      yield* waiting.splice(0, ready < 0 ? waiting.length : ready);
      for (const entry of this.spool.entries(block)) {
        const isWithin = entry.effective >= from && entry.effective < to;
        if (isWithin && (!after || sign * compare(placeOf(entry), after) > 0)) waiting.push(entry);
      }
      waiting.sort((one, other) => sign * compare(placeOf(one), placeOf(other)));
    }
    yield* waiting;
  }

  /** Number of the first line of a source from a time on; undefined if all of its lines here are later. */
  seqAt(source: number, time: number): number | undefined {
    const block = this.of(source).findLast(({ firstTime }) => firstTime < time);
    if (!block) return undefined;
    if (block.lastTime < time) return block.endSeq;
    return this.spool.entries(block).find(({ effective }) => effective >= time)?.line.seq ?? block.endSeq;
  }

  find(source: number, seq: number): Entry | undefined {
    const block = this.of(source).find(({ firstSeq, endSeq }) => firstSeq <= seq && seq < endSeq);
    return block && this.spool.entries(block).find(({ line }) => line.seq === seq);
  }

  /** First number of a source that is read from here. */
  firstSeq(source: number): number {
    return this.of(source)[0]?.firstSeq ?? Infinity;
  }

  /** Lines of a source between two numbers. */
  *bySeq(source: number, from: number, to: number, order: EntryRange['order']): Generator<Entry> {
    const wanted = this.of(source).filter(({ firstSeq, endSeq }) => endSeq > from && firstSeq < to);
    if (order === 'newest') wanted.reverse();
    for (const block of wanted) {
      const entries = this.spool.entries(block);
      if (order === 'newest') entries.reverse();
      for (const entry of entries) if (entry.line.seq >= from && entry.line.seq < to) yield entry;
    }
  }

  private of(source: number): readonly Block[] {
    this.bySource ??= Map.groupBy(this.blocks, (block) => block.source);
    return this.bySource.get(source) ?? [];
  }
}
