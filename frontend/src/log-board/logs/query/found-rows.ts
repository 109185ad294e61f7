import { signal } from '@angular/core';
import { compareRows, type LogLine, type LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';

/**
 * What a search found, by number: the newest come first, so that older ones are numbered downwards from −1, and those
 * that are written later upwards from 0. Only what joins or leaves in between gives those behind it other numbers.
 */
export class FoundRows implements RowSource {
  /** The oldest first. */
  private lines: LogLine[] = [];
  private from = 0;
  private count = 0;
  private readonly known = new Set<string>();
  /** Null for all. */
  private sources: ReadonlySet<number> | null = null;
  private readonly listeners = new Set<(at: number, by: number) => void>();
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  /** @param wantOlder called when the first row is looked at: there may be older ones elsewhere */
  constructor(private readonly wantOlder: () => void = () => undefined) {}

  get first(): number {
    return this.from;
  }

  get end(): number {
    return this.from + this.lines.length;
  }

  get arrived(): number {
    return this.count;
  }

  get newest(): LogLine | undefined {
    return this.lines.at(-1);
  }

  /** The one that a search goes on behind. */
  get oldest(): LogLine | undefined {
    return this.lines[0];
  }

  row(at: number): LogRow | undefined {
    return this.lines[at - this.from];
  }

  /** All rows are here; those before the first one may be elsewhere. */
  want(from: number, to: number): void {
    if (from <= this.first && to > from) this.wantOlder();
  }

  onShift(listener: (at: number, by: number) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** @param lines the newest first, all of them before those that are here */
  addOlder(lines: readonly LogLine[]): void {
    const fresh = lines.filter((line) => this.isNew(line)).reverse();
    // Who looks at the first row would ask for the same ones again.
    if (fresh.length === 0) return;
    this.lines = [...fresh, ...this.lines];
    this.from -= fresh.length;
    this.changed();
  }

  /** What was written since; those that are known are left out. */
  addNewer(lines: readonly LogLine[]): void {
    this.count += this.join(lines);
  }

  /** Lines of any time, each where it belongs; those that are known are left out. @returns how many joined */
  join(lines: readonly LogLine[]): number {
    const fresh = lines.filter((line) => this.isNew(line)).sort(compareRows);
    const { newest } = this;
    // As a rule they are what is written just now.
    if (!newest || !fresh[0] || compareRows(newest, fresh[0]) < 0) {
      for (const line of fresh) this.lines.push(line);
      this.changed();
      return fresh.length;
    }
    const joined: LogLine[] = [];
    const places: { at: number; by: number }[] = [];
    let next = 0;
    for (const [index, line] of this.lines.entries()) {
      const begin = next;
      for (let one = fresh[next]; one && compareRows(one, line) < 0; one = fresh[next]) {
        joined.push(one);
        next += 1;
      }
      if (next > begin) places.push({ at: this.from + index, by: next - begin });
      joined.push(line);
    }
    this.lines = [...joined, ...fresh.slice(next)];
    // From the end, so that what comes next still has its number.
    for (const { at, by } of places.reverse()) this.shift(at, by);
    this.changed();
    return fresh.length;
  }

  /** Of these sources alone, from now on; the lines of others go. */
  keepOnly(sources: ReadonlySet<number>): void {
    this.sources = sources;
    const kept = this.lines.filter(({ source }) => sources.has(source));
    if (kept.length === this.lines.length) return;
    const before = this.lines;
    this.lines = kept;
    for (const [index, line] of [...before.entries()].reverse()) {
      if (sources.has(line.source)) continue;
      this.known.delete(nameOf(line));
      this.shift(this.from + index + 1, -1);
    }
    this.changed();
  }

  /** Lets go of what was written before a time, in microseconds. */
  forgetBefore(time: number): void {
    this.forgetWhile(({ rank }) => rank < time);
  }

  /** Lets go of what stands before a line. */
  forgetBeforeLine(line: LogLine): void {
    this.forgetWhile((there) => compareRows(there, line) < 0);
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

  private forgetWhile(isPast: (line: LogLine) => boolean): void {
    const kept = this.lines.findIndex((line) => !isPast(line));
    const gone = this.lines.splice(0, kept < 0 ? this.lines.length : kept);
    if (gone.length === 0) return;
    for (const line of gone) this.known.delete(nameOf(line));
    this.from += gone.length;
    this.changed();
  }

  private shift(at: number, by: number): void {
    for (const listener of this.listeners) listener(at, by);
  }

  private changed(): void {
    this.changes.update((count) => count + 1);
  }

  private isNew(line: LogLine): boolean {
    const name = nameOf(line);
    if (this.known.has(name) || this.sources?.has(line.source) === false) return false;
    this.known.add(name);
    return true;
  }
}

function nameOf({ source, seq }: LogLine): string {
  return `${source}.${seq}`;
}
