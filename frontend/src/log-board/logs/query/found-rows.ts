import { signal } from '@angular/core';
import { compareRows, type LogLine, type LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';

/**
 * What a search found, by number: the newest come first, so that older ones are numbered downwards from −1, and those
 * that are written later upwards from 0. No row ever gets another number.
 */
export class FoundRows implements RowSource {
  private readonly older: LogLine[] = [];
  private readonly newer: LogLine[] = [];
  private readonly known = new Set<string>();
  /** Of the newer ones, so many are too old by now. */
  private past = 0;
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  /** @param wantOlder called when the first row is looked at: there may be older ones elsewhere */
  constructor(private readonly wantOlder: () => void = () => undefined) {}

  get first(): number {
    return this.older.length > 0 ? -this.older.length : this.past;
  }

  get end(): number {
    return this.newer.length;
  }

  get arrived(): number {
    return this.newer.length;
  }

  get newest(): LogLine | undefined {
    return this.newer.at(-1) ?? this.older[0];
  }

  row(at: number): LogRow | undefined {
    return at < 0 ? this.older[-1 - at] : this.newer[at];
  }

  /** The one that a search goes on behind. */
  get oldest(): LogLine | undefined {
    return this.older.at(-1) ?? this.newer[this.past];
  }

  /** All rows are here; those before the first one may be elsewhere. */
  want(from: number, to: number): void {
    if (from <= this.first && to > from) this.wantOlder();
  }

  onShift(): () => void {
    return () => undefined;
  }

  /** @param lines the newest first */
  addOlder(lines: readonly LogLine[]): void {
    this.older.push(...lines.filter((line) => this.isNew(line)));
    this.changes.update((count) => count + 1);
  }

  /** @param lines the newest first; those that are known are left out */
  addNewer(lines: readonly LogLine[]): void {
    this.newer.push(...lines.filter((line) => this.isNew(line)).reverse());
    this.changes.update((count) => count + 1);
  }

  /** Lets go of what was written before a time, in microseconds. */
  forgetBefore(time: number): void {
    const { first } = this;
    while ((this.older.at(-1)?.rank ?? Infinity) < time) this.older.pop();
    if (this.older.length === 0) {
      while ((this.newer[this.past]?.rank ?? Infinity) < time) this.past += 1;
    }
    if (this.first !== first) this.changes.update((count) => count + 1);
  }

  /** The number of the next row after a line, or before it; null where there is none. */
  next(
    from: LogLine | null,
    direction: 1 | -1,
    fits: (line: LogLine) => boolean = () => true,
  ): number | null {
    const { first, end } = this;
    for (let at = direction > 0 ? first : end - 1; at >= first && at < end; at += direction) {
      const row = this.row(at);
      if (row?.kind !== 'line' || !fits(row)) continue;
      if (from === null || compareRows(row, from) * direction > 0) return at;
    }
    return null;
  }

  private isNew({ source, seq }: LogLine): boolean {
    const key = `${source}.${seq}`;
    if (this.known.has(key)) return false;
    this.known.add(key);
    return true;
  }
}
