import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../core/logging/index.js';
import type {
  ResourceApi,
  ResourceUsage,
  TableRow,
  TypeName,
  UsageOfNode,
} from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../cluster-resources.js';

/** metrics-server measures every 15 seconds. */
export const USAGE_INTERVAL_MS = 15_000;
/** A little less, so that who asks at each interval gets new figures each time. */
const FRESH_MS = 14_000;

/** What metrics-server said at one moment. */
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

/** Whether CPU and memory of a kind can be known. */
export function isMeasured({ group, plural }: TypeName): boolean {
  return group === '' && (plural === 'pods' || plural === 'nodes');
}

interface Kept {
  askedAt: number;
  reading: Promise<UsageReading | null>;
}

/** CPU and memory in a cluster, asked for when somebody wants them and once in fifteen seconds at most. */
@Injectable()
export class UsageReadings {
  private readonly logger: AppLogger;
  private readonly kept = new Map<string, Kept>();

  constructor(logger: AppLogger) {
    this.logger = logger.child({ context: UsageReadings.name });
  }

  /** Null where no metrics-server answers. Never fails: figures are an addition to a table. */
  async of({ cluster, api }: OpenCluster): Promise<UsageReading | null> {
    const now = performance.now();
    for (const [key, { askedAt }] of this.kept) {
      if (now - askedAt >= FRESH_MS) this.kept.delete(key);
    }
    const key = `${cluster.runtime}/${cluster.name}`;
    let kept = this.kept.get(key);
    if (!kept) {
      kept = { askedAt: now, reading: this.ask(api) };
      this.kept.set(key, kept);
    }
    return await kept.reading;
  }

  private async ask(api: ResourceApi): Promise<UsageReading | null> {
    try {
      const usage = await api.usage();
      return usage && new UsageReading(usage);
    } catch (error) {
      this.logger.failure('the usage of pods and nodes could not be read', error);
      return null;
    }
  }
}
