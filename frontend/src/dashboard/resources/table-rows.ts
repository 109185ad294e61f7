import type { TableRowDto } from '../../shared/api/api-types';
import { compareKeys, naturalKey, type SortKey } from './cell-values';

export interface Entry {
  row: TableRowDto;
  key: SortKey;
  /** Tie-breaker: namespace and name, as in kubectl. */
  tie: string;
}

export interface RowOrder {
  matches: (row: TableRowDto) => boolean;
  /** Null sorts by namespace and name. */
  keyOf: ((row: TableRowDto) => SortKey) | null;
  reversed: boolean;
}

/** Rows processed at once: more would block scrolling. */
const BATCH = 1000;

/**
 * Filtered and sorted rows. A change costs about as much as the changed rows. A new order is computed in batches
 * with pauses, so that 10,000 rows do not block input.
 */
export class TableRows {
  private readonly entries = new Map<string, Entry>();
  private order: RowOrder = { matches: () => true, keyOf: null, reversed: false };
  private sorted: readonly Entry[] = [];
  /** Number of the newest order; older ones are dropped. */
  private turn = 0;

  /**
   * @param notify receives each new list of rows
   * @param pause lets the browser render and handle input
   */
  constructor(
    private readonly notify: (shown: readonly Entry[]) => void,
    private readonly pause: () => Promise<void>,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(uid: string): TableRowDto | undefined {
    return this.entries.get(uid)?.row;
  }

  all(): IterableIterator<Entry> {
    return this.entries.values();
  }

  apply({ upserts, removed }: { upserts: readonly TableRowDto[]; removed: readonly string[] }): void {
    const changed = new Set(removed);
    for (const uid of removed) this.entries.delete(uid);
    for (const row of upserts) {
      changed.add(row.uid);
      this.entries.set(row.uid, { row, key: null, tie: tieOf(row) });
    }
    const kept = this.sorted.some(({ row }) => changed.has(row.uid))
      ? this.sorted.filter(({ row }) => !changed.has(row.uid))
      : this.sorted;
    // A row that occurs twice in one batch counts once.
    const fresh = new Set(upserts.map(({ uid }) => uid));
    const added = [...fresh].flatMap((uid) => this.entries.get(uid) ?? []);
    this.show(merge(kept, this.sortBatch(added), this.compare));
  }

  keepOnly(uids: ReadonlySet<string>): void {
    const removed = [...this.entries.keys()].filter((uid) => !uids.has(uid));
    if (removed.length > 0) this.apply({ upserts: [], removed });
  }

  /** Applies a new filter and order, including changes that arrive meanwhile. */
  async arrange(order: RowOrder): Promise<void> {
    this.turn += 1;
    const turn = this.turn;
    this.order = order;
    let sorted: readonly Entry[] = [];
    const all = [...this.entries.values()];
    for (let from = 0; from < all.length; from += BATCH) {
      if (from > 0) await this.pause();
      if (turn !== this.turn) return;
      sorted = merge(sorted, this.sortBatch(all.slice(from, from + BATCH)), this.compare);
    }
    if (all.length > BATCH) sorted = this.catchUp(all, sorted);
    this.show(sorted);
  }

  /** Applies changes that arrived between the batches. */
  private catchUp(processed: readonly Entry[], sorted: readonly Entry[]): readonly Entry[] {
    const known = new Set(processed);
    const added = [...this.entries.values()].filter((entry) => !known.has(entry));
    const kept = sorted.filter((entry) => this.entries.get(entry.row.uid) === entry);
    return merge(kept, this.sortBatch(added), this.compare);
  }

  private sortBatch(entries: readonly Entry[]): Entry[] {
    const { matches, keyOf } = this.order;
    const batch = entries.filter(({ row }) => matches(row));
    for (const entry of batch) entry.key = keyOf?.(entry.row) ?? null;
    return batch.sort(this.compare);
  }

  private readonly compare = (one: Entry, other: Entry): number => {
    const { keyOf, reversed } = this.order;
    if (keyOf !== null) {
      const order = compareKeys(one.key, other.key, reversed);
      if (order !== 0) return order;
    }
    const order = one.tie < other.tie ? -1 : one.tie > other.tie ? 1 : 0;
    return keyOf === null && reversed ? -order : order;
  };

  private show(sorted: readonly Entry[]): void {
    this.sorted = sorted;
    this.notify(sorted);
  }
}

function tieOf({ namespace, name, uid }: TableRowDto): string {
  return `${namespace ?? ''}\u0000${naturalKey(name)}\u0000${uid}`;
}

function merge(
  one: readonly Entry[],
  other: readonly Entry[],
  compare: (one: Entry, other: Entry) => number,
): readonly Entry[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of other) {
    for (let next = one[at]; next && compare(next, entry) <= 0; next = one[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(entry);
  }
  for (; at < one.length; at += 1) merged.push(one[at] as Entry);
  return merged;
}
