import type { ClusterDto, ClusterNodeDto, HostStatsDto, NodeStatsDto } from '../../shared/api/api-types';
import { formatBytes, formatCores } from '../../shared/format/format';
import { nodeStyle, type NodeStyle } from '../../shared/ui/node-strip';

/** A figure beside its whole, with its bar: shares are per cent of the whole. */
export interface UsageBar {
  share: number;
  /** The highest since somebody looks; null where there is none above the bar. */
  peak: number | null;
  /** `0.62`, and what follows it: `of 8 cores`. */
  figure: string;
  whole: string;
}

/** One node as its card shows it. */
export interface NodeUsage {
  name: string;
  /** What tells the node from the others of its cluster: its name without the cluster's. */
  shortName: string;
  role: ClusterNodeDto['role'];
  state: ClusterNodeDto['state'];
  /** As the marks of the cluster show it. */
  look: NodeStyle;
  address: string | null;
  /** Null where the node does not run or was not sampled yet. */
  cpu: UsageBar | null;
  memory: UsageBar | null;
  rates: NodeRates | null;
}

/** Bytes a second; null until two samples were taken. */
export interface NodeRates {
  received: number | null;
  sent: number | null;
  read: number | null;
  written: number | null;
}

/** The nodes of a cluster with their figures, in the cluster's own order. */
export function nodeUsages(
  cluster: Pick<ClusterDto, 'name' | 'state' | 'nodes'>,
  samples: readonly NodeStatsDto[],
  host: Pick<HostStatsDto, 'cpu_cores' | 'memory_bytes'> | undefined,
): NodeUsage[] {
  const byName = new Map(samples.map((sample) => [sample.name, sample]));
  return cluster.nodes.map((node) => {
    const sample = byName.get(node.name);
    // Figures of a node that stopped since are figures of the past.
    const live = sample?.sampled_at && node.state === 'running' ? sample : undefined;
    return {
      name: node.name,
      shortName: withoutCluster(node.name, cluster.name),
      role: node.role,
      state: node.state,
      look: nodeStyle(node.state, cluster.state),
      address: node.address,
      cpu: live ? cpuBar(live, host?.cpu_cores ?? null) : null,
      memory: live ? memoryBar(live, host?.memory_bytes ?? null) : null,
      rates: live
        ? {
            received: live.network_rx_rate,
            sent: live.network_tx_rate,
            read: live.block_read_rate,
            written: live.block_write_rate,
          }
        : null,
    };
  });
}

/** All nodes together: `0.62 of 8 cores, 3.3 of 31.2 GB`; empty before the first sample. */
export function usageSentence(
  nodes: readonly NodeUsage[],
  samples: readonly NodeStatsDto[],
  host: Pick<HostStatsDto, 'cpu_cores' | 'memory_bytes'> | undefined,
  cacheIncluded: boolean,
): string {
  const live = new Set(nodes.filter(({ cpu, memory }) => cpu ?? memory).map(({ name }) => name));
  if (live.size === 0) return '';
  const sampled = samples.filter(({ name }) => live.has(name));
  const cpu = sum(sampled.map(({ cpu_percent }) => cpu_percent));
  const memory = sum(sampled.map(({ memory_bytes }) => memory_bytes));
  const cores = host?.cpu_cores ? ` of ${host.cpu_cores}` : '';
  const bytes = host?.memory_bytes ? ` of ${formatBytes(host.memory_bytes)}` : '';
  return `${formatCores(cpu)}${cores} cores, ${formatBytes(memory)}${bytes} of memory, ${
    cacheIncluded ? 'page cache counted in' : 'page cache left out'
  }`;
}

function cpuBar(sample: NodeStatsDto, cores: number | null): UsageBar | null {
  if (sample.cpu_percent === null) return null;
  const whole = (cores ?? 1) * 100;
  return {
    share: share(sample.cpu_percent, whole),
    peak: peak(sample.cpu_peak_percent, sample.cpu_percent, whole),
    figure: formatCores(sample.cpu_percent),
    whole: cores === null ? 'cores' : `of ${cores} ${cores === 1 ? 'core' : 'cores'}`,
  };
}

function memoryBar(sample: NodeStatsDto, machine: number | null): UsageBar | null {
  if (sample.memory_bytes === null) return null;
  const whole = sample.memory_limit_bytes ?? machine;
  return {
    share: whole === null ? 0 : share(sample.memory_bytes, whole),
    peak: whole === null ? null : peak(sample.memory_peak_bytes, sample.memory_bytes, whole),
    figure: formatBytes(sample.memory_bytes),
    whole: whole === null ? '' : `of ${formatBytes(whole)}`,
  };
}

function share(value: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.max(0, (value / whole) * 100));
}

/** A tick on the end of the bar would say nothing. */
function peak(highest: number | null, now: number, whole: number): number | null {
  if (highest === null || highest <= now) return null;
  const at = share(highest, whole);
  return at - share(now, whole) < 0.5 ? null : at;
}

function withoutCluster(node: string, cluster: string): string {
  return node.startsWith(`${cluster}-`) ? node.slice(cluster.length + 1) : node;
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
