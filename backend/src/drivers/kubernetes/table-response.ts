import type { KubernetesObject, ResourceTable, TableCell, TableColumn, TableRow } from './resource-api.js';

/** Servers that print no tables, as some behind the API server, send their objects instead. */
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

type Metadata = Partial<KubernetesObject['metadata']>;

interface PrintedTable {
  kind: 'Table';
  metadata?: ListMetadata;
  columnDefinitions?: Partial<TableColumn>[] | null;
  rows?: { cells?: unknown[]; object?: { metadata?: Metadata } | null }[] | null;
}

interface ListMetadata {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

interface ObjectList {
  kind?: string;
  metadata?: ListMetadata;
  items?: { metadata?: Metadata }[] | null;
}

/** What kubectl prints of an object that nobody prints for it. */
const PLAIN_COLUMNS: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
  { name: 'Age', type: 'date', format: '', description: 'When the object was created', priority: 0 },
];

/** A page as the server printed it, or the plainest table of objects that it did not. */
export function tableOf(text: string): ResourceTable {
  const answer = JSON.parse(text) as PrintedTable | ObjectList;
  const { metadata = {} } = answer;
  return {
    ...(isTable(answer)
      ? { columns: columnsOf(answer), rows: printedRows(answer) }
      : { columns: [...PLAIN_COLUMNS], rows: (answer.items ?? []).map(plainRow) }),
    continue: metadata.continue || null,
    remaining: metadata.remainingItemCount ?? (metadata.continue ? null : 0),
    resourceVersion: metadata.resourceVersion ?? '',
  };
}

/** The row of a watch's event, and the version that it brings. */
export function eventRow(object: unknown): { row: TableRow | undefined; resourceVersion: string } {
  const answer = object as PrintedTable | { kind?: string; metadata?: Metadata };
  if (!isTable(answer)) {
    return { row: plainRow(answer), resourceVersion: answer.metadata?.resourceVersion ?? '' };
  }
  const version = answer.metadata?.resourceVersion ?? '';
  const [row] = printedRows(answer);
  return { row, resourceVersion: version };
}

function isTable(answer: { kind?: string }): answer is PrintedTable {
  return answer.kind === 'Table';
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

/** Of all metadata only what a row tells; the rest, above all `managedFields`, is most of an answer. */
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

/** A custom column may print a list or an object, which kubectl writes as JSON. */
function cellOf(cell: unknown): TableCell {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell;
  return JSON.stringify(cell);
}
