import { DomainError } from '../../../core/errors/index.js';
import type {
  ResourceApi,
  ResourceType,
  TableColumn,
  TableQuery,
  TableRow,
} from '../../../drivers/kubernetes/index.js';
import type { ResourceHealth, TableColumnDto, TableRowDto } from '../resource.dto.js';
import type { UsageReading } from '../usage/usage-readings.js';
import { Ages } from './ages.js';
import { healthOf } from './health.js';

/** A row, and what was found out of it once. */
export interface PrintedRow {
  row: TableRow;
  health: ResourceHealth;
  /** When the server printed it, in milliseconds since 1970. */
  printedAt: number;
}

/** By which the API server sorts: the place of the object in its store. */
export function keyOf({ namespace, name }: { namespace: string | null; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** What tells a row from others; what is not stored, such as measurements, has no uid. */
export function idOf(row: TableRow): string {
  return row.uid === '' ? keyOf(row) : row.uid;
}

/** How the rows of a kind are read and shown. */
export class RowFormat {
  /** As they are told to pages. */
  readonly shownColumns: TableColumnDto[];
  private readonly ages: Ages;
  private readonly health: (row: TableRow) => ResourceHealth;

  constructor(
    readonly type: ResourceType,
    readonly columns: TableColumn[],
  ) {
    this.shownColumns = columns.map(({ name, type: valueType, description, priority }) => ({
      name,
      type: valueType,
      description,
      priority,
    }));
    this.ages = new Ages(columns);
    this.health = healthOf(type, columns);
  }

  keep(row: TableRow, printedAt: number): PrintedRow {
    // Of IPAddresses the server prints a cell more than it has columns; kubectl shows none of it.
    if (row.cells.length > this.columns.length) row.cells.length = this.columns.length;
    return { row, health: this.health(row), printedAt };
  }

  /** Whether a row that was printed again says anything new. */
  differs(kept: PrintedRow, again: TableRow): boolean {
    return (
      kept.row.deletedAt !== again.deletedAt ||
      this.ages.differ(kept.row.cells, again.cells) ||
      JSON.stringify(kept.row.labels) !== JSON.stringify(again.labels)
    );
  }

  /** Field by field, so that nothing else leaves the server. */
  present({ row, health, printedAt }: PrintedRow, now: number, usage: UsageReading | null): TableRowDto {
    const measured = usage?.of(this.type, row);
    return {
      uid: idOf(row),
      namespace: row.namespace,
      name: row.name,
      created_at: row.createdAt,
      deleted_at: row.deletedAt,
      health,
      owner: row.owner && { kind: row.owner.kind, name: row.owner.name },
      labels: row.labels,
      cells: this.ages.at(row, printedAt, now),
      cpu_millicores: measured?.cpuMillicores ?? null,
      memory_bytes: measured?.memoryBytes ?? null,
    };
  }
}

/** Rows as they were listed. */
export interface ListedRows {
  format: RowFormat;
  rows: PrintedRow[];
  /** How many follow them; null where the server does not tell. */
  remaining: number | null;
  /** Token of the API server for what follows. */
  continue: string | null;
  resourceVersion: string;
}

/** As much as the API server prints without effort; more comes in pages. */
const PAGE = 500;
/** A list may take so long that its token expires; then it is begun again once. */
const ATTEMPTS = 2;

/**
 * Lists up to `most` rows, page by page.
 * @throws DomainError as `ResourceApi.table`
 */
export async function listRows(
  api: ResourceApi,
  type: ResourceType,
  most: number,
  query: TableQuery = {},
): Promise<ListedRows> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listOnce(api, type, most, query);
    } catch (error) {
      const isOld = error instanceof DomainError && error.code === 'page_expired';
      if (!isOld || query.continue !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listOnce(
  api: ResourceApi,
  type: ResourceType,
  most: number,
  query: TableQuery,
): Promise<ListedRows> {
  let format: RowFormat | undefined;
  let next: string | null = query.continue ?? null;
  const rows: PrintedRow[] = [];
  for (;;) {
    const table = await api.table(type, {
      ...query,
      limit: Math.min(PAGE, most - rows.length),
      ...(next === null ? {} : { continue: next }),
    });
    format ??= new RowFormat(type, table.columns);
    const now = Date.now();
    for (const row of table.rows) rows.push(format.keep(row, now));
    next = table.continue;
    if (next !== null && rows.length < most) continue;
    return {
      format,
      rows,
      remaining: next === null ? 0 : table.remaining,
      continue: next,
      resourceVersion: table.resourceVersion,
    };
  }
}
