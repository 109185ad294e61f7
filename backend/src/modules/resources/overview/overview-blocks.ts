import { reasonOf } from '../../../core/errors/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import type { OverviewSummaryDto, ResourceBlockDto } from '../common/resource.dto.js';
import { isMeasured, type UsageReading } from '../usage/usage-readings.js';
import type { TableStore } from '../watch/table-store.js';
import type { TableLease, TableWatches } from '../watch/table-watches.js';
import {
  blockOf,
  failedBlock,
  fromStore,
  inNamespaces,
  notServed,
  summaryOf,
  SUMMED,
  type BlockRows,
} from './blocks.js';
import { MAX_WATCHED, type OverviewKind } from './built-in-kinds.js';

/** A followed kind, with the position up to which changes were sent. */
interface Followed {
  kind: OverviewKind;
  lease: TableLease;
  sentPosition: number;
  sentError: unknown;
}

interface OverviewView {
  /** Of the rows in the blocks; undefined for all. */
  namespaces: readonly string[] | undefined;
  /** Rows per block. */
  limit: number;
  /** Whether the first page of a list is enough, as long as there is no more. */
  isPartial?: boolean;
}

/** The blocks of an overview for one reader, from the tables that all readers share. */
export class OverviewBlocks {
  private readonly followed = new Map<string, Followed>();
  /** Kinds that the cluster does not serve; each is sent once. */
  private readonly absent = new Set<string>();
  private pending: Record<string, ResourceBlockDto> = {};

  constructor(
    private readonly cluster: ClusterKey,
    private readonly view: OverviewView,
    private readonly watches: TableWatches,
  ) {}

  /**
   * Follows these kinds, and no others.
   * @param isWatched of kinds that can be watched; others are listed twice a minute
   */
  follow(kinds: readonly OverviewKind[], isWatched: (kind: OverviewKind) => boolean): void {
    for (const [block, { lease, kind }] of this.followed) {
      if (kinds.some((still) => still.block === block && still.type.version === kind.type.version)) continue;
      lease.release();
      this.followed.delete(block);
      this.sendAbsent(kind);
    }
    const watched = kinds
      .filter((kind) => kind.served && kind.type.verbs.includes('watch') && isWatched(kind))
      .slice(0, MAX_WATCHED);
    for (const kind of kinds) {
      if (this.followed.has(kind.block)) continue;
      if (!kind.served) {
        this.sendAbsent(kind);
        continue;
      }
      this.absent.delete(kind.block);
      const mode = watched.includes(kind) ? 'watch' : 'poll';
      const lease = this.watches.acquire(this.cluster, kind.type, mode);
      this.followed.set(kind.block, { kind, lease, sentPosition: -1, sentError: null });
    }
  }

  /** Resolves when every awaited kind is listed or has failed, but not later than the deadline. */
  async loaded(deadlineMs: number, isAwaited: (kind: OverviewKind) => boolean = () => true): Promise<void> {
    const awaited = [...this.followed.values()].filter(({ kind }) => isAwaited(kind));
    const isEnough = (store: TableStore): boolean => this.rowsOf(store) !== undefined;
    await Promise.allSettled(awaited.map(({ lease }) => this.watches.loaded(lease, deadlineMs, isEnough)));
  }

  measure(usage: UsageReading | null): void {
    for (const { kind, lease } of this.followed.values()) {
      if (isMeasured(kind.type)) lease.store.measure(usage);
    }
  }

  /** The blocks that have changed since the last call. */
  next(): Record<string, ResourceBlockDto> {
    const { namespaces, limit } = this.view;
    const blocks = this.pending;
    this.pending = {};
    for (const followed of this.followed.values()) {
      const { kind, lease } = followed;
      const { store } = lease;
      if (followed.sentPosition === store.position && followed.sentError === store.error) continue;
      const rows = this.rowsOf(store);
      if (!rows && !store.error) continue;
      followed.sentPosition = store.position;
      followed.sentError = store.error;
      blocks[kind.block] = rows
        ? blockOf(inNamespaces(rows, namespaces), limit, store.usage)
        : failedBlock(kind.type, store.error ?? notServed(kind.type));
    }
    return blocks;
  }

  /** Call it again after `close`: it returns something else once a followed table has changed. */
  positions(): () => string {
    const stores = [...this.followed.values()].map(({ lease }) => lease.store);
    return () =>
      JSON.stringify(
        stores.map((store) => [store.written(), store.isListed, store.error ? reasonOf(store.error) : '']),
      );
  }

  summary(version: string | null): OverviewSummaryDto {
    const rows = new Map<string, BlockRows>();
    let metrics = false;
    for (const block of SUMMED) {
      const store = this.followed.get(block)?.lease.store;
      const found = store && this.rowsOf(store);
      if (found) rows.set(block, found);
      metrics ||= Boolean(store?.usage);
    }
    return summaryOf(rows, { version, metrics });
  }

  close(): void {
    for (const { lease } of this.followed.values()) lease.release();
    this.followed.clear();
  }

  private rowsOf(store: TableStore): BlockRows | undefined {
    // The API server counts the rest of all namespaces together.
    return fromStore(store, this.view.isPartial && !this.view.namespaces);
  }

  private sendAbsent({ block, type }: OverviewKind): void {
    if (this.absent.has(block)) return;
    this.absent.add(block);
    this.pending[block] = failedBlock(type, notServed(type));
  }
}
