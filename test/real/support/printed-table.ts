import type { ResourceBlockDto } from '../../../backend/src/modules/resources/common/resource.dto.js';

/** A table as kubectl prints it, in words that two readings of it share. */
export interface PrintedTable {
  columns: string[];
  rows: string[][];
}

/** Columns that count on while one looks. */
const AGES = new Set(['AGE', 'LAST SEEN', 'DURATION', 'LAST SCHEDULE']);

/** Reads what `kubectl get --all-namespaces` printed. Nothing is what it prints of nothing. */
export function readPrinted(text: string): PrintedTable {
  const [header = '', ...lines] = text.split('\n');
  const starts = [...header.matchAll(/\S+(?: \S+)*/g)];
  const cut = (line: string): string[] =>
    starts.map(({ index }, place) => line.slice(index, starts[place + 1]?.index).trim());
  const columns = starts.map(([name]) => name);
  return { columns, rows: lines.filter((line) => line !== '').map((line) => ageless(columns, cut(line))) };
}

/** A block of the overview as kubectl would print it. */
export function printed({ type, columns, rows }: ResourceBlockDto): PrintedTable {
  if (rows.length === 0) return { columns: [], rows: [] };
  const shown = columns.flatMap(({ name, priority }, index) => (priority === 0 ? [{ name, index }] : []));
  const names = [...(type.namespaced ? ['NAMESPACE'] : []), ...shown.map(({ name }) => name.toUpperCase())];
  return {
    columns: names,
    rows: rows.map(({ namespace, cells }) =>
      ageless(names, [
        ...(type.namespaced ? [namespace ?? ''] : []),
        ...shown.map(({ index }) => printedCell(cells[index] ?? '')),
      ]),
    ),
  };
}

/** kubectl ends a cell where its text ends a line. */
function printedCell(cell: string | number | boolean): string {
  const text = String(cell);
  const end = text.search(/[\f\n\r]/);
  return (end === -1 ? text : `${text.slice(0, end)}...`).trim();
}

function ageless(columns: readonly string[], cells: readonly string[]): string[] {
  return cells.map((cell, index) => {
    const column = columns[index] ?? '';
    if (AGES.has(column)) return '';
    return column === 'RESTARTS' ? cell.replace(/ \(.*\)$/, '') : cell;
  });
}
