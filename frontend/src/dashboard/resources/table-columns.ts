import type { TableColumnDto, TableRowDto } from '../../shared/api/api-types';
import { formatBytes } from '../../shared/format/format';
import { cellText, formatMillicores, naturalKey, shortAge, type SortKey, sortKeyOf } from './cell-values';

/** One column of a table: the server's own ones, and those that we add. */
export interface TableColumn {
  /** Its title, by which the address and the choice of columns name it. */
  title: string;
  description: string;
  sort: 'name' | 'namespace' | 'age' | 'cpu' | 'memory' | 'label' | 'cell';
  /** Where in the cells of a row. */
  index: number;
  /** Of a label column, which. */
  label: string;
  /** Figures are read from the right. */
  figures: boolean;
  /** Shown without being asked for. */
  usual: boolean;
}

/** Columns that say how a row stands. */
export const TELLING: readonly string[] = ['Status', 'Ready', 'Reason'];

/** Columns of labels are named so, as `kubectl get -L` names them by the label. */
export const LABEL_PREFIX = 'label:';

/** All columns that a table can show, in the order in which it does. */
export function columnsOf(
  served: readonly TableColumnDto[],
  { namespaced, usage }: { namespaced: boolean; usage: boolean },
  labels: readonly string[] = [],
): TableColumn[] {
  const columns = served.map((column, index): TableColumn => {
    const { name: title, description, type, priority } = column;
    const sort = index === 0 ? 'name' : title === 'Age' ? 'age' : 'cell';
    const figures = type === 'integer' || type === 'number' || title === 'Age';
    return { title, description, sort, index, label: '', figures, usual: priority === 0 };
  });
  const [name, ...rest] = columns;
  const all = name ? [name] : [];
  if (namespaced) all.push(added('Namespace', 'namespace', 'The namespace that it belongs to'));
  // Before the age, which stands last with kubectl; what `-o wide` adds comes after it.
  const age = rest.findIndex(({ sort }) => sort === 'age');
  const before = age < 0 ? rest.length : age;
  all.push(...rest.slice(0, before));
  if (usage) {
    all.push(
      { ...added('CPU', 'cpu', 'Cores in use, by metrics-server'), figures: true },
      { ...added('Memory', 'memory', 'Memory in use, by metrics-server'), figures: true },
    );
  }
  all.push(...rest.slice(before));
  for (const label of labels) {
    all.push({ ...added(`${LABEL_PREFIX}${label}`, 'label', `The label ${label}`), label, usual: false });
  }
  return all;
}

function added(title: string, sort: TableColumn['sort'], description: string): TableColumn {
  return { title, sort, description, index: -1, label: '', figures: false, usual: true };
}

/** A cell as it is shown. Ages grow while one looks, so they are reckoned and not the server's. */
export function textOf(column: TableColumn, row: TableRowDto, now: number): string {
  switch (column.sort) {
    case 'name':
      return row.name;
    case 'namespace':
      return row.namespace ?? '';
    case 'age':
      return row.created_at === null ? cellText(row.cells[column.index]) : shortAge(row.created_at, now);
    case 'cpu':
      return formatMillicores(row.cpu_millicores);
    case 'memory':
      return row.memory_bytes === null ? '' : formatBytes(row.memory_bytes);
    case 'label':
      return row.labels[column.label] ?? '';
    case 'cell':
      return cellText(row.cells[column.index]);
  }
}

/** What rows are sorted by in this column: the youngest first, the least ready first. */
export function keyIn(column: TableColumn, row: TableRowDto): SortKey {
  switch (column.sort) {
    case 'name':
      return naturalKey(row.name);
    case 'namespace':
      return row.namespace;
    case 'age':
      return row.created_at === null ? null : -Date.parse(row.created_at);
    case 'cpu':
      return row.cpu_millicores;
    case 'memory':
      return row.memory_bytes;
    case 'label':
      return sortKeyOf(row.labels[column.label]);
    case 'cell':
      return sortKeyOf(row.cells[column.index]);
  }
}

/** Rows that are looked at to find how wide a column is. */
const MEASURED = 200;
const NARROWEST = 4;
const WIDEST = 34;
/** Of a character in a table, as near as one need know it. */
const CHARACTER_REM = 0.47;

/** The widths of columns as a grid's template, and what they take at least. */
export interface Widths {
  template: string;
  leastRem: number;
}

/** Measured by what stands in the columns: each has what it needs, and shares the rest. */
export function widthsOf(columns: readonly TableColumn[], rows: readonly TableRowDto[], now: number): Widths {
  const measured = rows.slice(0, MEASURED);
  let leastRem = 0;
  const tracks = columns.map((column) => {
    let longest = column.title.length + 2;
    for (const row of measured) longest = Math.max(longest, textOf(column, row, now).length);
    const characters = Math.min(Math.max(longest, NARROWEST), WIDEST);
    // A name has a mark before it.
    const rem = Math.round((characters * CHARACTER_REM + (column.sort === 'name' ? 1.5 : 0)) * 100) / 100;
    leastRem += rem;
    return `minmax(${rem}rem, ${column.figures ? rem / 2 : rem}fr)`;
  });
  return { template: tracks.join(' '), leastRem };
}

/** Labels that rows carry, the commonest first; those that only tell one revision from another help nobody. */
export function commonLabels(rows: readonly TableRowDto[], most = 12): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of rows.slice(0, MEASURED)) {
    for (const label of Object.keys(labels)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .filter(([label]) => !label.endsWith('-hash') && !label.endsWith('-generation'))
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([label]) => label);
}
