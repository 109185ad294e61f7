import type { LogLine } from '../../drivers/log-store/index.js';

/** What came longer ago is not kept at hand: who is further behind is about to skip, or reads on from the history. */
const KEPT_MS = 1500;
const MOST_CHARACTERS = 8 * 1024 * 1024;

interface Arrival {
  first: number;
  at: number;
}

/**
 * The newest lines of a source, for all who follow it: one copy, whoever is how far. Older ones are in the history.
 */
export class RecentLines {
  /** What is no longer kept leaves its place behind until the list is cut. */
  private lines: (LogLine | undefined)[] = [];
  /** Lines at the beginning of the list that are no longer kept. */
  private dropped = 0;
  private characters = 0;
  private arrivals: Arrival[] = [];

  /** @param next sequence number that the next line will have */
  constructor(private nextSeq: number) {}

  /** Sequence number that the next line will have. */
  get next(): number {
    return this.nextSeq;
  }

  /** @param at milliseconds of a clock that never goes back */
  add(lines: readonly LogLine[], at: number): void {
    const first = lines[0]?.seq;
    if (first === undefined) return;
    // What came before was missed; what is at hand has to be without gaps.
    if (first !== this.nextSeq) this.clear();
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.text.length;
    }
    this.nextSeq = first + lines.length;
    this.arrivals.push({ first, at });
    this.trim(at);
  }

  /** Lines from a sequence number on; undefined where they are not at hand. */
  from(seq: number, limit: number): readonly LogLine[] | undefined {
    const oldest = this.nextSeq - (this.lines.length - this.dropped);
    if (seq < oldest || seq >= this.nextSeq) return undefined;
    const start = this.dropped + seq - oldest;
    return this.lines.slice(start, start + limit) as LogLine[];
  }

  /** When a line came; of one that came long ago, when some later one did. Undefined for one that has not come. */
  arrivalOf(seq: number): number | undefined {
    if (seq >= this.nextSeq) return undefined;
    let low = 0;
    let high = this.arrivals.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.arrivals[middle]?.first ?? 0) <= seq) low = middle;
      else high = middle - 1;
    }
    return this.arrivals[low]?.at;
  }

  /**
   * Lets go of lines before this number, which all who follow have: in a flood most lines are needed for milliseconds,
   * and what is kept for longer is what collecting garbage costs.
   */
  release(seq: number): void {
    this.forget((arrival) => arrival.first <= seq);
    this.drop((line) => line.seq < seq);
  }

  private trim(now: number): void {
    this.forget((arrival) => now - arrival.at > KEPT_MS);
    const kept = this.arrivals[0]?.first ?? this.nextSeq;
    this.drop((line) => line.seq < kept || this.characters > MOST_CHARACTERS);
  }

  /** Forgets arrivals from the oldest on, as long as the one behind is of no use either. */
  private forget(isOld: (behind: Arrival) => boolean): void {
    let old = 0;
    for (let behind = this.arrivals[1]; behind && isOld(behind); behind = this.arrivals[old + 1]) old += 1;
    if (old > 0) this.arrivals.splice(0, old);
  }

  private drop(isOld: (oldest: LogLine) => boolean): void {
    for (let oldest = this.lines[this.dropped]; oldest && isOld(oldest); oldest = this.lines[this.dropped]) {
      this.characters -= oldest.text.length;
      this.lines[this.dropped] = undefined;
      this.dropped += 1;
    }
    // Cutting the list costs as much as it is long: seldom, therefore.
    if (this.dropped === this.lines.length) this.lines = [];
    else if (this.dropped > 1000 && this.dropped > this.lines.length / 2) {
      this.lines = this.lines.slice(this.dropped);
    } else return;
    this.dropped = 0;
  }

  private clear(): void {
    this.lines = [];
    this.dropped = 0;
    this.characters = 0;
    this.arrivals = [];
  }
}
