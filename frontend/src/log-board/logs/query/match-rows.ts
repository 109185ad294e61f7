import { signal } from '@angular/core';
import { compareRows, isSameRow, type LogLine, type LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';

/**
 * The matches of a search by number: the search finds the newest first, so older ones count down from −1, later ones
 * up from 0.
 */
export class MatchRows implements RowSource {
  /** Oldest first. */
  private lines: LogLine[] = [];
  private from = 0;
  private arrivedCount = 0;
  private readonly keys = new Set<string>();
  /** Null for all sources. */
  private sources: ReadonlySet<number> | null = null;
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  /** @param loadOlder called when the first row is visible: the server may have older matches */
  constructor(private readonly loadOlder: () => void = () => undefined) {}

  get first(): number {
    return this.from;
  }

  get end(): number {
    return this.from + this.lines.length;
  }

  get arrived(): number {
    return this.arrivedCount;
  }

  get newest(): LogLine | undefined {
    return this.lines.at(-1);
  }

  /** Older matches are searched before this line. */
  get oldest(): LogLine | undefined {
    return this.lines[0];
  }

  row(at: number): LogRow | undefined {
    return this.lines[at - this.from];
  }

  /** All matches are in memory; older ones may be on the server. */
  want(from: number, to: number): void {
    if (from <= this.first && to > from) this.loadOlder();
  }

  find(row: LogRow): number | null {
    const index = this.lines.findIndex((line) => isSameRow(line, row));
    const next = index >= 0 ? index : this.lines.findIndex((line) => compareRows(line, row) >= 0);
    return next < 0 ? null : this.from + next;
  }

  /** @param lines newest first, all older than the first row */
  addOlder(lines: readonly LogLine[]): void {
    const fresh = lines.filter((line) => this.addKey(line)).reverse();
    // Without a change, the list would request the same matches again.
    if (fresh.length === 0) return;
    this.lines = [...fresh, ...this.lines];
    this.from -= fresh.length;
    this.changed();
  }

  /** Adds matches written since the search; known ones are ignored. */
  addNewer(lines: readonly LogLine[]): void {
    this.arrivedCount += this.insert(lines);
  }

  /** Adds matches of any time; known ones are ignored. @returns the number of new matches */
  insert(lines: readonly LogLine[]): number {
    const fresh = lines.filter((line) => this.addKey(line)).sort(compareRows);
    const { newest } = this;
    // Usually all are newer.
    if (!newest || !fresh[0] || compareRows(newest, fresh[0]) < 0) this.lines.push(...fresh);
    else {
      const merged: LogLine[] = [];
      let next = 0;
      for (const line of this.lines) {
        for (let one = fresh[next]; one && compareRows(one, line) < 0; one = fresh[next]) {
          merged.push(one);
          next += 1;
        }
        merged.push(line);
      }
      this.lines = [...merged, ...fresh.slice(next)];
    }
    this.changed();
    return fresh.length;
  }

  /** Removes and ignores matches of other sources. */
  keepOnly(sources: ReadonlySet<number>): void {
    this.sources = sources;
    const kept = this.lines.filter(({ source }) => sources.has(source));
    if (kept.length === this.lines.length) return;
    for (const line of this.lines) if (!sources.has(line.source)) this.keys.delete(keyOf(line));
    this.lines = kept;
    this.changed();
  }

  /** Removes matches before a time in microseconds. */
  forgetBefore(time: number): void {
    this.forgetWhile(({ rank }) => rank < time);
  }

  forgetBeforeLine(line: LogLine): void {
    this.forgetWhile((there) => compareRows(there, line) < 0);
  }

  /** The number of the next match after or before a line, or null. */
  next(from: LogLine | null, direction: 1 | -1): number | null {
    const { first, end } = this;
    for (let at = direction > 0 ? first : end - 1; at >= first && at < end; at += direction) {
      const row = this.row(at);
      if (row?.kind !== 'line') continue;
      if (from === null || compareRows(row, from) * direction > 0) return at;
    }
    return null;
  }

  private forgetWhile(isPast: (line: LogLine) => boolean): void {
    const kept = this.lines.findIndex((line) => !isPast(line));
    const gone = this.lines.splice(0, kept < 0 ? this.lines.length : kept);
    if (gone.length === 0) return;
    for (const line of gone) this.keys.delete(keyOf(line));
    this.from += gone.length;
    this.changed();
  }

  private changed(): void {
    this.changes.update((count) => count + 1);
  }

  private addKey(line: LogLine): boolean {
    const key = keyOf(line);
    if (this.keys.has(key) || this.sources?.has(line.source) === false) return false;
    this.keys.add(key);
    return true;
  }
}

function keyOf({ source, seq }: LogLine): string {
  return `${source}.${seq}`;
}
