import type { BlockErrorDto, TableColumnDto, TableRowDto } from '../common/resource.dto.js';
import type { PrintedRow } from './printed-row.js';
import type { TableStore } from './table-store.js';

/** About 250 kB. */
const MAX_FRAME_ROWS = 500;

export interface TableFrame {
  /** Only with `reset`. */
  columns?: TableColumnDto[];
  upserts: TableRowDto[];
  /** Uids. */
  removed: string[];
  total: number;
  /** Earlier frames are obsolete. These are the first rows; the rest follows. */
  reset: boolean;
  error: BlockErrorDto | null;
}

/** The changes of a table for one viewer. It stores a position instead of a queue. */
export class TableFeed {
  private position: number | undefined;
  /** Rows of the full table that are still to be sent. */
  private rest: readonly PrintedRow[] = [];
  private sentError: BlockErrorDto | null = null;

  constructor(private readonly store: TableStore) {}

  next(): TableFrame | null {
    const rows = this.nextRows();
    const { error } = this.store;
    if (!rows && error === this.sentError) return null;
    this.sentError = error;
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
    const changes = this.position === undefined ? undefined : this.store.since(this.position, MAX_FRAME_ROWS);
    if (!changes) {
      this.position = this.store.position;
      this.rest = this.store.inOrder();
      return { upserts: this.nextOfRest(), removed: [], isReset: true };
    }
    if (this.rest.length > 0) return { upserts: this.nextOfRest(), removed: [], isReset: false };
    if (changes.position === this.position) return undefined;
    this.position = changes.position;
    return { ...changes, isReset: false };
  }

  /** In their current state; deleted rows are omitted. Rows that changed meanwhile are sent again later. */
  private nextOfRest(): PrintedRow[] {
    const part = this.rest.slice(0, MAX_FRAME_ROWS);
    this.rest = this.rest.slice(MAX_FRAME_ROWS);
    return part.flatMap(({ row }) => this.store.current(row) ?? []);
  }

  private present(rows: readonly PrintedRow[]): TableRowDto[] {
    const { format, usage } = this.store;
    const now = Date.now();
    return format ? rows.map((row) => format.present(row, now, usage)) : [];
  }
}
