import { Injectable } from '@nestjs/common';
import { EXTERNAL_RUNTIME } from '../../../core/security/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import type { ResourceBlockDto } from '../common/resource.dto.js';
import { UsageReadings } from '../usage/usage-readings.js';
import { TableWatches } from '../watch/table-watches.js';
import { failedBlock, SUMMED } from './blocks.js';
import { isLive, overviewKinds, type OverviewKind } from './built-in-kinds.js';
import { OverviewBlocks } from './overview-blocks.js';
import type { Overview, OverviewQueryDto } from './overview.dto.js';

/** Requests must finish within 5 s. Blocks that are not ready by then contain an error. */
const TIMEOUT_MS = 4000;

/**
 * How long the first response of an external cluster waits for kinds without rows of their own on the page. Far away, one
 * of thirty lists often loses a packet, and takes a second longer than the others.
 */
const LATE_MS = 300;
/** Kinds whose rows viewers see first. */
const FIRST = [...SUMMED, 'k8s_deployments', 'k8s_services', 'k8s_statefulsets'];

/** Ages are in whole seconds at best. Tables stay watched for longer after their last reader. */
const RENDERED_MS = 1000;

/** A response, and whether the tables that it was made from are still the same. */
interface Rendered {
  at: number;
  isCurrent: () => boolean;
  text: string;
}

@Injectable()
export class OverviewService {
  /** By cluster and query: many readers share a response until an object changes, which takes half of their time. */
  private readonly rendered = new Map<string, Rendered>();

  constructor(
    private readonly usage: UsageReadings,
    private readonly watches: TableWatches,
  ) {}

  /** @returns an `Overview` as JSON */
  async read(open: OpenCluster, query: OverviewQueryDto): Promise<string> {
    const { cluster, api } = open;
    const key = JSON.stringify([cluster.runtime, cluster.name, cluster.created_at, query]);
    for (const [each, { at }] of this.rendered) {
      if (performance.now() - at > RENDERED_MS) this.rendered.delete(each);
    }
    const known = this.rendered.get(key);
    if (known?.isCurrent()) return known.text;
    const kinds = overviewKinds(await api.types());
    const selected = query.blocks ? select(kinds, query.blocks) : kinds;
    const summed = kinds.filter(({ block }) => SUMMED.some((name) => name === block));
    const isExternal = cluster.runtime === EXTERNAL_RUNTIME;
    const view = { namespaces: query.namespace, limit: query.limit, isPartial: isExternal };
    const overview = new OverviewBlocks(cluster, view, this.watches);
    // Two hundred CRDs take ten seconds, and so do thousands of Pods far away. Viewers get them as they are listed.
    const isLater = ({ block }: OverviewKind): boolean =>
      isExternal && !query.blocks && !FIRST.includes(block);
    try {
      overview.follow([...new Set([...selected, ...summed])], (kind) => !isExternal || isLive(kind));
      const loaded = overview
        .loaded(TIMEOUT_MS, (kind) => !isLater(kind))
        .then(() => overview.loaded(LATE_MS, ({ builtIn }) => builtIn));
      const [usage] = await Promise.all([this.usage.of(open), loaded]);
      overview.measure(usage);
      const positions = overview.positions();
      const taken = positions();
      const blocks = overview.next();
      const shown = selected
        .filter((kind) => blocks[kind.block] || !isLater(kind))
        .map(({ block, type }) => [block, blocks[block] ?? lateBlock(type)] as const);
      const text = JSON.stringify({
        cluster: cluster.name,
        runtime: cluster.runtime,
        taken_at: new Date().toISOString(),
        summary: overview.summary(cluster.kubernetes_version),
        ...(Object.fromEntries(shown) as Record<`k8s_${string}`, ResourceBlockDto>),
      } satisfies Overview);
      this.rendered.set(key, { at: performance.now(), isCurrent: () => positions() === taken, text });
      return text;
    } finally {
      overview.close();
    }
  }
}

function lateBlock(type: ResourceType): ResourceBlockDto {
  const message = `The cluster did not list its ${type.plural} in time. Try again.`;
  return failedBlock(type, { code: 'cluster_unreachable', message });
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
