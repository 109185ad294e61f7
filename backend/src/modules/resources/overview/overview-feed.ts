import type { AppLogger } from '../../../core/logging/index.js';
import type { ClusterResources } from '../cluster-resources.js';
import type { BlockErrorDto, OverviewSummaryDto, ResourceBlockDto } from '../resource.dto.js';
import { explainFailure } from '../watch/explain-failure.js';
import type { ClusterName, TableLease, TableWatches } from '../watch/table-watches.js';
import { blockOf, failedBlock, fromStore, notServed, summaryOf, SUMMED, type BlockRows } from './blocks.js';
import { overviewKinds, type OverviewKind } from './built-in-kinds.js';

/** Rows of each block, as where nothing else is asked for. */
const ROWS = 5;
/** How often kinds are looked for that came or went. */
const ROUND_MS = 30_000;
/** How long a cluster that cannot be looked into is left alone. */
const RETRY_MS = 3000;
/** A cluster with more custom kinds than these has the rest listed now and then. */
const MAX_WATCHED = 80;

export interface OverviewFrame {
  /** Those that changed. */
  blocks: Record<string, ResourceBlockDto>;
  summary: OverviewSummaryDto;
  /** Why the cluster cannot be looked into now. */
  error: BlockErrorDto | null;
}

/** A kind that is followed, and how far its viewer was told. */
interface Followed {
  kind: OverviewKind;
  lease: TableLease;
  toldPosition: number;
  toldError: unknown;
}

interface Parts {
  resources: ClusterResources;
  watches: TableWatches;
  logger: AppLogger;
}

/**
 * What one viewer of an overview has not been told yet. Built-in kinds and custom ones are watched; the others, above
 * all leases, which change all the time and nobody looks at, are listed twice a minute.
 */
export class OverviewFeed {
  private readonly followed = new Map<string, Followed>();
  /** Kinds that the cluster does not serve, told once each. */
  private readonly absent = new Set<string>();
  private toTell: Record<string, ResourceBlockDto> = {};
  private version: string | null = null;
  private error: BlockErrorDto | null = null;
  private toldError: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly name: ClusterName,
    private readonly parts: Parts,
  ) {
    void this.round();
  }

  /** What is new, or null where nothing is. */
  next(): OverviewFrame | null {
    const blocks = this.toTell;
    this.toTell = {};
    for (const followed of this.followed.values()) {
      const { kind, lease } = followed;
      const { store } = lease;
      if (followed.toldPosition === store.position && followed.toldError === store.error) continue;
      if (!store.format && !store.error) continue;
      followed.toldPosition = store.position;
      followed.toldError = store.error;
      const rows = fromStore(store);
      blocks[kind.block] = rows
        ? blockOf(rows, ROWS, store.usage)
        : failedBlock(kind.type, store.error ?? notServed(kind.type));
    }
    const error = this.error?.message;
    if (Object.keys(blocks).length === 0 && error === this.toldError) return null;
    this.toldError = error;
    return { blocks, summary: this.summary(), error: this.error };
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const { lease } of this.followed.values()) lease.release();
    this.followed.clear();
  }

  private tellAbsent({ block, type }: OverviewKind): void {
    if (this.absent.has(block)) return;
    this.absent.add(block);
    this.toTell[block] = failedBlock(type, notServed(type));
  }

  private summary(): OverviewSummaryDto {
    const rows = new Map<string, BlockRows>();
    let metrics = false;
    for (const block of SUMMED) {
      const store = this.followed.get(block)?.lease.store;
      const found = store && fromStore(store);
      if (found) rows.set(block, found);
      metrics ||= Boolean(store?.usage);
    }
    return summaryOf(rows, { version: this.version, metrics });
  }

  private async round(): Promise<void> {
    try {
      const open = await this.parts.resources.open(this.name.name, this.name.runtime);
      this.error = null;
      this.version = open.cluster.kubernetes_version;
      const kinds = overviewKinds(await open.api.types());
      if (this.isClosed) return;
      this.follow(kinds);
    } catch (error) {
      this.error = explainFailure(error, 'its kinds', this.parts.logger);
    }
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.round(), this.error ? RETRY_MS : ROUND_MS);
    this.timer.unref();
  }

  private follow(kinds: readonly OverviewKind[]): void {
    for (const [block, { lease, kind }] of this.followed) {
      if (kinds.some((still) => still.block === block && still.type.version === kind.type.version)) continue;
      lease.release();
      this.followed.delete(block);
      this.tellAbsent(kind);
    }
    const watched = kinds.filter(isWatched).slice(0, MAX_WATCHED);
    for (const kind of kinds) {
      if (this.followed.has(kind.block)) continue;
      if (!kind.served) {
        this.tellAbsent(kind);
        continue;
      }
      this.absent.delete(kind.block);
      const mode = watched.includes(kind) ? 'watch' : 'poll';
      const lease = this.parts.watches.acquire(this.name, kind.type, mode);
      this.followed.set(kind.block, { kind, lease, toldPosition: -1, toldError: null });
    }
  }
}

function isWatched({ type, served, builtIn }: OverviewKind): boolean {
  return served && (builtIn || type.custom) && type.verbs.includes('watch');
}
