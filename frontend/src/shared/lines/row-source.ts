import type { Signal } from '@angular/core';
import type { LogRow } from './log-line';

/** Rows by number, of which most may be elsewhere: what a list shows. */
export interface RowSource {
  /** Another one whenever something of the rest changed; at most once a frame. */
  readonly version: Signal<number>;
  /** Number of the first row. It grows as old lines go. */
  readonly first: number;
  /** Number after the last row. */
  readonly end: number;
  /** Lines that came since it was opened; never falls. */
  readonly arrived: number;
  /** Undefined while it is on its way. */
  row(at: number): LogRow | undefined;
  /** Rows `[from, to)` are looked at: what is missing of them is fetched. */
  want(from: number, to: number): void;
  /** Tells when rows from a number on got other numbers. The answer ends it. */
  onShift(listener: (at: number, by: number) => void): () => void;
}
