import type { TableChange, TableRow } from '../../../drivers/kubernetes/index.js';
import type { BlockErrorDto, HealthCountsDto } from '../resource.dto.js';
import { noHealth } from './health.js';
import { idOf, keyOf, type PrintedRow, type RowFormat } from './printed-row.js';
import type { UsageReading } from '../usage/usage-readings.js';

/** Who is further behind than this is told everything anew. */
const MAX_LOG = 20_000;

/** What changed in a table between two moments. */
export interface TableChanges {
  upserts: PrintedRow[];
  removed: string[];
  /** From here on the next difference goes. */
  position: number;
}

/**
 * The rows of one kind, kept up to date, and which of them changed when: each reader remembers nothing but a position.
 */
export class TableStore {
  /** Undefined until the rows were listed for the first time. */
  format: RowFormat | undefined;
  /** Why the rows are not up to date now. */
  error: BlockErrorDto | null = null;
  usage: UsageReading | null = null;
  readonly health: HealthCountsDto = noHealth();
  private rows = new Map<string, PrintedRow>();
  /** Whether the server lists by place in its store, as it does but for a few kinds that it sorts by meaning. */
  private isByKey = true;
  private sorted: readonly PrintedRow[] | undefined;
  private log: string[] = [];
  private logBegin = 0;

  get total(): number {
    return this.rows.size;
  }

  /** Grows with each change. */
  get position(): number {
    return this.logBegin + this.log.length;
  }

  /** Takes a whole list in the place of what is here; what is the same stays as it is. */
  replace(format: RowFormat, listed: readonly PrintedRow[]): void {
    if (this.format && !hasSameColumns(this.format, format)) this.clear();
    this.format ??= format;
    this.error = null;
    const gone = new Set(this.rows.keys());
    for (const row of listed) {
      const id = idOf(row.row);
      gone.delete(id);
      const known = this.rows.get(id);
      if (!known || this.format.differs(known, row.row)) this.put(id, row);
    }
    for (const id of gone) this.drop(id);
    this.takeOrder(listed);
  }

  apply(changes: readonly TableChange[], now: number): void {
    for (const change of changes) {
      if (change.type === 'remove') this.drop(change.uid);
      else if (this.format) this.put(idOf(change.row), this.format.keep(change.row, now));
    }
  }

  fail(error: BlockErrorDto): void {
    if (this.error?.code === error.code && this.error.message === error.message) return;
    this.error = error;
  }

  /** New figures: rows whose figures differ have changed. */
  measure(usage: UsageReading | null): void {
    const before = this.usage;
    this.usage = usage;
    const type = this.format?.type;
    if (!type) return;
    for (const [id, { row }] of this.rows) {
      const [one, other] = [before?.of(type, row), usage?.of(type, row)];
      if (one?.cpuMillicores !== other?.cpuMillicores || one?.memoryBytes !== other?.memoryBytes) {
        this.note(id);
      }
    }
  }

  /** In the order of kubectl. */
  inOrder(): readonly PrintedRow[] {
    this.sorted ??= this.isByKey ? this.byKey() : [...this.rows.values()];
    return this.sorted;
  }

  /** The row as it is now, of one that was read before. */
  current(row: TableRow): PrintedRow | undefined {
    return this.rows.get(idOf(row));
  }

  /** What changed since a position, up to so many changes; undefined where that is too long ago to tell. */
  since(position: number, most: number): TableChanges | undefined {
    if (position < this.logBegin) return undefined;
    const begin = position - this.logBegin;
    const end = Math.min(begin + most, this.log.length);
    const upserts: PrintedRow[] = [];
    const removed: string[] = [];
    for (const id of new Set(this.log.slice(begin, end))) {
      const row = this.rows.get(id);
      if (row) upserts.push(row);
      else removed.push(id);
    }
    return { upserts, removed, position: this.logBegin + end };
  }

  private byKey(): PrintedRow[] {
    return [...this.rows.values()]
      .map((kept) => ({ kept, key: keyOf(kept.row) }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ kept }) => kept);
  }

  private takeOrder(listed: readonly PrintedRow[]): void {
    this.isByKey = listed.every((row, index) => {
      const before = listed[index - 1];
      return !before || keyOf(before.row) <= keyOf(row.row);
    });
    if (this.isByKey) return;
    const ordered = listed.flatMap(({ row }) => {
      const kept = this.current(row);
      return kept ? [[idOf(row), kept] as const] : [];
    });
    this.rows = new Map(ordered);
    this.sorted = undefined;
  }

  private put(id: string, row: PrintedRow): void {
    const before = this.rows.get(id);
    if (before) this.health[before.health] -= 1;
    this.health[row.health] += 1;
    this.rows.set(id, row);
    this.note(id);
    this.sorted = undefined;
  }

  private drop(id: string): void {
    const before = this.rows.get(id);
    if (!before) return;
    this.health[before.health] -= 1;
    this.rows.delete(id);
    this.note(id);
    this.sorted = undefined;
  }

  private note(id: string): void {
    this.log.push(id);
    if (this.log.length <= MAX_LOG) return;
    const old = this.log.length - MAX_LOG / 2;
    this.log = this.log.slice(old);
    this.logBegin += old;
  }

  /** Other columns are another table: readers begin anew. */
  private clear(): void {
    this.rows.clear();
    Object.assign(this.health, noHealth());
    this.sorted = undefined;
    this.format = undefined;
    this.logBegin = this.position + 1;
    this.log = [];
  }
}

function hasSameColumns({ columns: before }: RowFormat, { columns }: RowFormat): boolean {
  return JSON.stringify(before) === JSON.stringify(columns);
}
