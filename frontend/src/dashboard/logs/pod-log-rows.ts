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
  private inserted = 0;
  /** Adds stored lines: called when the first row is visible, and when the oldest lines were dropped. */
  history: { wanted: () => void; dropped: () => void } | null = null;
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

  /** Stored lines in memory. */
  get storedCount(): number {
    return this.inserted;
  }

  /** All lines are in memory; older ones may be stored. */
  want(from: number, to: number): void {
    if (from <= this.first && to > from) this.history?.wanted();
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

  /** @param goesOn whether the same query now knows more, so that rows that appear have arrived */
  filter(matches: (line: LogLine) => boolean, goesOn = false): void {
    this.matches = matches;
    const before = new Set(goesOn ? this.shown : []);
    this.shown = this.all.filter(matches);
    if (goesOn) this.arrivedCount += this.shown.filter((line) => !before.has(line)).length;
    this.changes.update((count) => count + 1);
  }

  /** Adds stored lines, which have negative numbers. Lines that are there are ignored. */
  insert(lines: readonly LogLine[]): void {
    const fresh = lines.filter((line) => !this.same(line));
    this.inserted += fresh.length;
    this.all = [...fresh, ...this.all].sort(compareRows);
    this.shown = this.all.filter(this.matches);
    this.changes.update((count) => count + 1);
  }

  forgetStored(): void {
    if (this.inserted === 0) return;
    this.inserted = 0;
    this.all = this.all.filter(({ seq }) => seq >= 0);
    this.filter(this.matches);
  }

  /** The time of the oldest line of each source that the cluster sent. */
  oldestTimes(): Map<number, number> {
    const times = new Map<number, number>();
    for (const { source, time, seq } of this.all) {
      if (seq >= 0) times.set(source, Math.min(time, times.get(source) ?? Infinity));
    }
    return times;
  }

  add(lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    this.replaceStored(lines);
    const matching = lines.filter(this.matches);
    this.arrivedCount += matching.length;
    append(this.all, lines);
    append(this.shown, matching);
    if (this.all.length > MAX_ROWS + this.inserted + STEP) {
      this.forgetStored();
      this.all = this.all.slice(-MAX_ROWS);
      const over = this.all[0] ? this.indexOf(this.all[0]) : 0;
      this.shown = this.shown.slice(over);
      this.dropped += over;
      this.history?.dropped();
    }
    this.changes.update((count) => count + 1);
  }

  /** Lines of the cluster take the place of the same stored ones, which are forgotten with the query. */
  private replaceStored(lines: readonly LogLine[]): void {
    if (this.inserted === 0) return;
    const doubles = new Set(lines.map((line) => this.same(line, true)));
    doubles.delete(undefined);
    if (doubles.size === 0) return;
    const kept = this.all.filter((line) => !doubles.has(line));
    this.inserted -= this.all.length - kept.length;
    this.all = kept;
    this.shown = this.shown.filter((line) => !doubles.has(line));
  }

  /** The line of the same source, time and text in memory. @param isStored only a stored one */
  private same({ source, time, text }: LogLine, isStored = false): LogLine | undefined {
    for (let at = indexIn(this.all, { rank: time }); ; at += 1) {
      const there = this.all[at];
      if (!there || there.rank > time) return undefined;
      if (isStored && there.seq >= 0) continue;
      if (there.source === source && there.time === time && there.text === text) return there;
    }
  }

  /** The index of the first row that is not before this one. */
  private indexOf(row: LogRow): number {
    return indexIn(this.shown, row);
  }
}

/** The index of the first line that is not before a row, or before a time. */
function indexIn(lines: readonly LogLine[], row: LogRow | { rank: number }): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = lines[middle];
    const order = there && ('kind' in row ? compareRows(there, row) : there.rank - row.rank);
    if (order !== undefined && order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
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
