import { readLastSeen } from '../watch/ages.js';
import type { PrintedRow, RowFormat } from '../watch/printed-row.js';

/** Sorts events by last occurrence; those without one come last. */
export function newestFirst(
  { columns }: Pick<RowFormat, 'columns'>,
  rows: readonly PrintedRow[],
): PrintedRow[] {
  const column = columns.findIndex(({ name }) => name === 'Last Seen');
  const ageOf = ({ row, printedAt }: PrintedRow): number =>
    (readLastSeen(row.cells[column]) ?? Infinity) - printedAt;
  return rows
    .map((row) => ({ row, age: ageOf(row) }))
    .sort((one, other) => (one.age === other.age ? 0 : one.age - other.age))
    .map(({ row }) => row);
}
