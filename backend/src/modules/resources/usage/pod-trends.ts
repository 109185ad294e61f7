import type { UsageOfPod } from '../../../drivers/kubernetes/index.js';
import { HOUR, type UsageTrend, UsageTrends } from '../../stats/index.js';

/**
 * Pods with a trend, of each cluster: at 1 kB each, 1 MB. Further Pods have none. A Pod without usage for an hour no
 * longer counts. Not removed sooner, because metrics-server has no usage of a Pod that restarts.
 */
const MAX_PODS = 1000;

/** Usage of Pods in the last hour, for the time in which it was read. */
export class PodTrends {
  private readonly clusters = new Map<string, UsageTrends>();

  add(cluster: string, pods: readonly UsageOfPod[], now: number): void {
    for (const [key, trends] of this.clusters) {
      trends.expire(now);
      if (trends.size === 0) this.clusters.delete(key);
    }
    const trends = this.clusters.get(cluster) ?? new UsageTrends(HOUR);
    this.clusters.set(cluster, trends);
    for (const pod of pods) {
      const id = idOf(pod);
      if (trends.size >= MAX_PODS && !trends.has(id)) continue;
      trends.add(id, now, { cpu: pod.cpuMillicores, memory: pod.memoryBytes });
    }
  }

  /** From the first known value to now. */
  get(cluster: string, pod: UsageOfPod, now: number): UsageTrend {
    const { cpu, memory } = this.clusters.get(cluster)?.get(idOf(pod), now) ?? { cpu: [], memory: [] };
    const first = cpu.findIndex((value) => value !== null);
    return first < 0 ? { cpu: [], memory: [] } : { cpu: cpu.slice(first), memory: memory.slice(first) };
  }
}

function idOf({ namespace, name }: UsageOfPod): string {
  return `${namespace}/${name}`;
}
