import type { LogLine } from '../../../shared/lines/log-line';

export const PAGE_ROWS = 500;
const MAX_PAGES = 40;
/** Limit for all texts together: pages of long lines are evicted earlier. */
const MAX_CHARACTERS = 24_000_000;

interface Page {
  lines: (LogLine | undefined)[];
  characters: number;
}

/** Lines by position, in pages; the least recently used are evicted. */
export class PageCache {
  private readonly pages = new Map<number, Page>();
  private characters = 0;

  get(position: number): LogLine | undefined {
    return this.pages.get(pageOf(position))?.lines[position % PAGE_ROWS];
  }

  set(position: number, line: LogLine): void {
    const number = pageOf(position);
    let page = this.pages.get(number);
    if (!page) {
      page = { lines: new Array<LogLine | undefined>(PAGE_ROWS), characters: 0 };
      this.pages.set(number, page);
    }
    const grown = line.text.length - (page.lines[position % PAGE_ROWS]?.text.length ?? 0);
    page.lines[position % PAGE_ROWS] = line;
    page.characters += grown;
    this.characters += grown;
    this.shrink(number);
  }

  touch(from: number, to: number): void {
    for (let number = pageOf(from); number <= pageOf(Math.max(from, to - 1)); number += 1) {
      const page = this.pages.get(number);
      if (!page) continue;
      this.pages.delete(number);
      this.pages.set(number, page);
    }
  }

  /** Numbers of the pages that lack rows of `[from, to)`. */
  missing(from: number, to: number): number[] {
    const missing = new Set<number>();
    for (let position = from; position < to; position += 1) {
      if (!this.get(position)) missing.add(pageOf(position));
    }
    return [...missing];
  }

  forgetFrom(position: number): void {
    for (const [number, page] of this.pages) {
      if ((number + 1) * PAGE_ROWS <= position) continue;
      if (number * PAGE_ROWS >= position) {
        this.drop(number, page);
        continue;
      }
      for (let index = position % PAGE_ROWS; index < PAGE_ROWS; index += 1) {
        const gone = page.lines[index]?.text.length ?? 0;
        page.lines[index] = undefined;
        page.characters -= gone;
        this.characters -= gone;
      }
    }
  }

  lowest(condition: (line: LogLine) => boolean): number | null {
    let lowest: number | null = null;
    for (const [number, page] of this.pages) {
      const index = page.lines.findIndex((line) => line !== undefined && condition(line));
      if (index >= 0) lowest = Math.min(lowest ?? Infinity, number * PAGE_ROWS + index);
    }
    return lowest;
  }

  private shrink(kept: number): void {
    for (const [number, page] of this.pages) {
      if (this.pages.size <= MAX_PAGES && this.characters <= MAX_CHARACTERS) return;
      if (number !== kept) this.drop(number, page);
    }
  }

  private drop(number: number, page: Page): void {
    this.pages.delete(number);
    this.characters -= page.characters;
  }
}

function pageOf(position: number): number {
  return Math.floor(position / PAGE_ROWS);
}
