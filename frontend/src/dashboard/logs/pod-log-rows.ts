import { signal } from '@angular/core';
import { compareRows, type LogLine, type LogRow } from '../../shared/lines/log-line';
import type { RowSource } from '../../shared/lines/row-source';

/** Maximum lines in memory. The log board keeps all of them. */
export const MAX_ROWS = 20_000;
/** Lines dropped at once: dropping them singly would copy the array for each new line. */
const STEP = 2000;

/** Lines of one or several sources, ordered by time; those that a filter leaves are the rows. */
export class PodLogRows implements RowSource {
  private all: LogLine[] = [];
  private shown: LogLine[] = [];
  private dropped = 0;
  private arrivedCount = 0;
  private matches: (line: LogLine) => boolean = () => true;
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  get first(): number {
    return this.dropped;
  }

  get end(): number {
    return this.dropped + this.shown.length;
  }

  get arrived(): number {
    return this.arrivedCount;
  }

  /** Lines in memory, whether or not they match. */
  get total(): number {
    return this.all.length;
  }

  row(at: number): LogRow | undefined {
    return this.shown[at - this.dropped];
  }

  find(row: LogRow): number | null {
    return this.shown.length === 0 ? null : Math.min(this.dropped + this.indexOf(row), this.end - 1);
  }

  /** The newest first, whether or not they match. */
  *newest(): Generator<LogLine> {
    for (let at = this.all.length - 1; at >= 0; at -= 1) {
      const line = this.all[at];
      if (line) yield line;
    }
  }

  filter(matches: (line: LogLine) => boolean): void {
    this.matches = matches;
    this.shown = this.all.filter(matches);
    this.changes.update((count) => count + 1);
  }

  add(lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    const matching = lines.filter(this.matches);
    this.arrivedCount += matching.length;
    append(this.all, lines);
    append(this.shown, matching);
    if (this.all.length > MAX_ROWS + STEP) {
      this.all = this.all.slice(-MAX_ROWS);
      const over = this.all[0] ? this.indexOf(this.all[0]) : 0;
      this.shown = this.shown.slice(over);
      this.dropped += over;
    }
    this.changes.update((count) => count + 1);
  }

  /** The index of the first row that is not before this one. */
  private indexOf(row: LogRow): number {
    let [low, high] = [0, this.shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.shown[middle];
      if (there && compareRows(there, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Sorts only if lines of other sources came first; almost sorted arrays sort fast. */
function append(lines: LogLine[], added: readonly LogLine[]): void {
  let last = lines.at(-1);
  let isSorted = true;
  for (const line of added) {
    isSorted &&= !last || compareRows(last, line) <= 0;
    lines.push(line);
    last = line;
  }
  if (!isSorted) lines.sort(compareRows);
}
