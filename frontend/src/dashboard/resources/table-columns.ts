import type { TableColumnDto, TableRowDto } from '../../shared/api/api-types';
import { rawText } from '../../shared/format/raw-text';
import {
  agedSeconds,
  cellText,
  formatMebibytes,
  formatMillicores,
  naturalKey,
  shortAge,
  type SortKey,
  sortKeyOf,
} from './cell-values';

/** A column of a table: printed by the server, or added by Slipway. */
export interface TableColumn {
  /** Title, which also identifies the column in URLs and preferences. */
  title: string;
  description: string;
  /** `seen`: when an event occurred last. */
  kind: 'name' | 'namespace' | 'age' | 'seen' | 'cpu' | 'memory' | 'label' | 'cell';
  /** Index in the cells of a row. */
  index: number;
  label: string;
  figures: boolean;
  isDefault: boolean;
  /** Whether a sparkline is beside the figure. */
  hasTrend?: boolean;
}

export const STATUS_COLUMNS: readonly string[] = ['Status', 'Ready', 'Reason'];

/** The first column of events, whose name says nothing. */
const LAST_SEEN = 'Last Seen';

export const LABEL_PREFIX = 'label:';

export function columnsOf(
  served: readonly TableColumnDto[],
  { namespaced, usage, trends = false }: { namespaced: boolean; usage: boolean; trends?: boolean },
  labels: readonly string[] = [],
): TableColumn[] {
  const areEvents = served[0]?.name === LAST_SEEN;
  const nameTitle = areEvents ? 'Reason' : served[0]?.name;
  const columns = served.map((column, index): TableColumn => {
    const { name: title, description, type, priority } = column;
    const kind =
      title === nameTitle ? 'name' : title === 'Age' ? 'age' : title === LAST_SEEN ? 'seen' : 'cell';
    const figures = type === 'integer' || type === 'number' || title === 'Age';
    const isDefault = priority === 0 || (areEvents && title === 'Count');
    return { title, description, kind, index, label: '', figures, isDefault };
  });
  const name = columns.find(({ kind }) => kind === 'name');
  const rest = columns.filter(({ kind }) => kind !== 'name');
  const all = name ? [name] : [];
  if (namespaced) all.push(added('Namespace', 'namespace', $localize`Namespace of the object`));
  // Before the age, which is kubectl's last column, except for those of `-o wide`.
  const age = rest.findIndex(({ kind }) => kind === 'age');
  const before = age < 0 ? rest.length : age;
  all.push(...rest.slice(0, before));
  if (usage) {
    const measured = { figures: true, hasTrend: trends };
    all.push(
      { ...added('CPU', 'cpu', $localize`Cores in use, from metrics-server`), ...measured },
      { ...added('Memory', 'memory', $localize`Memory in use, from metrics-server`), ...measured },
    );
  }
  all.push(...rest.slice(before));
  for (const label of labels) {
    all.push({
      ...added(`${LABEL_PREFIX}${label}`, 'label', $localize`Label ${label}:label:`),
      label,
      isDefault: false,
    });
  }
  return all;
}

function added(title: string, kind: TableColumn['kind'], description: string): TableColumn {
  return { title, kind, description, index: -1, label: '', figures: false, isDefault: true };
}

/** Text of a cell in one line, with its invisible characters as escapes. Ages are computed here because they grow. */
export function textOf(column: TableColumn, row: TableRowDto, now: number): string {
  const value = valueOf(column, row, now);
  return rawText(['cell', 'label'].includes(column.kind) ? value.replace(/[\t\n\r ]+/g, ' ') : value);
}

function valueOf(column: TableColumn, row: TableRowDto, now: number): string {
  switch (column.kind) {
    case 'name':
      return column.index > 0 ? cellText(row.cells[column.index]) : row.name;
    case 'namespace':
      return row.namespace ?? '';
    case 'seen':
      return shortAge(cellText(row.cells[column.index]), now);
    case 'age':
      return row.created_at === null ? cellText(row.cells[column.index]) : shortAge(row.created_at, now);
    case 'cpu':
      return formatMillicores(row.cpu_millicores);
    case 'memory':
      return row.memory_bytes === null ? '' : formatMebibytes(row.memory_bytes);
    case 'label':
      return row.labels[column.label] ?? '';
    case 'cell':
      return cellText(row.cells[column.index]);
  }
}

