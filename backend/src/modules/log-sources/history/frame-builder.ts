import { giveBack } from '../../../core/threads/give-back.js';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import { buildFrame, CUT, flagsOf, type Frame } from './frame.js';
import { trigramFilterOf } from './trigram-filter.js';
import { fold, MOST_NUMBER_BYTES, writeNumber } from './varint.js';

const FIRST_TEXT_BYTES = 4 * 1024;

/** Collects lines of one source that follow each other, and makes a frame of them. */
export class FrameBuilder {
  private readonly times: number[] = [];
  private readonly sizes: number[] = [];
  private readonly flags: number[] = [];
  private readonly cuts: number[] = [];
  private text = Buffer.allocUnsafeSlow(FIRST_TEXT_BYTES);
  private used = 0;
  private levels = 0;
  private firstTime = 0;

  /** @param lastTime effective time of the line before; a frame's own goes on from there. */
  constructor(
    readonly source: number,
    readonly firstSeq: number,
    public lastTime: number,
  ) {}

  get count(): number {
    return this.times.length;
  }

  get textBytes(): number {
    return this.used - this.count;
  }

  get effectiveFirst(): number {
    return this.firstTime;
  }

  get levelBits(): number {
    return this.levels;
  }

  add(line: NewLogLine): void {
    // Three bytes for each UTF-16 unit is the most; the exact count would cost a walk over the text.
    this.reserve(line.text.length * 3 + 1);
    const size = this.text.write(line.text, this.used, 'utf8');
    this.push(Math.floor(line.time), size, flagsOf(line), line.cut);
    this.text[this.used + size] = 10;
    this.used += size + 1;
  }

  /** Takes the lines of a frame over, from one index up to before another. */
  addFrom(frame: Frame, from: number, to: number): void {
    if (from >= to) return;
    const { times, ends, flags, cuts } = frame.columns;
    const begin = from === 0 ? 0 : (ends[from - 1] as number) + 1;
    const end = (ends[to - 1] as number) + 1;
    this.reserve(end - begin);
    frame.text.copy(this.text, this.used, begin, end);
    this.used += end - begin;
    let before = begin;
    for (let index = from; index < to; index += 1) {
      const stop = ends[index] as number;
      this.push(times[index] as number, stop - before, flags[index] as number, cuts.get(index) ?? 0);
      before = stop + 1;
    }
  }

  /** All of it as a frame; the builder stays as it is. */
  frame(withFilter = false): Buffer {
    const text = this.text.subarray(0, this.used);
    return buildFrame(
      {
        kind: 'lines',
        source: this.source,
        count: this.count,
        firstSeq: this.firstSeq,
        firstTime: this.firstTime,
        lastTime: this.lastTime,
        levels: this.levels,
      },
      withFilter ? trigramFilterOf(text) : null,
      this.columns(),
      text,
    );
  }

  /** Gives its memory back, once it is not needed any more. */
  release(): void {
    giveBack(this.text);
  }

  private push(time: number, size: number, flags: number, cut: number): void {
    const isFirst = this.times.length === 0;
    if (time > this.lastTime) this.lastTime = time;
    if (isFirst) this.firstTime = this.lastTime;
    this.times.push(time);
    this.sizes.push(size);
    this.flags.push(flags);
    if ((flags & CUT) !== 0) this.cuts.push(cut);
    this.levels |= 1 << ((flags >> 2) & 7);
  }

  private columns(): Uint8Array {
    const bytes = Buffer.allocUnsafe(
      this.count * (2 * MOST_NUMBER_BYTES + 1) + this.cuts.length * MOST_NUMBER_BYTES,
    );
    let at = 0;
    for (const size of this.sizes) at = writeNumber(bytes, at, size);
    for (const flags of this.flags) bytes[at++] = flags;
    for (const cut of this.cuts) at = writeNumber(bytes, at, cut);
    let before = 0;
    for (const time of this.times) {
      at = writeNumber(bytes, at, fold(time - before));
      before = time;
    }
    return bytes.subarray(0, at);
  }

  private reserve(more: number): void {
    if (this.used + more <= this.text.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.text.length * 2, this.used + more));
    this.text.copy(grown, 0, 0, this.used);
    giveBack(this.text);
    this.text = grown;
  }
}
