import type { BlockErrorDto, TableColumnDto, TableRowDto } from '../resource.dto.js';
import type { PrintedRow } from './printed-row.js';
import type { TableStore } from './table-store.js';

/** Rows of one message: about a quarter of a megabyte. */
const ROWS_AT_ONCE = 500;

/** What a viewer of a table is told next. */
export interface TableFrame {
  /** With `reset` alone. */
  columns?: TableColumnDto[];
  upserts: TableRowDto[];
  /** By uid. */
  removed: string[];
  total: number;
  /** What was told before does not count any more; these rows are the first of all, and the rest follows. */
  reset: boolean;
  /** Why the rows are not up to date now. */
  error: BlockErrorDto | null;
}

/** What one viewer of a table has not been told yet: no queue, only how far it was told. */
export class TableFeed {
  private position: number | undefined;
  /** What is left of a whole table that is being told in parts. */
  private rest: readonly PrintedRow[] = [];
  private toldError: BlockErrorDto | null = null;

  constructor(private readonly store: TableStore) {}

  /** The next part of what is new, or null where nothing is. */
  next(): TableFrame | null {
    const rows = this.nextRows();
    const { error } = this.store;
    if (!rows && error === this.toldError) return null;
    this.toldError = error;
    return {
      ...(rows?.isReset && this.store.format && { columns: this.store.format.shownColumns }),
      upserts: this.present(rows?.upserts ?? []),
      removed: rows?.removed ?? [],
      total: this.store.total,
      reset: rows?.isReset ?? false,
      error,
    };
  }

  private nextRows(): { upserts: PrintedRow[]; removed: string[]; isReset: boolean } | undefined {
    if (!this.store.format) return undefined;
    const difference =
      this.position === undefined ? undefined : this.store.since(this.position, ROWS_AT_ONCE);
    if (!difference) {
      this.position = this.store.position;
      this.rest = this.store.inOrder();
      return { upserts: this.nextOfRest(), removed: [], isReset: true };
    }
    if (this.rest.length > 0) return { upserts: this.nextOfRest(), removed: [], isReset: false };
    if (difference.position === this.position) return undefined;
    this.position = difference.position;
    return { ...difference, isReset: false };
  }

  /** As they are now: what changed since is told once more, what is gone is left out. */
  private nextOfRest(): PrintedRow[] {
    const part = this.rest.slice(0, ROWS_AT_ONCE);
    this.rest = this.rest.slice(ROWS_AT_ONCE);
    return part.flatMap(({ row }) => this.store.current(row) ?? []);
  }

  private present(rows: readonly PrintedRow[]): TableRowDto[] {
    const { format, usage } = this.store;
    const now = Date.now();
    return format ? rows.map((row) => format.present(row, now, usage)) : [];
  }
}
