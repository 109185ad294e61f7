import { mergedPosition, type LogPage, type PageRequest, type SourceLine } from '../log-query.js';
import { firstIndex } from '../first-index.js';
import type { Block } from './block.js';
import { blockIndex, type SourceBlocks } from './source-blocks.js';
import type { KnownBlock } from './writer.js';

/** One source as it was when the merge began, so that new lines do not change it. */
interface Input {
  id: number;
  firstSeq: number;
  nextSeq: number;
  blocks: readonly KnownBlock[];
  /** The last read: the next one is often the same. */
  last?: { known: KnownBlock; block: Block | undefined };
}

interface Head {
  input: number;
  block: Block;
  index: number;
  seq: number;
  time: number;
}

type Direction = 1 | -1;

/** Merges sources by effective time, source and number. See `LogPage` for positions. */
export class Merge {
  private readonly inputs: readonly Input[];

  /** @param readBlock reads the block that has a known block's first line; undefined if it is gone or damaged */
  constructor(
    sources: readonly SourceBlocks[],
    private readonly readBlock: (block: KnownBlock) => Promise<Block | undefined>,
  ) {
    const sorted = sources.toSorted((one, other) => one.row.id - other.row.id);
    this.inputs = sorted.map((source) => {
      const { firstSeq, row } = source;
      return { id: row.id, firstSeq, nextSeq: row.nextSeq, blocks: source.snapshot() };
    });
  }

  /** Position of the first line at or after an effective time. */
  async positionAt(time: number): Promise<number> {
    return mergedPosition(await this.seqsAt(() => time));
  }

  /** Position of a line; undefined if it is not stored. */
  async positionOf(id: number, seq: number): Promise<number | undefined> {
    const own = this.inputs.findIndex((input) => input.id === id);
    const head = this.inputs[own] && (await this.head(own, seq, 1));
    if (head?.seq !== seq) return undefined;
    const seqs = await this.seqsAt((input) => (input.id < id ? head.time + 1 : head.time));
    return mergedPosition(seqs.with(own, seq));
  }

  /** At least half of the maximum bytes is for the lines from the position on, if such are requested. */
  async page(at: number, request: PageRequest): Promise<LogPage> {
    const { before, after, bytes = Infinity } = request;
    const first = mergedPosition(this.inputs.map(({ firstSeq }) => firstSeq));
    const end = mergedPosition(this.inputs.map(({ nextSeq }) => nextSeq));
    const from = Math.min(Math.max(at, first), end);
    const seqs =
      before + after <= 0 || from === end
        ? this.inputs.map(({ nextSeq }) => nextSeq)
        : await this.seqsOf(from);
    const earlierBytes = after > 0 ? bytes / 2 : bytes;
    const earlier = await this.collect(seqs, -1, { ...request, limit: before, bytes: earlierBytes });
    const missing = earlier.endedEarly ? 0 : before - earlier.lines.length;
    const limit = after > 0 ? after + missing : 0;
    const later = await this.collect(seqs, 1, { ...request, limit, bytes: bytes - earlier.bytes });
    const endedEarly = earlier.endedEarly || later.endedEarly;
    const lines = [...earlier.lines.reverse(), ...later.lines];
    return { lines, position: from - earlier.lines.length, first, end, endedEarly };
  }

  private async collect(
    seqs: readonly number[],
    direction: Direction,
    { limit, bytes: maxBytes, characters = Infinity }: { limit: number; bytes: number; characters?: number },
  ): Promise<{ lines: SourceLine[]; bytes: number; endedEarly: boolean }> {
    const lines: SourceLine[] = [];
    let bytes = 0;
    if (limit <= 0) return { lines, bytes, endedEarly: false };
    const heads = await this.heads(seqs, direction);
    for (let head = next(heads, direction); head && lines.length < limit; head = next(heads, direction)) {
      const { block, index } = head;
      const size = block.bytesOf(index, characters);
      if (lines.length > 0 && bytes + size > maxBytes) return { lines, bytes, endedEarly: true };
      bytes += size;
      lines.push({ source: block.info.source, line: block.line(index, characters) });
      heads[head.input] = await this.head(head.input, head.seq + direction, direction);
    }
    return { lines, bytes, endedEarly: false };
  }

