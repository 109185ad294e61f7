import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../core/logging/index.js';
import type {
  ResourceApi,
  ResourceUsage,
  TableRow,
  TypeName,
  UsageOfNode,
} from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';

/** The interval of metrics-server. */
export const USAGE_INTERVAL_MS = 15_000;
/** Slightly less, so that a reader at each interval gets new figures. */
const FRESH_MS = 14_000;

export class UsageReading {
  private readonly pods = new Map<string, UsageOfNode>();
  private readonly nodes = new Map<string, UsageOfNode>();

  constructor({ pods, nodes }: ResourceUsage) {
    for (const pod of pods) this.pods.set(`${pod.namespace}/${pod.name}`, pod);
    for (const node of nodes) this.nodes.set(node.name, node);
  }

  of({ group, plural }: TypeName, { namespace, name }: TableRow): UsageOfNode | undefined {
    if (group !== '') return undefined;
    if (plural === 'pods') return this.pods.get(`${namespace ?? ''}/${name}`);
    return plural === 'nodes' ? this.nodes.get(name) : undefined;
  }
}

/** Whether metrics-server reports the usage of a kind. */
export function isMeasured({ group, plural }: TypeName): boolean {
  return group === '' && (plural === 'pods' || plural === 'nodes');
}

interface CachedReading {
  requestedAt: number;
  reading: Promise<UsageReading | null>;
}

/** CPU and memory usage by cluster, cached for 14 s. */
@Injectable()
export class UsageReadings {
  private readonly cache = new Map<string, CachedReading>();

  constructor(private readonly logger: AppLogger) {}

  /** Null without metrics-server. It does not throw: a table is useful without usage. */
  async of({ cluster, api }: OpenCluster): Promise<UsageReading | null> {
    const now = performance.now();
    for (const [key, { requestedAt }] of this.cache) {
      if (now - requestedAt >= FRESH_MS) this.cache.delete(key);
    }
    const key = `${cluster.runtime}/${cluster.name}`;
    const cached = this.cache.get(key) ?? { requestedAt: now, reading: this.read(api) };
    this.cache.set(key, cached);
    return await cached.reading;
  }

  private async read(api: ResourceApi): Promise<UsageReading | null> {
    try {
      const usage = await api.usage();
      return usage && new UsageReading(usage);
    } catch (error) {
      this.logger.failure('could not read the usage of pods and nodes', error);
      return null;
    }
  }
}
