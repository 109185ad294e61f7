import type { MergedPageDto, WireLine } from '../../../shared/api/api-types';
import { LiveTail, type Taken } from './live-tail';
import { compareRows, type LogLine, type LogRow, readPage } from '../../../shared/lines/log-line';
import { PAGE_ROWS, PageCache } from './page-cache';

/** Rows of the end that are held for sure; older ones are pages. */
const TAIL_ROWS = 4000;
const TRIM_AT = 5000;
const MOST_ASKED = 3;
const RETRY_MS = 2000;

export interface FeedHooks {
  /** The page of so many lines from a position on. */
  load: (position: number, limit: number) => Promise<MergedPageDto>;
  /** Something is other than before; may be told often. */
  changed: () => void;
  /** Rows from a number on have other numbers. */
  shifted: (at: number, by: number) => void;
}

/**
 * Merged lines of some sources by number, of which there may be millions. What is settled is numbered by the server
 * and fetched in pages when it is looked at; behind it stands the tail, which the socket makes grow.
 */
export class LineFeed {
  private readonly pages = new PageCache();
  private readonly tail = new LiveTail();
  private oldest = 0;
  /** Number of the tail's first row. */
  private settled = 0;
  private isOpen = false;
  private readonly asked = new Set<number>();
  private failedUntil = 0;
  private wanted: { from: number; to: number } = { from: 0, to: 0 };
  private count = 0;
  private lost = 0;
  private approximate = false;

  constructor(private readonly hooks: FeedHooks) {}

  get opened(): boolean {
    return this.isOpen;
  }

  get first(): number {
    return this.oldest;
  }

  get end(): number {
    return this.settled + this.tail.rows.length;
  }

  get arrived(): number {
    return this.count;
  }

  /** Lines that the page was too slow for. */
  get skipped(): number {
    return this.lost;
  }

  /** Lines were skipped where rows are settled already, or not told: numbers are exact again after `synchronize`. */
  get isLoose(): boolean {
    return this.approximate;
  }

  row(at: number): LogRow | undefined {
    return at >= this.settled ? this.tail.rows[at - this.settled] : this.pages.get(at);
  }

  /** The number of a line that is here; null where it is not. */
  find(source: number, seq: number): number | null {
    const index = this.tail.indexOf(source, seq);
    if (index >= 0) return this.settled + index;
    return this.pages.lowest((line) => line.source === source && line.seq === seq);
  }

  want(from: number, to: number): void {
    this.wanted = { from, to };
    this.pages.touch(from, to);
    this.ask();
  }

  /** The newest page, with which the feed opens, or becomes exact again. Lines that came meanwhile stay. */
  synchronize(page: MergedPageDto): void {
    const lines = readPage(page.lines);
    if (this.approximate) this.pages.forgetFrom(0);
    this.tail.replace(lines);
    this.settled = page.end - lines.length;
    this.oldest = Math.min(page.first, this.settled);
    this.approximate = false;
    this.isOpen = true;
    this.trim();
    this.hooks.changed();
  }

  /** Lines may have come that nobody told of: numbers are exact again after `synchronize`. */
  loosen(): void {
    this.approximate = true;
  }

  /** A page from anywhere. */
  put(page: MergedPageDto): void {
    readPage(page.lines).forEach((line, index) => {
      const position = page.position + index;
      if (position < this.settled) this.pages.set(position, line);
    });
    this.forgetBefore(page.first);
    this.hooks.changed();
  }

  /** Old lines went. */
  forgetBefore(first: number): void {
    const oldest = Math.min(Math.max(first, this.oldest), this.settled);
    if (oldest === this.oldest) return;
    this.oldest = oldest;
    this.hooks.changed();
  }

  take(source: number, lines: readonly WireLine[]): void {
    const before = this.tail.rows.length;
    const taken = this.tail.take(source, lines, !this.isOpen || this.settled <= this.oldest);
    this.count += this.tail.rows.length - before + taken.earlier.length;
    this.settle(taken);
  }

  skip(source: number, from: number, to: number): void {
    const taken = this.tail.skip(source, from, to);
    this.count += to - from + 1;
    this.lost += to - from + 1;
    this.settle(taken);
  }

  private settle({ inserted, earlier }: Taken): void {
    for (const index of inserted) this.hooks.shifted(this.settled + index, 1);
    for (const line of earlier) this.pushBack(line);
    this.trim();
    this.hooks.changed();
  }

  /** A line that stands among what is settled: everything behind it is one further on. */
  private pushBack(line: LogLine): void {
    const behind = this.pages.lowest((there) => compareRows(there, line) > 0);
    if (behind !== null) {
      this.pages.forgetFrom(behind);
      this.hooks.shifted(behind, 1);
    } else this.hooks.shifted(this.settled, 1);
    this.settled += 1;
  }

  private trim(): void {
    if (this.tail.rows.length <= TRIM_AT) return;
    for (const row of this.tail.shift(this.tail.rows.length - TAIL_ROWS)) {
      if (row.kind === 'line') {
        if (!this.approximate) this.pages.set(this.settled, row);
        this.settled += 1;
        continue;
      }
      this.settled += row.count;
      this.approximate = true;
      this.hooks.shifted(this.settled - row.count + 1, row.count - 1);
    }
  }

  private ask(): void {
    const from = Math.max(this.wanted.from, this.oldest);
    const to = Math.min(this.wanted.to, this.settled);
    if (!this.isOpen || Date.now() < this.failedUntil) return;
    for (const number of this.pages.missing(from, to)) {
      if (this.asked.size >= MOST_ASKED) return;
      if (!this.asked.has(number)) void this.fetch(number);
    }
  }

  private async fetch(number: number): Promise<void> {
    this.asked.add(number);
    try {
      const end = (number + 1) * PAGE_ROWS;
      let next = number * PAGE_ROWS;
      let endedEarly = true;
      // Of very long lines, several answers make a page.
      while (endedEarly && next < end) {
        const page = await this.hooks.load(next, end - next);
        this.put(page);
        endedEarly = page.ended_early === true && page.lines.length > 0;
        next = page.position + page.lines.length;
      }
      // An answer without what was asked for is not asked for again at once.
      if (this.lacks(number)) this.rest();
    } catch {
      this.rest();
    }
    this.asked.delete(number);
    this.ask();
  }

  private lacks(number: number): boolean {
    const from = Math.max(number * PAGE_ROWS, this.oldest);
    return this.pages.missing(from, Math.min((number + 1) * PAGE_ROWS, this.settled)).length > 0;
  }

  private rest(): void {
    this.failedUntil = Date.now() + RETRY_MS;
    setTimeout(() => this.ask(), RETRY_MS + 1);
  }
}
