import type { NodeSample } from '../../drivers/runtime/index.js';

/** What two samples of a container say together. Percentages of CPU are per core: 200 is two cores. */
export interface NodeUsage {
  cpuPercent: number | null;
  cpuPeakPercent: number | null;
  memoryBytes: number;
  memoryPeakBytes: number;
  memoryLimitBytes: number;
  memoryPercent: number;
  networkRxBytes: number;
  networkTxBytes: number;
  networkRxRate: number | null;
  networkTxRate: number | null;
  blockReadBytes: number;
  blockWriteBytes: number;
  blockReadRate: number | null;
  blockWriteRate: number | null;
  sampledAt: string;
}

interface Known {
  last: NodeSample;
  usage: NodeUsage;
}

/** Shortest time between two samples whose difference means something. */
const MIN_INTERVAL_MS = 100;

/**
 * Turns cumulative figures into rates, and remembers peaks since somebody looks. The engines' own
 * percentages are not used: Podman's is an average since the container's start (containers/podman#25709),
 * and a first answer of either has nothing to compare with.
 */
export class UsageHistory {
  private readonly known = new Map<string, Known>();

  add(sample: NodeSample): void {
    const before = this.known.get(sample.id);
    if (before && sample.at - before.last.at < MIN_INTERVAL_MS) return;
    this.known.set(sample.id, { last: sample, usage: usageOf(sample, before) });
  }

  get(id: string): NodeUsage | undefined {
    return this.known.get(id)?.usage;
  }

  /** Forgets containers that are no longer there. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }

  clear(): void {
    this.known.clear();
  }
}

function usageOf(sample: NodeSample, before: Known | undefined): NodeUsage {
  const seconds = before ? (sample.at - before.last.at) / 1000 : 0;
  // A counter decreases only if the container was restarted.
  const rate = (now: number, then: number | undefined): number | null =>
    then === undefined || now < then ? null : (now - then) / seconds;
  const cpuRate = rate(sample.cpuNanoseconds, before?.last.cpuNanoseconds);
  const cpuPercent = cpuRate === null ? null : round(cpuRate / 1e7);
  return {
    cpuPercent,
    cpuPeakPercent: higher(cpuPercent, before?.usage.cpuPeakPercent ?? null),
    memoryBytes: sample.memoryBytes,
    memoryPeakBytes: Math.max(sample.memoryBytes, before?.usage.memoryPeakBytes ?? 0),
    memoryLimitBytes: sample.memoryLimitBytes,
    memoryPercent:
      sample.memoryLimitBytes > 0 ? round((sample.memoryBytes / sample.memoryLimitBytes) * 100) : 0,
    networkRxBytes: sample.networkRxBytes,
    networkTxBytes: sample.networkTxBytes,
    networkRxRate: rate(sample.networkRxBytes, before?.last.networkRxBytes),
    networkTxRate: rate(sample.networkTxBytes, before?.last.networkTxBytes),
    blockReadBytes: sample.blockReadBytes,
    blockWriteBytes: sample.blockWriteBytes,
    blockReadRate: rate(sample.blockReadBytes, before?.last.blockReadBytes),
    blockWriteRate: rate(sample.blockWriteBytes, before?.last.blockWriteBytes),
    sampledAt: new Date(sample.at).toISOString(),
  };
}

function higher(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