  /** The next number of each input at a position. */
  private async seqsOf(at: number): Promise<number[]> {
    if (this.inputs.length === 1) return [at];
    const time = await this.latestTimeBefore(at);
    const seqs = await this.seqsAt(() => time);
    const heads = await this.heads(seqs, 1);
    // Lines of the same time follow each other by source.
    for (let skipped = at - mergedPosition(seqs); skipped > 0; skipped -= 1) {
      const head = next(heads, 1);
      if (!head) break;
      seqs[head.input] = head.seq + 1;
      heads[head.input] = await this.head(head.input, head.seq + 1, 1);
    }
    return seqs;
  }

  /** The latest time whose first line is not behind a position. The bounds of blocks show which few have to be read. */
  private async latestTimeBefore(at: number): Promise<number> {
    const blocks = this.inputs.flatMap((input) => input.blocks);
    const bounds = blocks.flatMap((block) => [block.firstTime, block.lastTime + 1]);
    const times = Float64Array.from(new Set(bounds)).sort();
    const isBehind = (bound: 'min' | 'max') => (index: number) =>
      mergedPosition(this.boundsAt(times[index] as number, bound)) > at;
    const low = firstIndex(times.length, isBehind('max')) - 1;
    const high = firstIndex(times.length, isBehind('min'));
    let from = times[Math.max(low, 0)] ?? 0;
    let to = times[high] ?? (times.at(-1) ?? 0) + 1;
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
      const block = blockAt(blocks, time);
      if (!block) return blocks.at(-1)?.endSeq ?? nextSeq;
      if (block.firstTime >= time) return block.firstSeq;
      return bound === 'min' ? Math.max(block.firstSeq, firstSeq) : block.endSeq;
    });
  }

  /** The number of the first line at or after a time, of each input. */
  private async seqsAt(timeOf: (input: Input) => number): Promise<number[]> {
    return await Promise.all(
      this.inputs.map(async (input) => {
        const time = timeOf(input);
        const known = blockAt(input.blocks, time);
        if (!known) return input.nextSeq;
        if (known.firstTime >= time) return known.firstSeq;
        const block = await this.read(input, known);
        return block ? block.info.firstSeq + block.indexAt(time) : known.firstSeq;
      }),
    );
  }

  /** The lines at, or before, the next numbers of the inputs. */
  private async heads(seqs: readonly number[], direction: Direction): Promise<(Head | undefined)[]> {
    const first = direction < 0 ? -1 : 0;
    return await Promise.all(seqs.map((seq, input) => this.head(input, seq + first, direction)));
  }

  /** The line with a number or, if it is missing, the nearest one in a direction. */
  private async head(input: number, seq: number, direction: Direction): Promise<Head | undefined> {
    const from = this.inputs[input] as Input;
    const { blocks } = from;
    const after = blockIndex(blocks, seq);
    const isBefore = direction < 0 && (blocks[after]?.firstSeq ?? Infinity) > seq;
    for (let at = isBefore ? after - 1 : after; blocks[at]; at += direction) {
      const block = await this.read(from, blocks[at] as KnownBlock);
      if (!block) continue;
      const { firstSeq } = block.info;
      const index = Math.min(Math.max(seq - firstSeq, 0), block.count - 1);
      return { input, block, index, seq: firstSeq + index, time: block.effectiveTimes[index] as number };
    }
    return undefined;
  }

  private async read(input: Input, known: KnownBlock): Promise<Block | undefined> {
    if (input.last?.known !== known) input.last = { known, block: await this.readBlock(known) };
    return input.last.block;
  }
}

/** The first block with a line at or after a time. */
function blockAt(blocks: readonly KnownBlock[], time: number): KnownBlock | undefined {
  return blocks[firstIndex(blocks.length, (index) => (blocks[index] as KnownBlock).lastTime >= time)];
}

/** The next line in a direction. Of lines with the same time, inputs decide: they are ordered by source. */
function next(heads: readonly (Head | undefined)[], direction: Direction): Head | undefined {
  const isNext = (head: Head, found: Head): boolean =>
    direction > 0 ? head.time < found.time : head.time >= found.time;
  let found: Head | undefined;
  for (const head of heads) if (head && (!found || isNext(head, found))) found = head;
  return found;
}
