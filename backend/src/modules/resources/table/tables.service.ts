import { Injectable } from '@nestjs/common';
import type { ResourceType, TypeName } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { presentType } from '../common/present-type.js';
import type { ResourceTableDto } from '../common/resource.dto.js';
import { isMeasured, UsageReadings } from '../usage/usage-readings.js';
import { TableWatches } from '../watch/table-watches.js';
import { keyOf, listRows, type PrintedRow, type RowFormat } from '../watch/printed-row.js';
import { readPageToken, writePageToken, type PageToken } from './page-token.js';
import type { TableQueryDto } from './table.dto.js';

const MAX_SEARCHED = 20_000;

/** Requests must finish within 5 s. */
const LOAD_TIMEOUT_MS = 4000;

interface Page {
  format: RowFormat;
  rows: PrintedRow[];
  total: number | null;
  next: PageToken | null;
}

type Query = Pick<TableQueryDto, 'limit' | 'namespace' | 'label_selector' | 'field_selector' | 'search'>;

@Injectable()
export class TablesService {
  constructor(
    private readonly usage: UsageReadings,
    private readonly watches: TableWatches,
  ) {}

  /** @throws DomainError as `ResourceApi.table` */
  async page(cluster: OpenCluster, name: TypeName, query: TableQueryDto): Promise<ResourceTableDto> {
    const type = await cluster.api.type(name);
    const [page, usage] = await Promise.all([
      this.rows(
        cluster,
        type,
        query,
        query.continue === undefined ? undefined : readPageToken(query.continue),
      ),
      isMeasured(type) ? this.usage.of(cluster) : null,
    ]);
    const now = Date.now();
    return {
      type: presentType(type),
      columns: page.format.shownColumns,
      rows: page.rows.map((row) => page.format.present(row, now, usage)),
      total: page.total,
      continue: page.next && writePageToken(page.next),
      usage: usage !== null,
    };
  }

  private async rows(
    cluster: OpenCluster,
    type: ResourceType,
    query: Query,
    token: PageToken | undefined,
  ): Promise<Page> {
    // The API server lists one namespace or all, and cannot search.
    const isFiltered = Boolean(query.search) || (type.namespaced && (query.namespace?.length ?? 0) > 1);
    // Only the API server can evaluate selectors.
    const isSelected = Boolean(query.label_selector ?? query.field_selector);
    if (isSelected && (isFiltered || token?.by === 'row')) {
      const { format, rows } = await listRows(cluster.api, type, MAX_SEARCHED, selection(type, query));
      return pageOf(format, rows, query, token);
    }
    const watched =
      isSelected || token?.by === 'server' ? undefined : this.watches.ready(cluster.cluster, type);
    if (watched?.format) return pageOf(watched.format, watched.inOrder(), query, token);
    // The next letter of a search follows soon and uses the same rows.
    if (isFiltered || token?.by === 'row') return await this.fromWatch(cluster, type, query, token);
    return await fromServer(cluster, type, query, token);
  }

  private async fromWatch(
    { cluster }: OpenCluster,
    type: ResourceType,
    query: Query,
    token: PageToken | undefined,
  ): Promise<Page> {
    const lease = this.watches.acquire(cluster, type);
    try {
      await this.watches.loaded(lease, LOAD_TIMEOUT_MS);
      const { format } = lease.store;
      if (!format) throw new Error('the table was loaded without columns');
      return pageOf(format, lease.store.inOrder(), query, token);
    } finally {
      lease.release();
    }
  }
}

function pageOf(
  format: RowFormat,
  rows: readonly PrintedRow[],
  { namespace, search, limit }: Query,
  token: PageToken | undefined,
): Page {
  const part = (search ?? '').toLowerCase();
  const found = rows.filter(
    ({ row }) => isIn(namespace, format.type, row.namespace) && row.name.toLowerCase().includes(part),
  );
  const begin = token?.by === 'row' ? placeAfter(found, token.after) : 0;
  const page = begin === -1 ? [] : found.slice(begin, begin + limit);
  const last = page.at(-1);
  const isEnd = !last || begin + limit >= found.length;
  return {
    format,
    rows: page,
    total: found.length,
    next: isEnd ? null : { by: 'row', after: keyOf(last.row) },
  };
}

/** Index after a row, which may have been deleted; -1 at the end. */
function placeAfter(rows: readonly PrintedRow[], after: string): number {
  const place = rows.findIndex(({ row }) => keyOf(row) === after);
  if (place !== -1) return place + 1;
  return rows.findIndex(({ row }) => keyOf(row) > after);
}

async function fromServer(
  { api }: OpenCluster,
  type: ResourceType,
  query: Query,
  token: PageToken | undefined,
): Promise<Page> {
  const before = token?.by === 'server' ? token : undefined;
  const listed = await listRows(api, type, query.limit, {
    ...selection(type, query),
    ...(before && { continue: before.token }),
  });
  const seen = (before?.seen ?? 0) + listed.rows.length;
  return {
    format: listed.format,
    rows: listed.rows,
    total: listed.remaining === null ? null : seen + listed.remaining,
    next: listed.continue === null ? null : { by: 'server', seen, token: listed.continue },
  };
}

function isIn(
  namespaces: readonly string[] | undefined,
  { namespaced }: ResourceType,
  namespace: string | null,
): boolean {
  return !namespaces || !namespaced || (namespace !== null && namespaces.includes(namespace));
}

function selection(
  type: ResourceType,
  { namespace: namespaces, label_selector, field_selector }: Query,
): { namespace?: string; labelSelector?: string; fieldSelector?: string } {
  const namespace = namespaces?.length === 1 ? namespaces[0] : undefined;
  return {
    ...(type.namespaced && namespace !== undefined && { namespace }),
    ...(label_selector && { labelSelector: label_selector }),
    ...(field_selector && { fieldSelector: field_selector }),
  };
}
