import { guarded } from '../../../core/errors/index.js';
import type { AppLogger } from '../../../core/logging/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import type { ClusterResources } from '../common/cluster-resources.js';
import type { BlockErrorDto, OverviewSummaryDto, ResourceBlockDto } from '../common/resource.dto.js';
import { explainFailure } from '../watch/explain-failure.js';
import type { TableWatches } from '../watch/table-watches.js';
import { summaryOf } from './blocks.js';
import { isLive, overviewKinds } from './built-in-kinds.js';
import { OverviewBlocks } from './overview-blocks.js';

const ROWS = 5;
const DISCOVERY_MS = 30_000;
const RETRY_MS = 3000;

export interface OverviewFrame {
  blocks: Record<string, ResourceBlockDto>;
  summary: OverviewSummaryDto;
  error: BlockErrorDto | null;
}

interface Parts {
  resources: ClusterResources;
  watches: TableWatches;
  logger: AppLogger;
}

/** The changes of an overview for one viewer, with the kinds that the cluster serves at the time. */
export class OverviewFeed {
  private readonly blocks: OverviewBlocks;
  private version: string | null = null;
  private error: BlockErrorDto | null = null;
  private sentError: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly name: ClusterKey,
    /** Undefined for all. */
    namespaces: readonly string[] | undefined,
    private readonly parts: Parts,
  ) {
    this.blocks = new OverviewBlocks(name, { namespaces, limit: ROWS }, parts.watches);
    void this.discover();
  }

  next(): OverviewFrame | null {
    const blocks = this.blocks.next();
    const error = this.error?.message;
    if (Object.keys(blocks).length === 0 && error === this.sentError) return null;
    this.sentError = error;
    return { blocks, summary: this.blocks.summary(this.version), error: this.error };
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.blocks.close();
  }

  failed(error: unknown): OverviewFrame {
    return {
      blocks: {},
      summary: summaryOf(new Map(), { version: this.version, metrics: false }),
      error: explainFailure(error, 'its overview', this.parts.logger),
    };
  }

  private async discover(): Promise<void> {
    try {
      const open = await this.parts.resources.open(this.name.name, this.name.runtime);
      this.error = null;
      this.version = open.cluster.kubernetes_version;
      const kinds = overviewKinds(await open.api.types());
      if (this.isClosed) return;
      this.blocks.follow(kinds, isLive);
    } catch (error) {
      this.error = explainFailure(error, 'the resource types', this.parts.logger);
    }
    if (this.isClosed) return;
    const discover = guarded(() => this.discover(), `read the resource types of ${this.name.name}`);
    this.timer = setTimeout(discover, this.error ? RETRY_MS : DISCOVERY_MS);
    this.timer.unref();
  }
}
