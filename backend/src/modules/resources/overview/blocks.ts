import {
  countHealth,
  hasHealth,
  type ResourceHealth,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { presentGroup, presentType } from '../common/present-type.js';
import type {
  BlockErrorDto,
  HealthCountsDto,
  OverviewSummaryDto,
  ResourceBlockDto,
} from '../common/resource.dto.js';
import type { PrintedRow, RowFormat } from '../watch/printed-row.js';
import { newestFirst } from '../table/newest-first.js';
import type { UsageReading } from '../usage/usage-readings.js';
import type { TableStore } from '../watch/table-store.js';

/** Rows that need attention come first. */
const BY_URGENCY: readonly ResourceHealth[] = ['failed', 'warning', 'progressing', 'ok', 'none', 'ended'];

export interface BlockRows {
  format: RowFormat;
  /** In the order of kubectl. */
  rows: readonly PrintedRow[];
  total: number;
  /** Null if not all rows were read. */
  health: HealthCountsDto | null;
}

export function blockOf(
  { format, rows, total, health }: BlockRows,
  limit: number,
  usage: UsageReading | null,
): ResourceBlockDto {
  const now = Date.now();
  const shown = limit > total ? rows : mostUrgent(format, rows, limit);
  return {
    type: presentType(format.type),
    columns: format.shownColumns,
    rows: shown.slice(0, limit).map((row) => format.present(row, now, usage)),
    total,
    health,
    error: null,
  };
}

/** Only the rows in some namespaces. Undefined for all; a cluster-scoped kind keeps its rows. */
export function inNamespaces(block: BlockRows, namespaces: readonly string[] | undefined): BlockRows {
  if (!namespaces || !block.format.type.namespaced) return block;
  const rows = block.rows.filter(({ row }) => row.namespace !== null && namespaces.includes(row.namespace));
  const health = block.health && countHealth(rows.map((row) => row.health));
  return { ...block, rows, total: rows.length, health };
}

/**
 * Undefined while the store is not up to date.
 * @param isPartial whether the first pages of the first list are enough
 */
export function fromStore(store: TableStore, isPartial = false): BlockRows | undefined {
  const { format, isListed, error, remaining } = store;
  if (!format || remaining === null || error || !(isListed || isPartial)) return undefined;
  return {
    format,
    rows: store.inOrder(),
    total: store.total + remaining,
    health: isListed && hasHealth(format.type) ? store.health : null,
  };
}

export function failedBlock(type: ResourceType, error: BlockErrorDto): ResourceBlockDto {
  return { type: presentType(type), columns: [], rows: [], total: 0, health: null, error };
}

export function notServed(type: ResourceType): BlockErrorDto {
  const { group, plural } = type;
  return {
    code: 'resource_type_not_found',
    message: `The cluster does not serve ${plural}${group === '' ? '' : `.${presentGroup(group)}`}.`,
  };
}

/** Sorts by health, then in the order of kubectl; events newest first. */
function mostUrgent(format: RowFormat, rows: readonly PrintedRow[], limit: number): PrintedRow[] {
  const { group, plural } = format.type;
  const ordered = group === '' && plural === 'events' ? newestFirst(format, rows) : rows;
  const urgent: PrintedRow[] = [];
  for (const health of BY_URGENCY) {
    if (urgent.length >= limit) break;
    for (const row of ordered) if (row.health === health) urgent.push(row);
  }
  return urgent;
}

export const SUMMED = ['k8s_nodes', 'k8s_pods', 'k8s_namespaces', 'k8s_events'] as const;

/** Values that could not be read completely are null. */
export function summaryOf(
  rows: ReadonlyMap<string, BlockRows>,
  { version, metrics }: { version: string | null; metrics: boolean },
): OverviewSummaryDto {
  const nodes = rows.get('k8s_nodes');
  const pods = rows.get('k8s_pods');
  const nodeHealth = nodes?.health;
  return {
    kubernetes_version: version ?? versionOf(nodes),
    nodes: nodes?.total ?? null,
    // A cordoned node counts as ready.
    nodes_ready: nodeHealth ? nodeHealth.ok + nodeHealth.warning : null,
    // Pods that have completed are neither ready nor missing.
    pods: pods ? pods.total - (pods.health?.ended ?? 0) : null,
    pods_ready: pods?.health?.ok ?? null,
    namespaces: rows.get('k8s_namespaces')?.total ?? null,
    warnings: rows.get('k8s_events')?.health?.warning ?? null,
    metrics,
  };
}

function versionOf(nodes: BlockRows | undefined): string | null {
  const column = nodes?.format.columns.findIndex(({ name }) => name === 'Version') ?? -1;
  const version = nodes?.rows[0]?.row.cells[column];
  return typeof version === 'string' ? version : null;
}
