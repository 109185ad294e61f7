import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../core/logging/index.js';
import type {
  NamedUsage,
  ResourceUsage,
  TableRow,
  TypeName,
  UsageOfPod,
} from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { PodTrends } from './pod-trends.js';
import type { PodUsageDto } from './usage.dto.js';

/** The interval of metrics-server. */
export const USAGE_INTERVAL_MS = 15_000;
/** Slightly less, so that a reader at each interval gets new figures. */
const FRESH_MS = 14_000;

export class UsageReading {
  private readonly byPod = new Map<string, UsageOfPod>();
  private readonly nodes = new Map<string, NamedUsage>();

  constructor({ pods, nodes }: ResourceUsage) {
    for (const pod of pods) this.byPod.set(`${pod.namespace}/${pod.name}`, pod);
    for (const node of nodes) this.nodes.set(node.name, node);
  }

  pods(): UsageOfPod[] {
    return [...this.byPod.values()];
  }

  of({ group, plural }: TypeName, { namespace, name }: TableRow): NamedUsage | undefined {
    if (group !== '') return undefined;
    if (plural === 'pods') return this.byPod.get(`${namespace ?? ''}/${name}`);
    return plural === 'nodes' ? this.nodes.get(name) : undefined;
  }
}

/** Whether metrics-server reports the usage of a kind. */
export function isMeasured({ group, plural }: TypeName): boolean {
  return group === '' && (plural === 'pods' || plural === 'nodes');
}

/** The API server waits longer for an aggregated API whose server does not respond. */
const WAIT_MS = 2000;

interface CachedReading {
  requestedAt: number;
  reading: Promise<UsageReading | null>;
}

/** CPU and memory usage by cluster, cached for 14 s. Nothing is read without readers. */
@Injectable()
export class UsageReadings {
  private readonly cache = new Map<string, CachedReading>();
  private readonly trends = new PodTrends();

  constructor(private readonly logger: AppLogger) {}

  /** Null without metrics-server, and while it does not respond. It does not throw: a table is useful without usage. */
  async of(open: OpenCluster): Promise<UsageReading | null> {
    const now = performance.now();
    for (const [key, { requestedAt }] of this.cache) {
      if (now - requestedAt >= FRESH_MS) this.cache.delete(key);
    }
    const key = keyOf(open);
    const cached = this.cache.get(key) ?? { requestedAt: now, reading: this.read(open) };
    this.cache.set(key, cached);
    return await Promise.race([cached.reading, delay(WAIT_MS, null, { ref: false })]);
  }

  /** Empty without metrics-server. */
  async ofPods(
    open: OpenCluster,
    { namespace, pod }: { namespace?: string; pod?: string },
  ): Promise<PodUsageDto[]> {
    const reading = await this.of(open);
    const pods = reading?.pods() ?? [];
    return pods
      .filter(
        (each) =>
          (namespace === undefined || each.namespace === namespace) &&
          (pod === undefined || each.name === pod),
      )
      .map((each) => this.present(open, each));
  }

  private present(open: OpenCluster, pod: UsageOfPod): PodUsageDto {
    const { cpu, memory } = this.trends.get(keyOf(open), pod, Date.now());
    return {
      namespace: pod.namespace,
      name: pod.name,
      containers: pod.containers.map(({ name, cpuMillicores, memoryBytes }) => ({
        name,
        cpu_millicores: cpuMillicores,
        memory_bytes: memoryBytes,
      })),
      cpu_trend: cpu,
      memory_trend: memory,
    };
  }

  private async read(open: OpenCluster): Promise<UsageReading | null> {
    try {
      const usage = await open.api.usage();
      if (!usage) return null;
      this.trends.add(keyOf(open), usage.pods, Date.now());
      return new UsageReading(usage);
    } catch (error) {
      this.logger.failure('could not read the usage of pods and nodes', error);
      return null;
    }
  }
}

/** A cluster that was created again under the same name is another. */
function keyOf({ cluster: { runtime, name, created_at } }: OpenCluster): string {
  return JSON.stringify([runtime, name, created_at]);
}
