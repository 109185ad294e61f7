import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import type { BlockErrorDto, ResourceBlockDto } from '../common/resource.dto.js';
import { countHealth, hasHealth } from '../watch/health.js';
import { listRows } from '../watch/printed-row.js';
import { UsageReadings } from '../usage/usage-readings.js';
import type { TableStore } from '../watch/table-store.js';
import { TableWatches } from '../watch/table-watches.js';
import {
  blockOf,
  failedBlock,
  fromStore,
  inNamespaces,
  notServed,
  summaryOf,
  SUMMED,
  type BlockRows,
} from './blocks.js';
import { MAX_WATCHED, overviewKinds, type OverviewKind } from './built-in-kinds.js';
import type { Overview, OverviewQueryDto } from './overview.dto.js';

/** The size of the connection pool of an API server. */
const CONCURRENT_LISTS = 6;
/** With more rows than this, health is not counted. */
const MAX_COUNTED = 20_000;

/** Requests must finish within 5 s. Blocks that are not ready by then contain an error. */
const TIMEOUT_MS = 4000;

/** For the first rows of all kinds. Kinds with tens of thousands of objects take longer; their first page does not. */
const WATCH_MS = 1500;

/** Ages are in whole seconds at best. */
const RENDERED_MS = 1000;

/** A response, and what it was made from. */
interface Rendered {
  at: number;
  stores: readonly TableStore[];
  positions: readonly number[];
  text: string;
}

@Injectable()
export class OverviewService {
  /** By cluster and query. Many readers of the same cluster share a response until an object changes. */
  private readonly rendered = new Map<string, Rendered>();

  constructor(
    private readonly usage: UsageReadings,
    private readonly watches: TableWatches,
  ) {}

  /** @returns an `Overview` as JSON */
  async read(open: OpenCluster, query: OverviewQueryDto): Promise<string> {
    const { cluster, api } = open;
    const kinds = overviewKinds(await api.types());
    const selected = query.blocks ? select(kinds, query.blocks) : kinds;
    const summed = kinds.filter(({ block, served }) => served && SUMMED.some((name) => name === block));
    const all = [...new Set([...selected, ...summed])];
    const stores = await this.watch(
      open,
      all.filter(({ served }) => served),
    );
    const key = JSON.stringify([cluster.runtime, cluster.name, cluster.created_at, query]);
    const known = this.rendered.get(key);
    if (known && stores && isCurrent(known, stores)) return known.text;
    const positions = stores?.map(({ position }) => position);
    const text = JSON.stringify(await this.overview(open, all, selected, query));
    const at = performance.now();
    for (const [other, { at: since }] of this.rendered) {
      if (at - since > RENDERED_MS) this.rendered.delete(other);
    }
    if (stores && positions) this.rendered.set(key, { at, stores, positions, text });
    return text;
  }

  /**
   * Watches kinds for all readers, for a while after the last one.
   * @returns their tables; undefined if some of them are not up to date
   */
  private async watch(
    { cluster }: OpenCluster,
    kinds: readonly OverviewKind[],
  ): Promise<TableStore[] | undefined> {
    const watched = kinds.slice(0, MAX_WATCHED);
    const missing = watched.filter(({ type }) => !this.watches.ready(cluster, type));
    const leases = missing.map(({ type }) => this.watches.acquire(cluster, type));
    if (leases.length > 0) await this.watches.settled(leases, WATCH_MS);
    for (const { release } of leases) release();
    const stores = kinds.flatMap(({ type }) => this.watches.ready(cluster, type) ?? []);
    return stores.length === kinds.length ? stores : undefined;
  }

  private async overview(
    open: OpenCluster,
    all: readonly OverviewKind[],
    selected: readonly OverviewKind[],
    query: OverviewQueryDto,
  ): Promise<Overview> {
    const { cluster } = open;
    const deadline = performance.now() + TIMEOUT_MS;
    const [results, usage] = await Promise.all([
      mapConcurrently(all, CONCURRENT_LISTS, (kind) => this.rowsOf(open, kind, query, deadline)),
      this.usage.of(open),
    ]);
    const rows = new Map<string, BlockRows>();
    const shown: Record<`k8s_${string}`, ResourceBlockDto> = {};
    for (const [index, kind] of all.entries()) {
      const result = results[index];
      if (!result) continue;
      if ('rows' in result) rows.set(kind.block, result);
      if (!selected.includes(kind)) continue;
      shown[kind.block as `k8s_${string}`] =
        'rows' in result
          ? blockOf(inNamespaces(result, query.namespace), query.limit, usage)
          : failedBlock(kind.type, result);
    }
    return {
      cluster: cluster.name,
      runtime: cluster.runtime,
      taken_at: new Date().toISOString(),
      summary: summaryOf(rows, { version: cluster.kubernetes_version, metrics: usage !== null }),
      ...shown,
    };
  }

  /** Rows of a kind from a watch or a list, or why they could not be read. */
  private async rowsOf(
    { cluster, api }: OpenCluster,
    { type, served }: OverviewKind,
    { limit, namespace }: OverviewQueryDto,
    deadline: number,
  ): Promise<BlockRows | BlockErrorDto> {
    if (!served) return notServed(type);
    const store = this.watches.ready(cluster, type);
    const watched = store && fromStore(store);
    if (watched) return watched;
    const left = deadline - performance.now();
    if (left <= 0) {
      const message = `${cluster.name} did not list its ${type.plural} in time. Request only this block.`;
      return { code: 'cluster_unreachable', message };
    }
    try {
      // Other kinds need only the first rows: the API server reports how many follow.
      const isCounted = hasHealth(type) || (type.namespaced && namespace !== undefined);
      const listed = await listRows(api, type, isCounted ? MAX_COUNTED : Math.max(limit, 1), {
        deadlineMs: Math.ceil(left),
      });
      const isComplete = listed.remaining === 0;
      return {
        format: listed.format,
        rows: listed.rows,
        total: listed.rows.length + (listed.remaining ?? 0),
        health: hasHealth(type) && isComplete ? countHealth(listed.rows.map(({ health }) => health)) : null,
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { code: error.code, message: error.message };
    }
  }
}

function isCurrent({ at, stores, positions }: Rendered, now: readonly TableStore[]): boolean {
  return (
    performance.now() - at < RENDERED_MS &&
    stores.length === now.length &&
    now.every((store, index) => store === stores[index] && store.position === positions[index])
  );
}

/** The requested kinds, in that order. Unknown kinds get a block with an error. */
function select(kinds: readonly OverviewKind[], blocks: readonly string[]): OverviewKind[] {
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
