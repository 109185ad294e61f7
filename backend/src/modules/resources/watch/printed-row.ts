import { hasCode } from '../../../core/errors/index.js';
import {
  healthOf,
  type ResourceApi,
  type ResourceHealth,
  type ResourceType,
  type TableColumn,
  type TableQuery,
  type TableRow,
} from '../../../drivers/kubernetes/index.js';
import type { TableColumnDto, TableRowDto } from '../common/resource.dto.js';
import type { UsageReading } from '../usage/usage-readings.js';
import { Ages } from './ages.js';

export interface PrintedRow {
  row: TableRow;
  /** By its cells, or by the causes that were found for it. */
  health: ResourceHealth;
  /** By its cells alone. */
  printedHealth: ResourceHealth;
  /** When the API server printed it, in milliseconds since 1970. */
  printedAt: number;
}

/** The sort key of the API server. */
export function keyOf({ namespace, name }: { namespace: string | null; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** Unique id of a row. Objects that are not stored, such as metrics, have no uid. */
export function idOf(row: TableRow): string {
  return row.uid === '' ? keyOf(row) : row.uid;
}

export class RowFormat {
  readonly shownColumns: TableColumnDto[];
  private readonly ages: Ages;
  private readonly places: ReadonlyMap<string, number>;

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
    this.ages = new Ages(columns, type.custom);
    this.places = new Map(columns.map(({ name }, index) => [name, index]));
  }

  print(row: TableRow, printedAt: number): PrintedRow {
    // For IPAddress, the API server prints more cells than columns. kubectl ignores them too.
    if (row.cells.length > this.columns.length) row.cells.length = this.columns.length;
    const { health } = healthOf({ type: this.type, columns: this.places, row });
    return { row, health, printedHealth: health, printedAt };
  }

  /** A cell by the name of its column; empty without such a column. */
  text({ cells }: TableRow, column: string): string {
    return String(cells[this.places.get(column) ?? -1] ?? '');
  }

  /** Whether a newly printed row has changes other than its age. */
  differs({ row }: PrintedRow, next: TableRow): boolean {
    return (
      row.deletedAt !== next.deletedAt ||
      this.ages.differ(row.cells, next.cells) ||
      JSON.stringify(row.labels) !== JSON.stringify(next.labels)
    );
  }

  /** Copies field by field, so that nothing else leaves the server. */
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

export interface ListedRows {
  format: RowFormat;
  rows: PrintedRow[];
  /** Number of further rows; null if the API server does not report it. */
  remaining: number | null;
  /** Continue token of the API server. */
  continue: string | null;
  resourceVersion: string;
}

/** The chunk size of kubectl. */
const PAGE = 500;
/** A list is started again once if its token expires meanwhile. */
const ATTEMPTS = 2;

/**
 * Lists up to `max` rows, page by page.
 * @param onPage receives each page at once; from the first one again if the list is started again.
 * @throws DomainError as `ResourceApi.table`
 */
export async function listRows(
  api: ResourceApi,
  type: ResourceType,
  max: number,
  query: TableQuery = {},
  onPage?: (page: Omit<ListedRows, 'resourceVersion'>) => void,
): Promise<ListedRows> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listOnce(api, type, max, query, onPage);
    } catch (error) {
      if (!hasCode(error, 'page_expired') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listOnce(
  api: ResourceApi,
  type: ResourceType,
  max: number,
  query: TableQuery,
  onPage?: (page: Omit<ListedRows, 'resourceVersion'>) => void,
): Promise<ListedRows> {
  let format: RowFormat | undefined;
  let next: string | null = null;
  const rows: PrintedRow[] = [];
  for (;;) {
    const table = await api.table(type, {
      ...query,
      limit: Math.min(PAGE, max - rows.length),
      ...(next === null ? {} : { continue: next }),
    });
    const printed = (format ??= new RowFormat(type, table.columns));
    const now = Date.now();
    const page = table.rows.map((row) => printed.print(row, now));
    rows.push(...page);
    next = table.continue;
    const listed = { format: printed, rows, remaining: next === null ? 0 : table.remaining, continue: next };
    onPage?.({ ...listed, rows: page });
    if (next === null || rows.length >= max) return { ...listed, resourceVersion: table.resourceVersion };
  }
}
