import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { guarded, guardedTimeout } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import type { TypeName } from '../../drivers/kubernetes/index.js';
import type { ClusterKey } from '../clusters/index.js';
import { ClusterResources } from './common/cluster-resources.js';
import { OverviewFeed, type OverviewFrame } from './overview/overview-feed.js';
import { explainFailure } from './watch/explain-failure.js';
import { TableFeed, type TableFrame } from './watch/table-feed.js';
import { keyOfCluster, TableWatches, type TableLease } from './watch/table-watches.js';

/** Changes for one viewer. It pulls them, so that a slow viewer does not build up a queue. */
export interface Feed<TFrame> {
  next: () => TFrame | null;
  close: () => void;
  /** Sent to the viewer if the feed cannot render its data. */
  failed: (error: unknown) => TFrame;
}

const RETRY_MS = 5000;

/** How long a read over HTTP counts as a viewer: twice the interval at which programs usually read again. */
const READER_MS = 60_000;

@Injectable()
export class ResourceFeeds {
  /** Emits when a cluster gets its first viewer or loses its last one. */
  readonly viewed = new Subject<void>();
  private readonly viewers = new Map<string, number>();
  /** Timers that forget the last read of each cluster. */
  private readonly readers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
    private readonly logger: AppLogger,
  ) {}

  /** @param namespaces of the rows in its blocks; undefined for all */
  overview(name: ClusterKey, namespaces: readonly string[] | undefined): Feed<OverviewFrame> {
    const { resources, watches, logger } = this;
    return this.counted(name, new OverviewFeed(name, namespaces, { resources, watches, logger }));
  }

  /** @param after the position of a page of the table */
  table(name: ClusterKey, typeName: TypeName, after?: string): Feed<TableFrame> {
    const { resources, watches, logger } = this;
    return this.counted(name, new PendingTableFeed(name, typeName, after, resources, watches, logger));
  }

  /** Whether a page shows the cluster, or a program has just read it. */
  hasViewers(name: ClusterKey): boolean {
    const key = keyOfCluster(name);
    return this.viewers.has(key) || this.readers.has(key);
  }

  /** A program reads something that needs watches, which end a minute after its last read. */
  noteReader(name: ClusterKey): void {
    const key = keyOfCluster(name);
    const isFirst = !this.hasViewers(name);
    clearTimeout(this.readers.get(key));
    const forget = (): void => {
      this.readers.delete(key);
      this.viewed.next();
    };
    this.readers.set(key, guardedTimeout(forget, READER_MS, 'end what no reader needs').unref());
    if (isFirst) this.viewed.next();
  }

  private counted<TFrame>(name: ClusterKey, feed: Feed<TFrame>): Feed<TFrame> {
    const key = keyOfCluster(name);
    const add = (change: number): void => {
      const count = (this.viewers.get(key) ?? 0) + change;
      if (count > 0) this.viewers.set(key, count);
      else this.viewers.delete(key);
      if (count === 0 || (count === 1 && change > 0)) this.viewed.next();
    };
    add(1);
    let isOpen = true;
    return {
      next: () => feed.next(),
      failed: (error) => feed.failed(error),
      close: () => {
        if (isOpen) add(-1);
        isOpen = false;
        feed.close();
      },
    };
  }
}

/** A table feed that first resolves its kind, which can fail. */
class PendingTableFeed implements Feed<TableFrame> {
  private lease: TableLease | undefined;
  private feed: TableFeed | undefined;
  private failure: TableFrame | undefined;
  private sentFailure: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly name: ClusterKey,
    private readonly typeName: TypeName,
    private readonly after: string | undefined,
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
    private readonly logger: AppLogger,
  ) {
    void this.open();
  }

  next(): TableFrame | null {
    if (this.feed) return this.feed.next();
    const { failure } = this;
    this.failure = undefined;
    if (!failure?.error || failure.error.message === this.sentFailure) return null;
    this.sentFailure = failure.error.message;
    return failure;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.lease?.release();
  }

  failed(error: unknown): TableFrame {
    return {
      upserts: [],
      removed: [],
      total: 0,
      position: null,
      reset: false,
      error: explainFailure(error, `its ${this.typeName.plural}`, this.logger),
    };
  }

  private async open(): Promise<void> {
    try {
      const { api } = await this.resources.open(this.name.name, this.name.runtime);
      const type = await api.type(this.typeName);
      if (this.isClosed) return;
      this.lease = this.watches.acquire(this.name, type);
      this.feed = new TableFeed(this.lease.store, this.after);
    } catch (error) {
      if (this.isClosed) return;
      this.failure = this.failed(error);
      const open = guarded(() => this.open(), `open the ${this.typeName.plural} of ${this.name.name}`);
      this.timer = setTimeout(open, RETRY_MS);
      this.timer.unref();
    }
  }
}
