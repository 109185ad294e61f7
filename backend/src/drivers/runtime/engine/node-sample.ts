import type { NodeSample } from '../runtime-driver.js';
import type { ContainerStats } from './engine-responses.js';

/**
 * A sample of an engine's statistics. Memory excludes the page cache, as in the docker CLI, if the engine reports it:
 * `inactive_file` with cgroups v2, `total_inactive_file` with v1. Podman's compatible API does not.
 */
export function toNodeSample(id: string, stats: ContainerStats, hostMemoryBytes: number): NodeSample {
  const memory = stats.memory_stats ?? {};
  const cache = memory.stats?.['total_inactive_file'] ?? memory.stats?.['inactive_file'] ?? 0;
  const usage = memory.usage ?? 0;
  const limit = memory.limit ?? 0;
  let networkRxBytes = 0;
  let networkTxBytes = 0;
  for (const network of Object.values(stats.networks ?? {})) {
    networkRxBytes += network.rx_bytes ?? 0;
    networkTxBytes += network.tx_bytes ?? 0;
  }
  const block = (operation: string): number =>
    (stats.blkio_stats?.io_service_bytes_recursive ?? [])
      .filter((entry) => entry.op?.toLowerCase() === operation)
      .reduce((sum, entry) => sum + (entry.value ?? 0), 0);
  return {
    id,
    at: Date.parse(stats.read ?? '') || Date.now(),
    cpuNanoseconds: stats.cpu_stats?.cpu_usage?.total_usage ?? 0,
    memoryBytes: cache < usage ? usage - cache : usage,
    // Without a limit, engines report the memory of the machine, 0, or the largest possible number.
    memoryLimitBytes: limit > 0 && limit < hostMemoryBytes ? limit : hostMemoryBytes,
    networkRxBytes,
    networkTxBytes,
    blockReadBytes: block('read'),
    blockWriteBytes: block('write'),
  };
}
