import type { LogLine } from '../../../drivers/log-store/index.js';
import { lineOf } from './frame.js';
import { MATCH_NUMBERS, type PackedMatches } from './search-messages.js';

/** Matches of one piece in their order; the newest is the last that is left. */
class MatchRun {
  private readonly bytes: Buffer;
  private readonly order: Uint32Array;
  private left: number;

  constructor({ numbers, text }: PackedMatches) {
    this.numbers = numbers;
    this.bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
    this.left = numbers.length / MATCH_NUMBERS;
    this.order = Uint32Array.from({ length: this.left }, (_, index) => index);
    // A piece may hold frames of several sources.
    if (!this.isSorted()) this.order.sort((one, other) => this.compare(one, other));
  }

  private readonly numbers: Float64Array;

  get isEmpty(): boolean {
    return this.left === 0;
  }

  get source(): number {
    return this.number(this.head, 0);
  }

  get seq(): number {
    return this.number(this.head, 1);
  }

  get effective(): number {
    return this.number(this.head, 2);
  }

  get size(): number {
    return this.bytes.length;
  }

  take(): { source: number; line: LogLine } {
    const { head } = this;
    this.left -= 1;
    const text = this.bytes.toString('utf8', head === 0 ? 0 : this.number(head - 1, 6), this.number(head, 6));
    return {
      source: this.number(head, 0),
      line: lineOf(
        this.number(head, 1),
        this.number(head, 3),
        this.number(head, 4),
        this.number(head, 5),
        text,
      ),
    };
  }

  private get head(): number {
    return this.order[this.left - 1] as number;
  }

  private number(match: number, place: number): number {
    return this.numbers[match * MATCH_NUMBERS + place] as number;
  }

  private compare(one: number, other: number): number {
    return (
      this.number(one, 2) - this.number(other, 2) ||
      this.number(one, 0) - this.number(other, 0) ||
      this.number(one, 1) - this.number(other, 1)
    );
  }

  private isSorted(): boolean {
    for (let index = 1; index < this.left; index += 1) {
      if (this.compare(index - 1, index) > 0) return false;
    }
    return true;
  }
}

/** Matches of many pieces, told in one order: the newest first. */
export class MatchMerge {
  private runs: MatchRun[] = [];
  private size = 0;

  /** Bytes of the pieces that are here. */
  get bytes(): number {
    return this.size;
  }

  add(matches: PackedMatches): void {
    const run = new MatchRun(matches);
    this.runs.push(run);
    this.size += run.size;
  }

  /** Takes the newest match out that is later than a time. */
  next(after: number): { source: number; line: LogLine } | undefined {
    let newest: MatchRun | undefined;
    for (const run of this.runs) if (!newest || isLater(run, newest)) newest = run;
    if (!newest || newest.effective <= after) return undefined;
    const match = newest.take();
    if (newest.isEmpty) {
      this.runs = this.runs.filter((run) => run !== newest);
      this.size -= newest.size;
    }
    return match;
  }
}

function isLater(one: MatchRun, other: MatchRun): boolean {
  if (one.effective !== other.effective) return one.effective > other.effective;
  return one.source === other.source ? one.seq > other.seq : one.source > other.source;
}
