import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../core/logging/index.js';
import type { TypeName } from '../../drivers/kubernetes/index.js';
import { ClusterResources } from './cluster-resources.js';
import { OverviewFeed, type OverviewFrame } from './overview/overview-feed.js';
import { explainFailure } from './watch/explain-failure.js';
import { TableFeed, type TableFrame } from './watch/table-feed.js';
import { TableWatches, type ClusterName, type TableLease } from './watch/table-watches.js';

/** What one viewer is told of, a part at a time and only when it is asked for. */
export interface Feed<TFrame> {
  /** What is new since the last call, or null where nothing is. */
  next: () => TFrame | null;
  close: () => void;
}

/** How long a cluster that cannot be looked into is left alone. */
const RETRY_MS = 5000;

/** Opens feeds for viewers of overviews and tables. */
@Injectable()
export class ResourceFeeds {
  private readonly logger: AppLogger;

  constructor(
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: ResourceFeeds.name });
  }

  overview(name: ClusterName): Feed<OverviewFrame> {
    const { resources, watches, logger } = this;
    return new OverviewFeed(name, { resources, watches, logger });
  }

  table(name: ClusterName, typeName: TypeName): Feed<TableFrame> {
    return new PendingTableFeed(name, typeName, this.resources, this.watches, this.logger);
  }
}

/** A feed of a table whose cluster has to be asked first whether it serves such a kind. */
class PendingTableFeed implements Feed<TableFrame> {
  private lease: TableLease | undefined;
  private feed: TableFeed | undefined;
  private failure: TableFrame | undefined;
  private toldFailure: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly name: ClusterName,
    private readonly typeName: TypeName,
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
    private readonly logger: AppLogger,
  ) {
    void this.begin();
  }

  next(): TableFrame | null {
    if (this.feed) return this.feed.next();
    const { failure } = this;
    this.failure = undefined;
    if (!failure?.error || failure.error.message === this.toldFailure) return null;
    this.toldFailure = failure.error.message;
    return failure;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.lease?.release();
  }

  private async begin(): Promise<void> {
    try {
      const { api } = await this.resources.open(this.name.name, this.name.runtime);
      const type = await api.type(this.typeName);
      if (this.isClosed) return;
      this.lease = this.watches.acquire(this.name, type);
      this.feed = new TableFeed(this.lease.store);
    } catch (error) {
      if (this.isClosed) return;
      this.failure = {
        upserts: [],
        removed: [],
        total: 0,
        reset: false,
        error: explainFailure(error, `its ${this.typeName.plural}`, this.logger),
      };
      this.timer = setTimeout(() => void this.begin(), RETRY_MS);
      this.timer.unref();
    }
  }
}
