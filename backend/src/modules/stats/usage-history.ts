import type { NodeSample } from '../../drivers/runtime/index.js';
import type { NodeStatsDto } from './stats.dto.js';
import { higherOf } from './usage-trends.js';

/** Computed from two samples of a container. */
export type NodeUsage = Omit<NodeStatsDto, 'name' | 'role' | 'state' | 'cpu_trend' | 'memory_trend'>;

interface Known {
  last: NodeSample;
  usage: NodeUsage;
}

/** Samples that are closer together are too inaccurate for a rate. */
const MIN_INTERVAL_MS = 100;

/**
 * Turns cumulative figures into rates, and remembers peaks. The percentages of the engines are not used: Podman's is an
 * average since the start of the container (containers/podman#25709).
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

  /** Removes deleted containers. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }
}

function usageOf(sample: NodeSample, before: Known | undefined): NodeUsage {
  const seconds = before ? (sample.at - before.last.at) / 1000 : 0;
  // A counter decreases only if the container was restarted.
  const rate = (now: number, then: number | undefined): number | null =>
    then === undefined || now < then ? null : (now - then) / seconds;
  const cpuRate = rate(sample.cpuNanoseconds, before?.last.cpuNanoseconds);
  const cpuPercent = cpuRate === null ? null : round(cpuRate / 1e7);
  const { memoryBytes, memoryLimitBytes, networkRxBytes, networkTxBytes, blockReadBytes, blockWriteBytes } =
    sample;
  return {
    cpu_percent: cpuPercent,
    cpu_peak_percent: higherOf(cpuPercent, before?.usage.cpu_peak_percent ?? null),
    memory_bytes: memoryBytes,
    memory_peak_bytes: higherOf(memoryBytes, before?.usage.memory_peak_bytes ?? null),
    memory_limit_bytes: memoryLimitBytes,
    memory_percent: memoryLimitBytes > 0 ? round((memoryBytes / memoryLimitBytes) * 100) : 0,
    network_rx_bytes: networkRxBytes,
    network_tx_bytes: networkTxBytes,
    network_rx_rate: rate(networkRxBytes, before?.last.networkRxBytes),
    network_tx_rate: rate(networkTxBytes, before?.last.networkTxBytes),
    block_read_bytes: blockReadBytes,
    block_write_bytes: blockWriteBytes,
    block_read_rate: rate(blockReadBytes, before?.last.blockReadBytes),
    block_write_rate: rate(blockWriteBytes, before?.last.blockWriteBytes),
    sampled_at: new Date(sample.at).toISOString(),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
