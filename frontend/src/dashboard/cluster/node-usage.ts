import type { ClusterDto, ClusterNodeDto, HostStatsDto, NodeStatsDto } from '../../shared/api/api-types';
import { coreCount, formatBytes, formatCores, formatRate } from '../../shared/format/format';
import { nodeStyle, type NodeStyle } from '../../shared/ui/node-strip';
import { sum } from '../clusters/cluster-rows';

/** A usage with its bar. Shares are percentages. */
interface UsageBar {
  share: number;
  /** The peak since the page was opened; null if it is not above the bar. */
  peak: number | null;
  /** `0.62`, followed by `of 8 cores`. */
  figure: string;
  whole: string;
}

interface Trend {
  /** The oldest first; null for unknown. */
  values: readonly (number | null)[];
  label: string;
}

export interface NodeUsage {
  name: string;
  /** The name without the cluster's name. */
  shortName: string;
  role: ClusterNodeDto['role'];
  state: ClusterNodeDto['state'];
  style: NodeStyle;
  address: string | null;
  /** Null if the node does not run or was not sampled yet. */
  cpu: UsageBar | null;
  memory: UsageBar | null;
  /** The last hour. */
  trends: Record<'cpu' | 'memory', Trend>;
  /** Network and disk in a sentence; empty if unknown. */
  rates: string;
}

/** The nodes of a cluster with their usage, in the order of the cluster. */
export function nodeUsages(
  cluster: Pick<ClusterDto, 'name' | 'state' | 'nodes'>,
  samples: readonly NodeStatsDto[],
  host: Pick<HostStatsDto, 'cpu_cores' | 'memory_bytes'> | undefined,
): NodeUsage[] {
  const byName = new Map(samples.map((sample) => [sample.name, sample]));
  return cluster.nodes.map((node) => {
    const sample = byName.get(node.name);
    // Samples of a stopped node are outdated.
    const live = sample?.sampled_at && node.state === 'running' ? sample : undefined;
    return {
      name: node.name,
      shortName: withoutCluster(node.name, cluster.name),
      role: node.role,
      state: node.state,
      style: nodeStyle(node.state, cluster.state),
      address: node.address,
      cpu: live ? cpuBar(live, host?.cpu_cores ?? null) : null,
      memory: live ? memoryBar(live, host?.memory_bytes ?? null) : null,
      trends: {
        cpu: trend($localize`CPU`, node.name, live?.cpu_trend ?? [], live?.cpu_percent ?? 0, formatCores),
        memory: trend(
          $localize`Memory`,
          node.name,
          live?.memory_trend ?? [],
          live?.memory_bytes ?? 0,
          formatBytes,
        ),
      },
      rates: live ? ratesSentence(live) : '',
    };
  });
}

/** The total usage, such as `0.62 of 8 cores, 3.3 of 31.2 GB of memory`; empty before the first sample. */
export function usageSentence(
  nodes: readonly NodeUsage[],
  samples: readonly NodeStatsDto[],
  host: Pick<HostStatsDto, 'cpu_cores' | 'memory_bytes'> | undefined,
  cacheIncluded: boolean,
): string {
  const live = new Set(nodes.filter(({ cpu, memory }) => cpu ?? memory).map(({ name }) => name));
  if (live.size === 0) return '';
  const sampled = samples.filter(({ name }) => live.has(name));
  const cpu = sum(sampled.map(({ cpu_percent }) => cpu_percent)) ?? 0;
  const memory = sum(sampled.map(({ memory_bytes }) => memory_bytes)) ?? 0;
  const cores = host?.cpu_cores ? $localize` of ${host.cpu_cores}:cores:` : '';
  const bytes = host?.memory_bytes ? $localize` of ${formatBytes(host.memory_bytes)}:memory:` : '';
  const cache = cacheIncluded ? $localize`including page cache` : $localize`excluding page cache`;
  return $localize`${formatCores(cpu)}:cpu:${cores}:cores: cores, ${formatBytes(memory)}:memory:${bytes}:total: of memory (${cache}:cache:)`;
}

function ratesSentence(sample: NodeStatsDto): string {
  const { network_rx_rate, network_tx_rate, block_read_rate, block_write_rate } = sample;
  const [received, sent, read, written] = [
    network_rx_rate,
    network_tx_rate,
    block_read_rate,
    block_write_rate,
  ].map(formatRate);
  return $localize`Network ${received}:received: in, ${sent}:sent: out; disk ${read}:read: read, ${written}:written: written`;
}

function cpuBar(sample: NodeStatsDto, cores: number | null): UsageBar | null {
  if (sample.cpu_percent === null) return null;
  const whole = (cores ?? 1) * 100;
  return {
    share: share(sample.cpu_percent, whole),
    peak: peak(sample.cpu_peak_percent, sample.cpu_percent, whole),
    figure: formatCores(sample.cpu_percent),
    whole: cores === null ? $localize`cores` : $localize`of ${coreCount(cores)}:cores:`,
  };
}

function memoryBar(sample: NodeStatsDto, machine: number | null): UsageBar | null {
  if (sample.memory_bytes === null) return null;
  const whole = sample.memory_limit_bytes ?? machine;
  return {
    share: whole === null ? 0 : share(sample.memory_bytes, whole),
    peak: whole === null ? null : peak(sample.memory_peak_bytes, sample.memory_bytes, whole),
    figure: formatBytes(sample.memory_bytes),
    whole: whole === null ? '' : $localize`of ${formatBytes(whole)}:memory:`,
  };
}

function trend(
  title: string,
  node: string,
  values: readonly (number | null)[],
  now: number,
  format: (value: number) => string,
): Trend {
  const highest = format(Math.max(now, ...values.map((value) => value ?? 0)));
  return {
    values,
    label: $localize`${title}:figure: of ${node}:node: over the last hour: now ${format(now)}:now:, peak ${highest}:peak:`,
  };
}

function share(value: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.max(0, (value / whole) * 100));
}

/** Null if the tick would be at the end of the bar. */
function peak(highest: number | null, now: number, whole: number): number | null {
  if (highest === null || highest <= now) return null;
  const at = share(highest, whole);
  return at - share(now, whole) < 0.5 ? null : at;
}

function withoutCluster(node: string, cluster: string): string {
  return node.startsWith(`${cluster}-`) ? node.slice(cluster.length + 1) : node;
}
