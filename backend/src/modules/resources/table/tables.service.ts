import { Injectable } from '@nestjs/common';
import type { ResourceType, TypeName } from '../../../drivers/kubernetes/index.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { presentType } from '../common/present-type.js';
import type { ResourceTableDto } from '../common/resource.dto.js';
import { isMeasured, type UsageReading, UsageReadings } from '../usage/usage-readings.js';
import { TableWatches } from '../watch/table-watches.js';
import { keyOf, listRows, type PrintedRow, type RowFormat } from '../watch/printed-row.js';
import { readPageToken, writePageToken } from './page-token.js';
import type { TableQueryDto } from './table.dto.js';

const MAX_SEARCHED = 20_000;

/** Requests must finish within 5 s. */
const LOAD_TIMEOUT_MS = 4000;

interface Page extends Pick<ResourceTableDto, 'total' | 'continue' | 'position'> {
  format: RowFormat;
  rows: PrintedRow[];
}

type Query = Pick<
  TableQueryDto,
  'limit' | 'namespace' | 'label_selector' | 'field_selector' | 'search' | 'continue'
>;

@Injectable()
export class TablesService {
  constructor(
    private readonly usage: UsageReadings,
    private readonly watches: TableWatches,
  ) {}

  /** @throws DomainError as `ResourceApi.table` */
  async page(cluster: OpenCluster, name: TypeName, query: TableQueryDto): Promise<ResourceTableDto> {
    const type = await cluster.api.type(name);
    const usage = isMeasured(type) ? this.usage.of(cluster) : Promise.resolve(null);
    // Only the API server can evaluate selectors.
    const isSelected = Boolean(query.label_selector ?? query.field_selector);
    const [{ format, rows, ...page }, measured] = await Promise.all([
      isSelected ? this.selected(cluster, type, query) : this.watched(cluster, type, query, usage),
      usage,
    ]);
    const now = Date.now();
    return {
      ...page,
      type: presentType(type),
      columns: format.shownColumns,
      rows: rows.map((row) => format.present(row, now, measured)),
      usage: measured !== null,
    };
  }

  /** The next page, and the next letter of a search, follow soon and use the same rows. */
  private async watched(
    { cluster }: OpenCluster,
    type: ResourceType,
    query: Query,
    usage: Promise<UsageReading | null>,
  ): Promise<Page> {
    const lease = this.watches.acquire(cluster, type);
    const { store } = lease;
    try {
      const isFiltered = Boolean(query.search) || (type.namespaced && query.namespace !== undefined);
      await this.watches.loaded(
        lease,
        LOAD_TIMEOUT_MS,
        ({ isListed }) =>
          isListed ||
          (!isFiltered && placeAfter(store.inOrder(), query.continue) + query.limit < store.total),
      );
      if (!store.format) throw new Error('the table was loaded without columns');
      // Otherwise each row with usage would be a change after this page.
      if (isMeasured(type)) store.measure(await usage);
      const page = pageOf(store.format, store.inOrder(), query);
      if (store.isListed) return { ...page, position: store.written() };
      const total = store.remaining === null ? null : store.total + store.remaining;
      return { ...page, total, position: store.written() };
    } finally {
      lease.release();
    }
  }

  private async selected({ api, cluster }: OpenCluster, type: ResourceType, query: Query): Promise<Page> {
    const { format, rows } = await listRows(api, type, MAX_SEARCHED, selection(type, query));
    const judged = rows.map((row) => ({
      ...row,
      health: this.watches.healthOf(cluster, type, row.row, row.printedHealth),
    }));
    return { ...pageOf(format, judged, query), position: null };
  }
}

function pageOf(
  format: RowFormat,
  rows: readonly PrintedRow[],
  { namespace, search, limit, continue: token }: Query,
): Omit<Page, 'position'> {
  const part = (search ?? '').toLowerCase();
  const found = rows.filter(
    ({ row }) => isIn(namespace, format.type, row.namespace) && row.name.toLowerCase().includes(part),
  );
  const begin = placeAfter(found, token);
  const page = found.slice(begin, begin + limit);
  const last = page.at(-1);
  const isEnd = !last || begin + limit >= found.length;
  return {
    format,
    rows: page,
    total: found.length,
    continue: isEnd ? null : writePageToken(keyOf(last.row)),
  };
}

/** Index after the row of a page token, which may have been deleted. */
function placeAfter(rows: readonly PrintedRow[], token: string | undefined): number {
  if (token === undefined) return 0;
  const after = readPageToken(token);
  const place = rows.findIndex(({ row }) => keyOf(row) === after);
  if (place !== -1) return place + 1;
  const next = rows.findIndex(({ row }) => keyOf(row) > after);
  return next === -1 ? rows.length : next;
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
