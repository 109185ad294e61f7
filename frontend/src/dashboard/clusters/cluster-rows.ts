import type { ClusterDto, ClusterState, ClusterStatsDto, HostStatsDto } from '../../shared/api/api-types';
import { editsBetween } from '../../shared/format/edits-between';
import { wordFilter } from '../../shared/format/words';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import type { Group, ListView, Sort, SortKey } from './list-address';

export const GROUP_LABELS: Readonly<Record<Group, string>> = {
  all: $localize`All`,
  attention: $localize`Needs attention`,
  running: $localize`Running`,
  resting: $localize`Inactive`,
};

/** Sort order of the states: in progress, needs attention, running, inactive. */
const RANKS: Readonly<Record<ClusterState, number>> = {
  creating: 0,
  starting: 0,
  stopping: 0,
  deleting: 0,
  degraded: 1,
  failed: 2,
  cancelled: 3,
  missing: 3,
  unknown: 4,
  running: 5,
  paused: 6,
  stopped: 7,
};

export function keyOf({ name, runtime }: Pick<ClusterDto, 'name' | 'runtime'>): string {
  return `${runtime}/${name}`;
}

/** A running cluster whose workloads do not work needs attention, and still runs. */
function isIn(group: Group, { state, needs_attention }: ClusterDto): boolean {
  switch (group) {
    case 'all':
      return true;
    case 'attention':
      return needs_attention;
    case 'running':
      return state === 'running';
    case 'resting':
      return state === 'paused' || state === 'stopped' || state === 'cancelled';
  }
}

function hasProblems({ problems }: ClusterDto): boolean {
  return (problems ?? 0) > 0;
}

export function countGroups(clusters: readonly ClusterDto[]): Record<Group, number> {
  const count = (group: Group): number => clusters.filter((cluster) => isIn(group, cluster)).length;
  return {
    all: clusters.length,
    attention: count('attention'),
    running: count('running'),
    resting: count('resting'),
  };
}

export function matches(
  cluster: ClusterDto,
  { text, group, engine }: Pick<ListView, 'text' | 'group' | 'engine'>,
): boolean {
  if (!isIn(group, cluster)) return false;
  if (engine !== '' && cluster.runtime !== engine) return false;
  const words = [
    cluster.name,
    cluster.runtime,
    cluster.kubernetes_version ?? cluster.node_image_tag ?? '',
    STATE_STYLES[cluster.state].word,
    cluster.origin === 'adopted' ? 'adopted' : '',
    cluster.state_reason ?? '',
    cluster.external?.server ?? '',
    cluster.external?.distribution ?? '',
  ];
  return wordFilter(text)(words.join(' '));
}

export function sortedKeys(
  clusters: readonly ClusterDto[],
  { key, reversed }: Sort,
  usages: (cluster: ClusterDto) => Usage | undefined,
): string[] {
  const order = ORDERS[key](usages);
  const sign = reversed ? -1 : 1;
  return [...clusters].sort((one, other) => sign * order(one, other) || byName(one, other)).map(keyOf);
}

function rankOf(cluster: ClusterDto): number {
  return hasProblems(cluster) ? Math.min(RANKS[cluster.state], RANKS.degraded) : RANKS[cluster.state];
}

type Order = (one: ClusterDto, other: ClusterDto) => number;

function byName(one: ClusterDto, other: ClusterDto): number {
  return (
    one.name.localeCompare(other.name, 'en', { numeric: true }) || one.runtime.localeCompare(other.runtime)
  );
}

/** Default orders: newest first, highest usage first. */
const ORDERS: Readonly<Record<SortKey, (usages: (cluster: ClusterDto) => Usage | undefined) => Order>> = {
  state: () => (one, other) => rankOf(one) - rankOf(other),
  name: () => byName,
  engine: () => (one, other) => one.runtime.localeCompare(other.runtime),
  age: () => (one, other) => other.created_at.localeCompare(one.created_at),
  cpu: (usages) => (one, other) => (usages(other)?.cpuPercent ?? -1) - (usages(one)?.cpuPercent ?? -1),
  memory: (usages) => (one, other) => (usages(other)?.memoryBytes ?? -1) - (usages(one)?.memoryBytes ?? -1),
};

/** Clusters in a fixed order, so that rows do not move while states change. New clusters come first. */
export function ordered(clusters: readonly ClusterDto[], order: readonly string[]): ClusterDto[] {
  const places = new Map(order.map((key, index) => [key, index]));
  return [...clusters].sort(
    (one, other) => (places.get(keyOf(one)) ?? -1) - (places.get(keyOf(other)) ?? -1),
  );
}

/** Total usage of the nodes of a cluster. Null before the first sample. */
export interface Usage {
  /** 100 is one core. */
  cpuPercent: number | null;
  /** Percent of all cores of the host. */
  cpuShare: number | null;
  cpuPeakShare: number | null;
  /** The last hour, the oldest first. */
  cpuTrend: readonly (number | null)[];
  memoryBytes: number | null;
  memoryShare: number | null;
  memoryPeakShare: number | null;
}

export function usageOf(
  stats: ClusterStatsDto | undefined,
  host: HostStatsDto | undefined,
): Usage | undefined {
  if (!stats) return undefined;
  const { nodes } = stats;
  const cpuPercent = sum(nodes.map((node) => node.cpu_percent));
  const memoryBytes = sum(nodes.map((node) => node.memory_bytes));
  const cores = host?.cpu_cores ?? null;
  return {
    cpuPercent,
    cpuShare: share(cpuPercent, cores === null ? null : cores * 100),
    cpuPeakShare: share(sum(nodes.map((node) => node.cpu_peak_percent)), cores === null ? null : cores * 100),
    cpuTrend: stats.cpu_trend,
    memoryBytes,
    memoryShare: share(memoryBytes, host?.memory_bytes ?? null),
    memoryPeakShare: share(sum(nodes.map((node) => node.memory_peak_bytes)), host?.memory_bytes ?? null),
  };
}

/** The sum of the known values; null without any. */
export function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

export function share(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole <= 0 ? null : (part / whole) * 100;
}

/** The name with the fewest edits to a mistyped one; undefined if none is close. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  const [best] = names
    .map((name) => ({
      name,
      distance: editsBetween(wanted, name.toLowerCase().slice(0, wanted.length + 2)),
    }))
    .sort((one, other) => one.distance - other.distance);
  return best && wanted !== '' && best.distance <= Math.max(2, Math.floor(wanted.length / 2))
    ? best.name
    : undefined;
}
