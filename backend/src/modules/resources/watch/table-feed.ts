import type { BlockErrorDto, TableRowDto } from '../common/resource.dto.js';
import type { PrintedRow } from './printed-row.js';
import type { TableStore } from './table-store.js';

/** About 250 kB. */
const MAX_FRAME_ROWS = 500;

export interface TableFrame {
  upserts: TableRowDto[];
  /** Uids. */
  removed: string[];
  total: number;
  /** Up to which the viewer has the changes, for `after` of a later subscription. */
  position: string | null;
  /** Changes before the position are missing: read the table again, and subscribe after its position. */
  reset: boolean;
  error: BlockErrorDto | null;
}

/** The changes of a table for one viewer, after a position of the table. It stores a position instead of a queue. */
export class TableFeed {
  private position: number | undefined;
  private sentError: BlockErrorDto | null = null;

  /** @param after a position, as a page or a frame has it */
  constructor(
    private readonly store: TableStore,
    after?: string,
  ) {
    this.position = after === undefined ? undefined : store.readPosition(after);
  }

  next(): TableFrame | null {
    const { error, isListed } = this.store;
    const known = this.position;
    const changes = known === undefined ? undefined : this.store.since(known, MAX_FRAME_ROWS);
    const reset = isListed && !changes;
    if (isListed) this.position = changes?.position ?? this.store.position;
    if (this.position === known && error === this.sentError) return null;
    this.sentError = error;
    return {
      upserts: this.present(changes?.upserts ?? []),
      removed: changes?.removed ?? [],
      total: this.store.total,
      position: this.position === undefined ? null : this.store.written(this.position),
      reset,
      error,
    };
  }

  private present(rows: readonly PrintedRow[]): TableRowDto[] {
    const { format, usage } = this.store;
    const now = Date.now();
    return format ? rows.map((row) => format.present(row, now, usage)) : [];
  }
}
