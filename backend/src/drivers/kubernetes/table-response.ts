import {
  anything,
  list,
  number,
  parseJson,
  prose,
  record,
  required,
  word,
  type Read,
} from '../../core/parsing/index.js';
import { shortened } from '../../core/values/index.js';
import { listMetadata, rowMetadata } from './object-fields.js';
import type { ResourceTable, TableCell, TableColumn, TableRow } from './resource-api.js';

/** Some aggregated API servers do not support tables and send objects instead. */
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Characters of a cell. A printer column of a CRD can print the 1.5 MB that an object can have. */
export const MAX_CELL = 4096;

const column = record(
  { type: word, format: word, description: prose(4096), priority: number },
  { name: word },
);
const rowObject = record({}, { metadata: rowMetadata });
const printedRow = record({ cells: anything }, { object: rowObject });

/** A table, or the objects of a server without tables. */
const tableResponse = record({
  kind: word,
  metadata: listMetadata,
  columnDefinitions: list(column, 1000),
  rows: list(printedRow),
  items: list(rowObject),
});

/** The columns of kubectl for a server without tables. */
const PLAIN_COLUMNS: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
  { name: 'Age', type: 'date', format: '', description: 'When the object was created', priority: 0 },
];

/** Parses a table, or creates one with the names and ages of objects. Rows without a name are dropped. */
export function tableOf(response: string): ResourceTable {
  const table = required(tableResponse, parseJson(response), 'the table');
  const { metadata = {} } = table;
  return {
    ...(table.kind === 'Table'
      ? { columns: columnsOf(table), rows: printedRows(table) }
      : { columns: [...PLAIN_COLUMNS], rows: (table.items ?? []).map(plainRow) }),
    continue: metadata.continue || null,
    remaining: metadata.remainingItemCount ?? (metadata.continue ? null : 0),
    resourceVersion: metadata.resourceVersion ?? '',
  };
}

export function eventRow(object: unknown): { row: TableRow | undefined; resourceVersion: string } {
  const table = tableResponse(object) ?? {};
  const plain = table.kind === 'Table' ? undefined : rowObject(object);
  const row = plain ? plainRow(plain) : printedRows(table)[0];
  return { row, resourceVersion: table.metadata?.resourceVersion ?? '' };
}

type Table = Read<typeof tableResponse>;

function columnsOf({ columnDefinitions = [] }: Table): TableColumn[] {
  return columnDefinitions.map(({ name, type = 'string', format = '', description = '', priority = 0 }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

function printedRows({ rows = [] }: Table): TableRow[] {
  return rows.map(({ cells, object }) => ({
    ...identityOf(object.metadata),
    cells: Array.isArray(cells) ? cells.map(cellOf) : [],
  }));
}

function plainRow({ metadata }: Read<typeof rowObject>): TableRow {
  const identity = identityOf(metadata);
  return { ...identity, cells: [identity.name, identity.createdAt] };
}

function identityOf(metadata: Read<typeof rowMetadata>): Omit<TableRow, 'cells'> {
  const controller = metadata.ownerReferences?.find(({ controller }) => controller);
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? null,
    name: metadata.name,
    createdAt: metadata.creationTimestamp ?? null,
    deletedAt: metadata.deletionTimestamp ?? null,
    labels: metadata.labels ?? {},
    owner: controller ? { kind: controller.kind, name: controller.name } : null,
  };
}

/** A column of a CRD may contain a list or an object, which kubectl prints as JSON. */
function cellOf(cell: unknown): TableCell {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === 'boolean') return cell;
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  return shortened(typeof cell === 'string' ? cell : JSON.stringify(cell), MAX_CELL);
}