/** Sort key of a row in a column: youngest first, least ready first. */
export function keyIn(column: TableColumn, row: TableRowDto): SortKey {
  switch (column.kind) {
    case 'name':
      return naturalKey(textOf(column, row, 0));
    case 'seen':
      return -Date.parse(cellText(row.cells[column.index]));
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

const MEASURED = 200;
const MIN_CHARACTERS = 4;
const MAX_CHARACTERS = 34;
const CHARACTER_REM = 0.47;
/** A sparkline and the space beside it. */
const TREND_REM = 4.5;
/** The state icon of a name. */
const ICON_REM = 1.5;
/** Between columns. */
const GAP_REM = 0.75;

/** Rows of events with the time of their last occurrence instead of its age, which would not grow. */
export function withTimes(
  columns: readonly TableColumnDto[],
  rows: readonly TableRowDto[],
  now: number,
): readonly TableRowDto[] {
  if (columns[0]?.name !== LAST_SEEN) return rows;
  return rows.map((row) => {
    const [age, ...cells] = row.cells;
    return { ...row, cells: [new Date(now - 1000 * agedSeconds(cellText(age))).toISOString(), ...cells] };
  });
}

/** Cells that say most about an object, beside its status. */
const MAIN_COLUMNS: readonly string[] = [
  'Restarts',
  'Capacity',
  'Type',
  'Object',
  'Cluster-IP',
  'Port(s)',
  'Hosts',
];
/** Cells that are long or mostly empty. */
const MINOR_COLUMNS: readonly string[] = ['External-IP', 'Volume', 'VolumeAttributesClass'];

/** Most important first, for places without room for all columns. */
const PRIORITY: readonly ((column: TableColumn) => boolean)[] = [
  ({ kind }) => kind === 'name',
  ({ title }) => STATUS_COLUMNS.includes(title),
  ({ kind }) => kind === 'seen' || kind === 'age',
  ({ title }) => MAIN_COLUMNS.includes(title),
  ({ kind }) => kind === 'cpu' || kind === 'memory',
  ({ kind }) => kind === 'namespace',
  ({ kind, title }) => kind === 'cell' && !MINOR_COLUMNS.includes(title),
  ({ kind }) => kind === 'cell',
];

/**
 * The most important columns that fit, in their order. Sparklines are left out before columns.
 * @param roomRem with the gaps between columns
 */
export function fittingColumns(
  columns: readonly TableColumn[],
  rows: readonly TableRowDto[],
  roomRem: number,
): TableColumn[] {
  const now = Date.now();
  if (widthsOf(columns, rows, now).leastRem + columns.length * GAP_REM <= roomRem) return [...columns];
  const rank = (column: TableColumn): number => {
    const found = PRIORITY.findIndex((matches) => matches(column));
    return found < 0 ? PRIORITY.length : found;
  };
  const plain = columns.map((column) => (column.hasTrend ? { ...column, hasTrend: false } : column));
  const kept = new Set<TableColumn>();
  let room = roomRem;
  for (const column of plain.toSorted((one, other) => rank(one) - rank(other))) {
    room -= widthsOf([column], rows, now).leastRem + GAP_REM;
    if (room < 0 && kept.size > 0) break;
    kept.add(column);
  }
  return plain.filter((column) => kept.has(column));
}

/** Column widths as a grid template, and their minimum total. */
interface Widths {
  template: string;
  leastRem: number;
}

/** Fits columns to their content and shares the remaining width. */
export function widthsOf(columns: readonly TableColumn[], rows: readonly TableRowDto[], now: number): Widths {
  const measured = rows.slice(0, MEASURED);
  let leastRem = 0;
  const tracks = columns.map((column) => {
    let longest = column.title.length + 2;
    for (const row of measured) longest = Math.max(longest, textOf(column, row, now).length);
    const characters = Math.min(Math.max(longest, MIN_CHARACTERS), MAX_CHARACTERS);
    const extra = column.kind === 'name' ? ICON_REM : column.hasTrend === true ? TREND_REM : 0;
    const rem = Math.round((characters * CHARACTER_REM + extra) * 100) / 100;
    leastRem += rem;
    return `minmax(${rem}rem, ${column.figures ? rem / 2 : rem}fr)`;
  });
  return { template: tracks.join(' '), leastRem };
}

/** The most common labels of the rows, without revision hashes. */
export function commonLabels(rows: readonly TableRowDto[], limit = 12): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of rows.slice(0, MEASURED)) {
    for (const label of Object.keys(labels)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .filter(([label]) => !label.endsWith('-hash') && !label.endsWith('-generation'))
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([label]) => label);
}
