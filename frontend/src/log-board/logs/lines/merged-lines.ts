import type { MergedPageDto, WireLine } from '../../../shared/api/api-types';
import { LiveTail } from './live-tail';
import {
  compareRows,
  type LinePlace,
  type LogLine,
  type LogRow,
  readPage,
} from '../../../shared/lines/log-line';
import { PAGE_ROWS, PageCache } from './page-cache';

/** Rows of the tail after trimming; older rows become pages. */
const TAIL_ROWS = 4000;
const TRIM_AT = 5000;
const MAX_REQUESTS = 3;
const RETRY_MS = 2000;

export interface MergedLinesHooks {
  /** Loads up to `limit` lines from a position. */
  load: (position: number, limit: number) => Promise<MergedPageDto>;
  /** Rows have changed; may be called often. */
  changed: () => void;
}

/**
 * The merged lines of several sources by number; there may be millions. The server numbers old lines, which are
 * loaded in pages on demand. New lines from the socket are appended to the tail.
 */
export class MergedLines {
  private readonly pages = new PageCache();
  private readonly tail = new LiveTail();
  private oldest = 0;
  private tailStart = 0;
  private isOpen = false;
  private readonly requested = new Set<number>();
  private pausedUntil = 0;
  private wanted: { from: number; to: number } = { from: 0, to: 0 };
  private arrivedCount = 0;
  private skippedCount = 0;
  /** Row numbers are inexact until `synchronize`: lines were skipped, or may have been missed. */
  isApproximate = false;

  private readonly ids: ReadonlySet<number>;

  constructor(
    readonly sources: readonly number[],
    private readonly hooks: MergedLinesHooks,
  ) {
    this.ids = new Set(sources);
  }

  holds(source: number): boolean {
    return this.ids.has(source);
  }

  get opened(): boolean {
    return this.isOpen;
  }

  get first(): number {
    return this.oldest;
  }

  get end(): number {
    return this.tailStart + this.tail.rows.length;
  }

  get arrived(): number {
    return this.arrivedCount;
  }

  /** Lines skipped because the page was too slow. */
  get skipped(): number {
    return this.skippedCount;
  }

  row(at: number): LogRow | undefined {
    return at >= this.tailStart ? this.tail.rows[at - this.tailStart] : this.pages.get(at);
  }

  /** The number of a line in memory; null if it is not loaded. */
  find({ source, seq }: LinePlace): number | null {
    const index = this.tail.indexOf(source, seq);
    if (index >= 0) return this.tailStart + index;
    return this.pages.lowest((line) => line.source === source && line.seq === seq);
  }

  /** The number of the first row in memory after a line that is not one of these. */
  findNext(row: LogRow): number {
    const page = this.pages.lowest((line) => compareRows(line, row) >= 0);
    if (page !== null) return page;
    const index = this.tail.rows.findIndex((line) => compareRows(line, row) >= 0);
    return index < 0 ? this.end - 1 : this.tailStart + index;
  }

  want(from: number, to: number): void {
    this.wanted = { from, to };
    this.pages.touch(from, to);
    this.request();
  }

  /** Opens the list with the newest page, or makes its numbers exact again. Lines received meanwhile are kept. */
  synchronize(page: MergedPageDto): void {
    const lines = readPage(page.lines);
    if (this.isApproximate) this.pages.forgetFrom(0);
    this.tail.replace(lines);
    this.tailStart = page.end - lines.length;
    this.oldest = Math.min(page.first, this.tailStart);
    this.isApproximate = false;
    this.isOpen = true;
    this.trim();
    this.hooks.changed();
  }

  addPage(page: MergedPageDto): void {
    readPage(page.lines).forEach((line, index) => {
      const position = page.position + index;
      if (position < this.tailStart) this.pages.set(position, line);
    });
    this.forgetBefore(page.first);
    this.hooks.changed();
  }

  forgetBefore(first: number): void {
    const oldest = Math.min(Math.max(first, this.oldest), this.tailStart);
    if (oldest === this.oldest) return;
    this.oldest = oldest;
    this.hooks.changed();
  }

  append(source: number, lines: readonly WireLine[]): void {
    const before = this.tail.rows.length;
    const earlier = this.tail.append(source, lines, !this.isOpen || this.tailStart <= this.oldest);
    this.arrivedCount += this.tail.rows.length - before + earlier.length;
    for (const line of earlier) this.insertSettled(line);
    this.trim();
    this.hooks.changed();
  }

  skip(source: number, from: number, to: number): void {
    this.tail.skip(source, from, to);
    this.arrivedCount += to - from + 1;
    this.skippedCount += to - from + 1;
    this.trim();
    this.hooks.changed();
  }

  /** A line before the tail renumbers all rows after it. */
  private insertSettled(line: LogLine): void {
    const behind = this.pages.lowest((there) => compareRows(there, line) > 0);
    if (behind !== null) this.pages.forgetFrom(behind);
    this.tailStart += 1;
  }

  private trim(): void {
    if (this.tail.rows.length <= TRIM_AT) return;
    for (const row of this.tail.shift(this.tail.rows.length - TAIL_ROWS)) {
      if (row.kind === 'line') {
        if (!this.isApproximate) this.pages.set(this.tailStart, row);
        this.tailStart += 1;
        continue;
      }
      this.tailStart += row.count;
      this.isApproximate = true;
    }
  }

  private request(): void {
    const from = Math.max(this.wanted.from, this.oldest);
    const to = Math.min(this.wanted.to, this.tailStart);
    if (!this.isOpen || Date.now() < this.pausedUntil) return;
    for (const number of this.pages.missing(from, to)) {
      if (this.requested.size >= MAX_REQUESTS) return;
      if (!this.requested.has(number)) void this.fetch(number);
    }
  }

  private async fetch(number: number): Promise<void> {
    this.requested.add(number);
    try {
      const end = (number + 1) * PAGE_ROWS;
      let next = number * PAGE_ROWS;
      let endedEarly = true;
      // A page of very long lines takes several requests.
      while (endedEarly && next < end) {
        const page = await this.hooks.load(next, end - next);
        this.addPage(page);
        endedEarly = page.ended_early === true && page.lines.length > 0;
        next = page.position + page.lines.length;
      }
      // Do not request missing lines again immediately.
      if (this.isMissing(number)) this.pause();
    } catch {
      this.pause();
    }
    this.requested.delete(number);
    this.request();
  }

  private isMissing(number: number): boolean {
    const from = Math.max(number * PAGE_ROWS, this.oldest);
    return this.pages.missing(from, Math.min((number + 1) * PAGE_ROWS, this.tailStart)).length > 0;
  }

  private pause(): void {
    this.pausedUntil = Date.now() + RETRY_MS;
    setTimeout(() => this.request(), RETRY_MS + 1);
  }
}
