import type { Signal } from '@angular/core';
import type { LogRow } from './log-line';

/** Rows by number, loaded on demand. */
export interface RowSource {
  /** Changes with the rows, at most once per frame. */
  readonly version: Signal<number>;
  /** Number of the first row; increases when old lines are deleted. */
  readonly first: number;
  /** Number after the last row. */
  readonly end: number;
  /** Lines received since the source was opened; never decreases. */
  readonly arrived: number;
  /** Undefined while it is loading. */
  row(at: number): LogRow | undefined;
  /** Rows `[from, to)` are visible: loads the missing ones. Absent if all rows are in memory. */
  want?(from: number, to: number): void;
  /**
   * The number of a row in memory, or of the row after it if it was removed; null if it is not loaded. Absent if rows
   * keep their numbers.
   */
  find?(row: LogRow): number | null;
}
