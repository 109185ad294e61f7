import type { ListMeta } from 'kubernetes-types/meta/v1.js';
import { shortened } from '../../core/values/index.js';
import type { KubernetesObject, ResourceTable, TableCell, TableColumn, TableRow } from './resource-api.js';

/** Some aggregated API servers do not support tables and send objects instead. */
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Characters of a cell. A printer column of a CRD can print the 1.5 MB that an object can have. */
export const MAX_CELL = 4096;

type Metadata = Partial<KubernetesObject['metadata']>;

interface PrintedTable {
  kind: 'Table';
  metadata?: ListMeta;
  columnDefinitions?: Partial<TableColumn>[] | null;
  rows?: { cells?: unknown[]; object?: { metadata?: Metadata } | null }[] | null;
}

interface ObjectList {
  kind?: string;
  metadata?: ListMeta;
  items?: { metadata?: Metadata }[] | null;
}

/** The columns of kubectl for a server without tables. */
const PLAIN_COLUMNS: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
  { name: 'Age', type: 'date', format: '', description: 'When the object was created', priority: 0 },
];

/** Parses a table, or creates one with the names and ages of objects. */
export function tableOf(text: string): ResourceTable {
  const response = JSON.parse(text) as PrintedTable | ObjectList;
  const { metadata = {} } = response;
  return {
    ...(isTable(response)
      ? { columns: columnsOf(response), rows: printedRows(response) }
      : { columns: [...PLAIN_COLUMNS], rows: (response.items ?? []).map(plainRow) }),
    continue: metadata.continue || null,
    remaining: metadata.remainingItemCount ?? (metadata.continue ? null : 0),
    resourceVersion: metadata.resourceVersion ?? '',
  };
}

export function eventRow(object: unknown): { row: TableRow | undefined; resourceVersion: string } {
  const response = object as PrintedTable | { kind?: string; metadata?: Metadata };
  const row = isTable(response) ? printedRows(response)[0] : plainRow(response);
  return { row, resourceVersion: response.metadata?.resourceVersion ?? '' };
}

function isTable(response: { kind?: string }): response is PrintedTable {
  return response.kind === 'Table';
}

function columnsOf({ columnDefinitions }: PrintedTable): TableColumn[] {
  return (columnDefinitions ?? []).map(
    ({ name = '', type = 'string', format = '', description = '', priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    }),
  );
}

function printedRows({ rows }: PrintedTable): TableRow[] {
  return (rows ?? []).map(({ cells = [], object }) => ({
    ...identityOf(object?.metadata ?? {}),
    cells: cells.map(cellOf),
  }));
}

function plainRow({ metadata = {} }: { metadata?: Metadata }): TableRow {
  const identity = identityOf(metadata);
  return { ...identity, cells: [identity.name, identity.createdAt] };
}

/** The metadata that a row needs. The rest, in particular `managedFields`, is most of a response. */
function identityOf(metadata: Metadata): Omit<TableRow, 'cells'> {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? null,
    name: metadata.name ?? '',
    createdAt: metadata.creationTimestamp ?? null,
    deletedAt: metadata.deletionTimestamp ?? null,
    labels: metadata.labels ?? {},
    owner: controller ? { kind: controller.kind, name: controller.name } : null,
  };
}

/** A column of a CRD may contain a list or an object, which kubectl prints as JSON. */
function cellOf(cell: unknown): TableCell {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell;
  return shortened(typeof cell === 'string' ? cell : JSON.stringify(cell), MAX_CELL);
}
