import { guarded } from '../../../core/errors/index.js';
import type { AppLogger } from '../../../core/logging/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import type { ClusterResources } from '../common/cluster-resources.js';
import type { BlockErrorDto, OverviewSummaryDto, ResourceBlockDto } from '../common/resource.dto.js';
import { explainFailure } from '../watch/explain-failure.js';
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
import { MAX_WATCHED, overviewKinds, type OverviewKind } from './built-in-kinds.js';

const ROWS = 5;
const DISCOVERY_MS = 30_000;
const RETRY_MS = 3000;

export interface OverviewFrame {
  blocks: Record<string, ResourceBlockDto>;
  summary: OverviewSummaryDto;
  error: BlockErrorDto | null;
}

/** A watched kind, with the position up to which changes were sent. */
interface Followed {
  kind: OverviewKind;
  lease: TableLease;
  sentPosition: number;
  sentError: unknown;
}

interface Parts {
  resources: ClusterResources;
  watches: TableWatches;
  logger: AppLogger;
}

/**
 * The changes of an overview for one viewer. Built-in and custom kinds are watched. Others are listed twice a minute,
 * above all leases, which change constantly.
 */
export class OverviewFeed {
  private readonly followed = new Map<string, Followed>();
  /** Kinds that the cluster does not serve; each is sent once. */
  private readonly absent = new Set<string>();
  private pending: Record<string, ResourceBlockDto> = {};
  private version: string | null = null;
  private error: BlockErrorDto | null = null;
  private sentError: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly name: ClusterKey,
    /** Undefined for all. */
    private readonly namespaces: readonly string[] | undefined,
    private readonly parts: Parts,
  ) {
    void this.discover();
  }

  next(): OverviewFrame | null {
    const blocks = this.pending;
    this.pending = {};
    for (const followed of this.followed.values()) {
      const { kind, lease } = followed;
      const { store } = lease;
      if (followed.sentPosition === store.position && followed.sentError === store.error) continue;
      if (!store.format && !store.error) continue;
      followed.sentPosition = store.position;
      followed.sentError = store.error;
      const rows = fromStore(store);
      blocks[kind.block] = rows
        ? blockOf(inNamespaces(rows, this.namespaces), ROWS, store.usage)
        : failedBlock(kind.type, store.error ?? notServed(kind.type));
    }
    const error = this.error?.message;
    if (Object.keys(blocks).length === 0 && error === this.sentError) return null;
    this.sentError = error;
    return { blocks, summary: this.summary(), error: this.error };
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const { lease } of this.followed.values()) lease.release();
    this.followed.clear();
  }

  failed(error: unknown): OverviewFrame {
    return {
      blocks: {},
      summary: summaryOf(new Map(), { version: this.version, metrics: false }),
      error: explainFailure(error, 'its overview', this.parts.logger),
    };
  }

  private sendAbsent({ block, type }: OverviewKind): void {
    if (this.absent.has(block)) return;
    this.absent.add(block);
    this.pending[block] = failedBlock(type, notServed(type));
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

  private async discover(): Promise<void> {
    try {
      const open = await this.parts.resources.open(this.name.name, this.name.runtime);
      this.error = null;
      this.version = open.cluster.kubernetes_version;
      const kinds = overviewKinds(await open.api.types());
      if (this.isClosed) return;
      this.follow(kinds);
    } catch (error) {
      this.error = explainFailure(error, 'the resource types', this.parts.logger);
    }
    if (this.isClosed) return;
    const discover = guarded(() => this.discover(), `read the resource types of ${this.name.name}`);
    this.timer = setTimeout(discover, this.error ? RETRY_MS : DISCOVERY_MS);
    this.timer.unref();
  }

  private follow(kinds: readonly OverviewKind[]): void {
    for (const [block, { lease, kind }] of this.followed) {
      if (kinds.some((still) => still.block === block && still.type.version === kind.type.version)) continue;
      lease.release();
      this.followed.delete(block);
      this.sendAbsent(kind);
    }
    const watched = kinds.filter(isWatched).slice(0, MAX_WATCHED);
    for (const kind of kinds) {
      if (this.followed.has(kind.block)) continue;
      if (!kind.served) {
        this.sendAbsent(kind);
        continue;
      }
      this.absent.delete(kind.block);
      const mode = watched.includes(kind) ? 'watch' : 'poll';
      const lease = this.parts.watches.acquire(this.name, kind.type, mode);
      this.followed.set(kind.block, { kind, lease, sentPosition: -1, sentError: null });
    }
  }
}

function isWatched({ type, served, builtIn }: OverviewKind): boolean {
  return served && (builtIn || type.custom) && type.verbs.includes('watch');
}
