import { readDuration } from '../watch/ages.js';
import type { KeptRow, RowFormat } from '../watch/kept-row.js';

/** Events by when they were last seen; what does not tell comes last. */
export function newestFirst({ columns }: RowFormat, rows: readonly KeptRow[]): KeptRow[] {
  const column = columns.findIndex(({ name }) => name === 'Last Seen');
  const ageOf = ({ row, printedAt }: KeptRow): number =>
    (readDuration(row.cells[column]) ?? Infinity) - printedAt;
  return rows
    .map((row) => ({ row, age: ageOf(row) }))
    .sort((one, other) => (one.age === other.age ? 0 : one.age - other.age))
    .map(({ row }) => row);
}
