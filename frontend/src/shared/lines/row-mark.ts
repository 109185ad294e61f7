import { computed, linkedSignal, type Signal, untracked } from '@angular/core';
import { isSameRow, type LogRow } from './log-line';
import type { RowSource } from './row-source';

interface Marked {
  at: number;
  /** Undefined until it is loaded. */
  row: LogRow | undefined;
}

/** A row number, such as that of the cursor, that stays with its line when rows are renumbered. */
export class RowMark {
  private readonly marked = linkedSignal<{ rows: RowSource; version: number }, Marked | null>({
    source: () => ({ rows: this.rows(), version: this.rows().version() }),
    computation: ({ rows }, previous) => (previous?.value ? renumbered(rows, previous.value) : null),
  });
  readonly at = computed(() => this.marked()?.at ?? null);
  readonly row = computed(() => this.marked()?.row);

  constructor(private readonly rows: Signal<RowSource>) {}

  set(at: number | null): void {
    this.marked.set(at === null ? null : { at, row: rowAt(untracked(this.rows), at) });
  }
}

function renumbered(rows: RowSource, marked: Marked): Marked {
  const { at, row } = marked;
  const there = rowAt(rows, at);
  if (!row || (there && isSameRow(there, row))) return { at, row: there };
  const now = rows.find?.(row) ?? null;
  return now === null ? marked : { at: now, row: rowAt(rows, now) };
}

function rowAt(rows: RowSource, at: number): LogRow | undefined {
  return at >= rows.first && at < rows.end ? rows.row(at) : undefined;
}
