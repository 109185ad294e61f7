import type { TableRowDto } from '../../shared/api/api-types';
import { compareKeys, naturalKey, type SortKey } from './cell-values';

/** A row with what was worked out about it once. */
export interface Entry {
  row: TableRowDto;
  /** Its place in the order that is shown; worked out again when that changes. */
  key: SortKey;
  /** Decides between equals: namespace and name, as kubectl sorts. */
  tie: string;
}

/** Which rows are shown, and in which order. */
export interface RowOrder {
  matches: (row: TableRowDto) => boolean;
  /** Null for the order of namespaces and names. */
  keyOf: ((row: TableRowDto) => SortKey) | null;
  reversed: boolean;
}

export interface RowChanges {
  upserts: readonly TableRowDto[];
  removed: readonly string[];
}

/** As many rows are looked at in one go; a longer stretch would be felt while one scrolls. */
const RUN = 1000;

/**
 * The rows of one kind, filtered and sorted. A change costs about as much as what changed; a new order is
 * worked out in runs with pauses between, so that ten thousand rows keep no key press waiting.
 */
export class TableRows {
  private readonly entries = new Map<string, Entry>();
  private order: RowOrder = { matches: () => true, keyOf: null, reversed: false };
  private sorted: readonly Entry[] = [];
  /** Of the newest order; an older one that is still worked on gives up. */
  private turn = 0;

  /**
   * @param tell is told of each new list of rows to show
   * @param pause lets the browser draw and take keys
   */
  constructor(
    private readonly tell: (shown: readonly Entry[]) => void,
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

  clear(): void {
    this.turn += 1;
    this.entries.clear();
    this.show([]);
  }

  /** Takes changes in; what is new stands at its place at once. */
  apply({ upserts, removed }: RowChanges): void {
    const changed = new Set(removed);
    for (const uid of removed) this.entries.delete(uid);
    for (const row of upserts) {
      changed.add(row.uid);
      this.entries.set(row.uid, { row, key: null, tie: tieOf(row) });
    }
    const kept = this.sorted.some(({ row }) => changed.has(row.uid))
      ? this.sorted.filter(({ row }) => !changed.has(row.uid))
      : this.sorted;
    // The map's own entries: a row that comes twice in one batch counts once.
    const fresh = new Set(upserts.map(({ uid }) => uid));
    const added = [...fresh].flatMap((uid) => this.entries.get(uid) ?? []);
    this.show(merge(kept, this.run(added), this.compare));
  }

  /** Takes the rows' place altogether; those that are still there keep what was worked out about them. */
  keepOnly(uids: ReadonlySet<string>): void {
    const removed = [...this.entries.keys()].filter((uid) => !uids.has(uid));
    if (removed.length > 0) this.apply({ upserts: [], removed });
  }

  /** Shows other rows, or in another order. What changes meanwhile is part of it. */
  async arrange(order: RowOrder): Promise<void> {
    this.turn += 1;
    const turn = this.turn;
    this.order = order;
    let sorted: readonly Entry[] = [];
    const all = [...this.entries.values()];
    for (let from = 0; from < all.length; from += RUN) {
      if (from > 0) await this.pause();
      if (turn !== this.turn) return;
      sorted = merge(sorted, this.run(all.slice(from, from + RUN)), this.compare);
    }
    if (all.length > RUN) sorted = this.caughtUp(all, sorted);
    this.show(sorted);
  }

  /** What came, changed or went between the runs. */
  private caughtUp(looked: readonly Entry[], sorted: readonly Entry[]): readonly Entry[] {
    const known = new Set(looked);
    const added = [...this.entries.values()].filter((entry) => !known.has(entry));
    const kept = sorted.filter((entry) => this.entries.get(entry.row.uid) === entry);
    return merge(kept, this.run(added), this.compare);
  }

  private run(entries: readonly Entry[]): Entry[] {
    const { matches, keyOf } = this.order;
    const run = entries.filter(({ row }) => matches(row));
    for (const entry of run) entry.key = keyOf?.(entry.row) ?? null;
    return run.sort(this.compare);
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
    this.tell(sorted);
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
