import type { LogPage, PageRequest, SourceLine } from '../log-query.js';
import { firstIndex, type Block } from './block.js';
import type { SourceBlocks } from './source-blocks.js';
import type { KnownBlock } from './writer.js';

/** Reads the block that has a known block's first line; undefined if it is gone or damaged. */
export type ReadBlock = (block: KnownBlock) => Promise<Block | undefined>;

/** One source as it was when the merge began, so that new lines do not change it. */
interface Input {
  id: number;
  firstSeq: number;
  nextSeq: number;
  blocks: readonly KnownBlock[];
  /** What was read last: the next read is often the same. */
  last?: { known: KnownBlock; block: Block | undefined };
}

/** A line of an input. */
interface Head {
  input: number;
  block: Block;
  index: number;
  source: number;
  time: number;
}

/** Merges sources by effective time, source and number. See `LogPage` for positions. */
export class Merge {
  private readonly inputs: readonly Input[];

  constructor(
    sources: readonly SourceBlocks[],
    private readonly readBlock: ReadBlock,
  ) {
    this.inputs = [...sources]
      .sort((one, other) => one.id - other.id)
      .map((source) => ({
        id: source.id,
        firstSeq: source.firstSeq,
        nextSeq: source.nextSeq,
        blocks: source.snapshot(),
      }));
  }

  private get first(): number {
    return position(this.inputs.map(({ firstSeq }) => firstSeq));
  }

  private get end(): number {
    return position(this.inputs.map(({ nextSeq }) => nextSeq));
  }

  /** Position of the first line at or after an effective time. */
  async positionAt(time: number): Promise<number> {
    return position(await this.seqsAt(() => time));
  }

  /** Position of a line; undefined if it is not stored. */
  async positionOf(id: number, seq: number): Promise<number | undefined> {
    const own = this.inputs.findIndex((input) => input.id === id);
    const head = this.inputs[own] && (await this.headFrom(own, seq));
    if (!head || head.block.info.firstSeq + head.index !== seq) return undefined;
    const seqs = await this.seqsAt((input) => (input.id < id ? head.time + 1 : head.time));
    return position(seqs.with(own, seq));
  }

  /** At least half of the maximum bytes is for the lines from the position on, where such are requested. */
  async page(at: number, request: PageRequest): Promise<LogPage> {
    const { before, after, bytes = Infinity, characters = Infinity } = request;
    const { first, end } = this;
    const from = Math.min(Math.max(at, first), end);
    if (before + after <= 0) return { lines: [], position: from, first, end, endedEarly: false };
    const seqs = await this.seqsOf(from);
    const earlier = new Collected(before, after > 0 ? bytes / 2 : bytes, characters);
    if (before > 0) {
      const tails = await Promise.all(seqs.map((seq, input) => this.headBefore(input, seq)));
      for (let last = latest(tails); last && earlier.take(last); last = latest(tails)) {
        tails[last.input] = await this.previous(last);
      }
    }
    const missing = earlier.endedEarly ? 0 : before - earlier.lines.length;
    const later = new Collected(after > 0 ? after + missing : 0, bytes - earlier.bytes, characters);
    if (after > 0) {
      const heads = await Promise.all(seqs.map((seq, input) => this.headFrom(input, seq)));
      for (let next = earliest(heads); next && later.take(next); next = earliest(heads)) {
        heads[next.input] = await this.next(next);
      }
    }
    return {
      lines: [...earlier.lines.reverse(), ...later.lines],
      position: from - earlier.lines.length,
      first,
      end,
      endedEarly: earlier.endedEarly || later.endedEarly,
    };
  }

  /** The next number of each input at a position. */
  private async seqsOf(at: number): Promise<number[]> {
    if (at === this.end) return this.inputs.map(({ nextSeq }) => nextSeq);
    if (this.inputs.length === 1) return [at];
    const time = await this.latestTimeBefore(at);
    const seqs = await this.seqsAt(() => time);
    const heads = await Promise.all(seqs.map((seq, input) => this.headFrom(input, seq)));
    // Lines of the same time follow each other by source.
    let skipped = at - position(seqs);
    for (let next = earliest(heads); next && skipped > 0; next = earliest(heads), skipped -= 1) {
      seqs[next.input] = next.block.info.firstSeq + next.index + 1;
      heads[next.input] = await this.next(next);
    }
    return seqs;
  }

  /**
   * The latest time whose first line is not behind a position. The bounds of the blocks narrow it down, so that few blocks
   * have to be read.
   */
  private async latestTimeBefore(at: number): Promise<number> {
    const times = new Set<number>();
    for (const { blocks } of this.inputs) {
      for (const { firstTime, lastTime } of blocks) times.add(firstTime).add(lastTime + 1);
    }
    const sorted = Float64Array.from(times).sort();
    const isBehind = (bound: 'min' | 'max') => (index: number) =>
      position(this.boundsAt(sorted[index] as number, bound)) > at;
    const low = firstIndex(sorted.length, isBehind('max')) - 1;
    const high = firstIndex(sorted.length, isBehind('min'));
    let from = sorted[Math.max(low, 0)] ?? 0;
    let to = sorted[high] ?? (sorted.at(-1) ?? 0) + 1;
    while (from + 1 < to) {
      const middle = Math.floor((from + to) / 2);
      if ((await this.positionAt(middle)) <= at) from = middle;
      else to = middle;
    }
    return from;
  }

