import type { LogLine } from '../../drivers/log-store/index.js';

/** Older lines are not buffered: subscriptions that are further behind skip lines or read from the store. */
const MAX_AGE_MS = 1500;
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface Arrival {
  first: number;
  at: number;
}

/** The newest lines of a source, shared by all subscriptions. Older ones are in the store. */
export class RecentLines {
  /** Dropped lines leave empty entries until the list is shortened. */
  private lines: (LogLine | undefined)[] = [];
  /** Number of empty entries at the start. */
  private dropped = 0;
  private characters = 0;
  private arrivals: Arrival[] = [];

  /** @param nextSeq sequence number of the next line */
  constructor(private nextSeq: number) {}

  get next(): number {
    return this.nextSeq;
  }

  /** @param at milliseconds of a monotonic clock */
  add(lines: readonly LogLine[], at: number): void {
    const first = lines[0]?.seq;
    if (first === undefined) return;
    // Lines were missed. The buffer must not have gaps.
    if (first !== this.nextSeq) this.clear();
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.text.length;
    }
    this.nextSeq = first + lines.length;
    this.arrivals.push({ first, at });
    this.trim(at);
  }

  /** Lines from a sequence number; undefined if they are not buffered. */
  from(seq: number, limit: number): readonly LogLine[] | undefined {
    const oldest = this.nextSeq - (this.lines.length - this.dropped);
    if (seq < oldest || seq >= this.nextSeq) return undefined;
    const start = this.dropped + seq - oldest;
    return this.lines.slice(start, start + limit) as LogLine[];
  }

  /** When a line arrived; for an old line, when a later one did. Undefined for future lines. */
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
   * Drops lines before this number, which all subscriptions have. At high rates most lines are needed only for
   * milliseconds, and longer-lived objects cost garbage collection.
   */
  release(seq: number): void {
    this.forget((arrival) => arrival.first <= seq);
    this.drop((line) => line.seq < seq);
  }

  private trim(now: number): void {
    this.forget((arrival) => now - arrival.at > MAX_AGE_MS);
    const oldestKept = this.arrivals[0]?.first ?? this.nextSeq;
    this.drop((line) => line.seq < oldestKept || this.characters > MAX_CHARACTERS);
  }

  /** Drops the oldest arrivals while the next one is old too. */
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
    // Shortening copies the list, so it is done rarely.
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
