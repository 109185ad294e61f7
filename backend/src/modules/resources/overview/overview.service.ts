import { Injectable } from '@nestjs/common';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../cluster-resources.js';
import type { BlockErrorDto, ResourceBlockDto } from '../resource.dto.js';
import { countHealth, hasHealth } from '../watch/health.js';
import { listRows } from '../watch/printed-row.js';
import { UsageReadings } from '../usage/usage-readings.js';
import { TableWatches } from '../watch/table-watches.js';
import {
  blockError,
  blockOf,
  failedBlock,
  fromStore,
  notServed,
  summaryOf,
  SUMMED,
  type BlockRows,
} from './blocks.js';
import { overviewKinds, type OverviewKind } from './built-in-kinds.js';
import type { Overview } from './overview.dto.js';
import { mapConcurrently } from './map-concurrently.js';

/** As many lists as connections to an API server are kept. */
const LISTS_AT_ONCE = 6;
/** To count how rows stand all have to be looked at; of more than these, only so many are shown. */
const MAX_COUNTED = 20_000;

/** No request is held longer than five seconds: a kind whose server is slow is a block that says so. */
const PATIENCE_MS = 4000;

interface Wish {
  blocks?: string[];
  limit: number;
}

/** Everything in a cluster at a glance. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly usage: UsageReadings,
    private readonly watches: TableWatches,
  ) {}

  /** @throws DomainError where not even what the cluster serves can be found out */
  async read(open: OpenCluster, { blocks, limit }: Wish): Promise<Overview> {
    const { cluster, api } = open;
    const kinds = overviewKinds(await api.types());
    const wanted = blocks ? chosen(kinds, blocks) : kinds;
    const summed = kinds.filter(({ block, served }) => served && SUMMED.some((name) => name === block));
    const all = [...new Set([...wanted, ...summed])];
    const until = performance.now() + PATIENCE_MS;
    const [results, usage] = await Promise.all([
      mapConcurrently(all, LISTS_AT_ONCE, (kind) => this.rowsOf(open, kind, limit, until)),
      this.usage.of(open),
    ]);
    const rows = new Map<string, BlockRows>();
    const shown: Record<`k8s_${string}`, ResourceBlockDto> = {};
    for (const [index, kind] of all.entries()) {
      const result = results[index];
      if (!result) continue;
      if ('rows' in result) rows.set(kind.block, result);
      if (!wanted.includes(kind)) continue;
      shown[kind.block as `k8s_${string}`] =
        'rows' in result ? blockOf(result, limit, usage) : failedBlock(kind.type, result);
    }
    return {
      cluster: cluster.name,
      runtime: cluster.runtime,
      taken_at: new Date().toISOString(),
      summary: summaryOf(rows, { version: cluster.kubernetes_version, metrics: usage !== null }),
      ...shown,
    };
  }

  /** Rows of a kind: those that are watched, or listed now. Why there are none is an answer too. */
  async rowsOf(
    { cluster, api }: OpenCluster,
    { type, served }: OverviewKind,
    limit: number,
    until = Infinity,
  ): Promise<BlockRows | BlockErrorDto> {
    if (!served) return notServed(type);
    const store = this.watches.ready(cluster, type);
    const watched = store && fromStore(store);
    if (watched) return watched;
    const left = until - performance.now();
    if (left <= 0) {
      const message = `${cluster.name} did not answer in time for its ${type.plural}. Ask for them alone.`;
      return { code: 'cluster_unreachable', message };
    }
    try {
      const isCounted = hasHealth(type);
      // Of kinds without health the first rows are as good as any, and the server tells how many follow.
      const listed = await listRows(api, type, isCounted ? MAX_COUNTED : Math.max(limit, 1), {
        ...(left !== Infinity && { deadlineMs: Math.ceil(left) }),
      });
      const isWhole = listed.remaining === 0;
      return {
        format: listed.format,
        rows: listed.rows,
        total: listed.rows.length + (listed.remaining ?? 0),
        health: isCounted && isWhole ? countHealth(listed.rows.map(({ health }) => health)) : null,
      };
    } catch (error) {
      return blockError(error);
    }
  }
}

/** The blocks that were asked for, in that order; a kind that nobody knows is a block with that as its reason. */
function chosen(kinds: readonly OverviewKind[], blocks: readonly string[]): OverviewKind[] {
  const names = new Set(blocks.map((name) => (name.startsWith('k8s_') ? name : `k8s_${name}`)));
  return [...names].map((block) => {
    const known = kinds.find((kind) => kind.block === block);
    return known ?? { block, type: unknownType(block.slice('k8s_'.length)), served: false, builtIn: false };
  });
}

function unknownType(name: string): ResourceType {
  const [plural = '', ...group] = name.split('.');
  return {
    group: group.join('.'),
    version: '',
    plural,
    kind: plural,
    namespaced: false,
    verbs: [],
    shortNames: [],
    custom: group.length > 0,
  };
}
