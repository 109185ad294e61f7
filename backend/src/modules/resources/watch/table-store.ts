import { randomUUID } from 'node:crypto';
import { agreedHealth, countHealth, type TableChange } from '../../../drivers/kubernetes/index.js';
import type { BlockErrorDto, HealthCountsDto } from '../common/resource.dto.js';
import { idOf, keyOf, type PrintedRow, type RowFormat } from './printed-row.js';
import type { UsageReading } from '../usage/usage-readings.js';

/** Changes that are kept. A reader that is further behind gets the full table. */
const MAX_LOG = 20_000;

export interface TableChanges {
  upserts: PrintedRow[];
  removed: string[];
  /** Position after these changes. */
  position: number;
}

/** The current rows of one kind, with a log of changes. Readers only store a position in the log. */
export class TableStore {
  /** Undefined until the first rows of the first list. */
  format: RowFormat | undefined;
  /** Whether it has all rows. Until then, the rows that it has are the first ones of the list. */
  isListed = false;
  /** Number of rows that the first list will add; null if the API server does not report it. */
  remaining: number | null = null;
  /** Why the rows are not up to date. */
  error: BlockErrorDto | null = null;
  usage: UsageReading | null = null;
  readonly health: HealthCountsDto = countHealth([]);
  private rows = new Map<string, PrintedRow>();
  private next = Promise.withResolvers<null>();
  /** Whether the API server lists by key. A few kinds have another order, which the rows have until all are listed. */
  private isByKey = false;
  private sorted: readonly PrintedRow[] | undefined;
  /** The rows with a known cause, by `keyOf`. */
  private judged: ReadonlySet<string> = new Set();
  /** Positions of another store of the same kind mean other changes. */
  private readonly id = randomUUID();
  private log: string[] = [];
  private logBegin = 0;

  get total(): number {
    return this.rows.size;
  }

  get position(): number {
    return this.logBegin + this.log.length;
  }

  /** A position for clients. */
  written(position = this.position): string {
    return `${this.id}.${position}`;
  }

  /** @returns undefined for a position of another store. */
  readPosition(text: string): number | undefined {
    const [id, position] = text.split('.', 2);
    return id === this.id ? Number(position) : undefined;
  }

  /** Resolves with the next rows of a list, or when it fails. */
  get arrival(): Promise<null> {
    return this.next.promise;
  }

  /** Adds rows of the first list, page by page. Readers get them as pages, so they are not changes. */
  append(format: RowFormat, listed: readonly PrintedRow[], remaining: number | null): void {
    this.format ??= format;
    this.error = null;
    this.remaining = remaining;
    for (const row of listed) this.set(idOf(row.row), row);
    this.announce();
  }

  /** Replaces all rows by a list. Rows without changes are not logged. */
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
    this.isListed = true;
    this.remaining = 0;
    this.announce();
  }

  apply(changes: readonly TableChange[], now: number): void {
    for (const change of changes) {
      if (change.type === 'remove') this.drop(change.uid);
      else if (this.format) this.put(idOf(change.row), this.format.print(change.row, now));
    }
  }

  fail(error: BlockErrorDto): void {
    if (this.error?.code !== error.code || this.error.message !== error.message) this.error = error;
    this.announce();
  }

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

  /** Sets which rows have a known cause, whatever their cells say. By `keyOf`. */
  judge(judged: ReadonlySet<string>): void {
    const changed = judged.symmetricDifference(this.judged);
    this.judged = judged;
    if (changed.size === 0) return;
    for (const [id, row] of this.rows) if (changed.has(keyOf(row.row))) this.put(id, row);
  }

  /** In the order of kubectl. */
  inOrder(): readonly PrintedRow[] {
    this.sorted ??= this.isByKey ? this.byKey() : [...this.rows.values()];
    return this.sorted;
  }

  /** Up to `max` changes since a position; undefined if the log no longer contains it. */
  since(position: number, max: number): TableChanges | undefined {
    if (!(position >= this.logBegin && position <= this.position)) return undefined;
    const begin = position - this.logBegin;
    const end = Math.min(begin + max, this.log.length);
    const upserts: PrintedRow[] = [];
    const removed: string[] = [];
    for (const id of new Set(this.log.slice(begin, end))) {
      const row = this.rows.get(id);
      if (row) upserts.push(row);
      else removed.push(id);
    }
    return { upserts, removed, position: this.logBegin + end };
  }

  private announce(): void {
    this.next.resolve(null);
    this.next = Promise.withResolvers<null>();
  }

  private byKey(): PrintedRow[] {
    return [...this.rows.values()]
      .map((row) => ({ row, key: keyOf(row.row) }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ row }) => row);
  }

  private takeOrder(listed: readonly PrintedRow[]): void {
    this.isByKey = listed.every((row, index) => {
      const before = listed[index - 1];
      return !before || keyOf(before.row) <= keyOf(row.row);
    });
    this.sorted = undefined;
    if (this.isByKey) return;
    const ordered = listed.flatMap(({ row }) => {
      const current = this.rows.get(idOf(row));
      return current ? [[idOf(row), current] as const] : [];
    });
    this.rows = new Map(ordered);
  }

  private put(id: string, row: PrintedRow): void {
    this.set(id, row);
    this.note(id);
  }

  private set(id: string, printed: PrintedRow): void {
    const row = this.judgedRow(printed);
    const before = this.rows.get(id);
    if (before) this.health[before.health] -= 1;
    this.health[row.health] += 1;
    this.rows.set(id, row);
    this.sorted = undefined;
  }

  private judgedRow(row: PrintedRow): PrintedRow {
    const isJudged = this.judged.size > 0 && this.judged.has(keyOf(row.row));
    const health = agreedHealth(row.printedHealth, isJudged);
    return row.health === health ? row : { ...row, health };
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

  /** Used if the columns changed: readers get the full table again. */
  private clear(): void {
    this.rows.clear();
    Object.assign(this.health, countHealth([]));
    this.sorted = undefined;
    this.format = undefined;
    this.logBegin = this.position + 1;
    this.log = [];
  }
}

function hasSameColumns({ columns: before }: RowFormat, { columns }: RowFormat): boolean {
  return JSON.stringify(before) === JSON.stringify(columns);
}