  /** The lowest or highest possible next number of each input at a time, from the bounds of its blocks. */
  private boundsAt(time: number, bound: 'min' | 'max'): number[] {
    return this.inputs.map(({ blocks, firstSeq, nextSeq }) => {
      const block = blocks[blockAt(blocks, time)];
      if (!block) return blocks.at(-1)?.endSeq ?? nextSeq;
      if (block.firstTime >= time) return block.firstSeq;
      return bound === 'min' ? Math.max(block.firstSeq, firstSeq) : block.endSeq;
    });
  }

  private async seqsAt(timeOf: (input: Input) => number): Promise<number[]> {
    return await Promise.all(
      this.inputs.map(async (input) => {
        const time = timeOf(input);
        const known = input.blocks[blockAt(input.blocks, time)];
        if (!known) return input.nextSeq;
        if (known.firstTime >= time) return known.firstSeq;
        const block = await this.read(input, known);
        return block ? block.info.firstSeq + block.indexAt(time) : known.firstSeq;
      }),
    );
  }

  /** The line with a number, or the next one. */
  private async headFrom(input: number, seq: number): Promise<Head | undefined> {
    const from = this.inputs[input] as Input;
    const { blocks } = from;
    const first = firstIndex(blocks.length, (index) => (blocks[index] as KnownBlock).endSeq > seq);
    for (let at = first; at < blocks.length; at += 1) {
      const block = await this.read(from, blocks[at] as KnownBlock);
      if (block) return headOf(input, block, Math.max(0, seq - block.info.firstSeq));
    }
    return undefined;
  }

  /** The last line before a number. */
  private async headBefore(input: number, seq: number): Promise<Head | undefined> {
    const from = this.inputs[input] as Input;
    const { blocks } = from;
    const after = firstIndex(blocks.length, (index) => (blocks[index] as KnownBlock).firstSeq >= seq);
    for (let at = after - 1; at >= 0; at -= 1) {
      const block = await this.read(from, blocks[at] as KnownBlock);
      if (block) return headOf(input, block, Math.min(block.count, seq - block.info.firstSeq) - 1);
    }
    return undefined;
  }

  private async read(input: Input, known: KnownBlock): Promise<Block | undefined> {
    if (input.last?.known !== known) input.last = { known, block: await this.readBlock(known) };
    return input.last.block;
  }

  private async next({ input, block, index }: Head): Promise<Head | undefined> {
    const isLast = index + 1 === block.count;
    return isLast ? await this.headFrom(input, block.info.endSeq) : headOf(input, block, index + 1);
  }

  private async previous({ input, block, index }: Head): Promise<Head | undefined> {
    return index === 0 ? await this.headBefore(input, block.info.firstSeq) : headOf(input, block, index - 1);
  }
}

/** Lines of a page, as many as fit. */
class Collected {
  readonly lines: SourceLine[] = [];
  bytes = 0;
  endedEarly = false;

  constructor(
    private readonly limit: number,
    private readonly maxBytes: number,
    private readonly characters: number,
  ) {}

  /** @returns false if the line does not fit */
  take({ source, block, index }: Head): boolean {
    const { lines, characters } = this;
    if (lines.length >= this.limit) return false;
    const bytes = block.bytesOf(index, characters);
    if (lines.length > 0 && this.bytes + bytes > this.maxBytes) {
      this.endedEarly = true;
      return false;
    }
    this.bytes += bytes;
    lines.push({ source, line: block.line(index, characters) });
    return true;
  }
}

function position(seqs: readonly number[]): number {
  return seqs.reduce((sum, seq) => sum + seq, 0) - (seqs.length - 1);
}

/** Index of the first block with a line at or after a time. */
function blockAt(blocks: readonly KnownBlock[], time: number): number {
  return firstIndex(blocks.length, (index) => (blocks[index] as KnownBlock).lastTime >= time);
}

function headOf(input: number, block: Block, index: number): Head {
  return { input, block, index, source: block.info.source, time: block.effectiveTimes[index] as number };
}

/** Inputs are ordered by source, so that the first of the same time is the right one. */
function earliest(heads: readonly (Head | undefined)[]): Head | undefined {
  let found: Head | undefined;
  for (const head of heads) if (head && (!found || head.time < found.time)) found = head;
  return found;
}

function latest(heads: readonly (Head | undefined)[]): Head | undefined {
  let found: Head | undefined;
  for (const head of heads) if (head && (!found || head.time >= found.time)) found = head;
  return found;
}
