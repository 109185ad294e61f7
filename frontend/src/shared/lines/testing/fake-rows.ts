import { signal } from '@angular/core';
import { type LogLine, type LogRow, placeOf } from '../log-line';
import type { RowSource } from '../row-source';

/** Of a source whose every tenth line is an error. */
export function line(at: number): LogLine {
  const time = Date.UTC(2026, 10, 22, 8) * 1000 + at * 1000;
  return {
    kind: 'line',
    source: 1,
    seq: at,
    time,
    rank: time,
    stream: 'stdout',
    level: at % 10 === 0 ? 'error' : null,
    text: `line ${at}`,
    continues: false,
    isCut: false,
  };
}

/** Rows by number; every tenth is an error, `others` overrides rows, undefined is loading. Line N begins in row N. */
export class FakeRows implements RowSource {
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();
  readonly others = new Map<number, LogRow | undefined>();
  readonly wanted: [number, number][] = [];
  first = 1;
  arrived = 0;
  private inserted = 0;

  constructor(public end: number) {}

  row(at: number): LogRow | undefined {
    if (at < this.first || at >= this.end) throw new Error(`there is no row ${at}`);
    return this.others.has(at) ? this.others.get(at) : line(at - this.inserted);
  }

  find(row: LogRow): number {
    return placeOf(row).seq + this.inserted;
  }

  want(from: number, to: number): void {
    this.wanted.push([from, to]);
  }

  write(count: number): void {
    this.end += count;
    this.arrived += count;
    this.changes.update((version) => version + 1);
  }

  /** Inserts older lines before all others. */
  insert(count: number): void {
    this.end += count;
    this.inserted += count;
    this.changes.update((version) => version + 1);
  }
}
