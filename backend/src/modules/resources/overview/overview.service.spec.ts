import { afterEach, describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type {
  ResourceTable,
  ResourceType,
  TableQuery,
  TableRow,
  TableWatch,
  WatchEnding,
} from '../../../drivers/kubernetes/index.js';
import type { ClusterWatcher } from '../../clusters/index.js';
import type { ClusterResources, OpenCluster } from '../common/cluster-resources.js';
import type { UsageReadings } from '../usage/usage-readings.js';
import { TableWatches } from '../watch/table-watches.js';
import { OverviewQueryDto, type Overview } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

function type(plural: string, kind: string): ResourceType {
  const common = { group: '', version: 'v1', namespaced: true, shortNames: [], custom: false };
  return { ...common, plural, kind, verbs: ['list', 'watch'] };
}

function row(name: string): TableRow {
  const none = { namespace: 'shop', createdAt: null, deletedAt: null, labels: {}, owner: null };
  return { ...none, uid: `uid-${name}`, name, cells: [name] };
}

/** An API server with one object of each kind, which counts its lists. */
class CountingApi {
  readonly lists: string[] = [];
  readonly watches: TableWatch[] = [];
  /** Kinds that are listed later. */
  late: readonly string[] = [];
  /** A kind whose second page never comes. */
  long: string | undefined;
  private readonly served = [
    type('configmaps', 'ConfigMap'),
    type('secrets', 'Secret'),
    { ...type('cats', 'Cat'), group: 'cats.example', custom: true },
  ];

  types(): Promise<ResourceType[]> {
    return Promise.resolve(this.served);
  }

  table({ plural }: ResourceType, query: TableQuery): Promise<ResourceTable> {
    this.lists.push(plural);
    if (this.late.includes(plural) || query.continue) return new Promise(() => undefined);
    const column = { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 };
    const more = plural === this.long ? { continue: 'x', remaining: 1000 } : { continue: null, remaining: 0 };
    const page = { ...more, resourceVersion: '1' };
    return Promise.resolve({ columns: [column], rows: [row('first')], ...page });
  }

  watch({ plural }: ResourceType, watch: TableWatch): Promise<WatchEnding> {
    if (plural === 'configmaps') this.watches.push(watch);
    return new Promise((resolve) => watch.signal.addEventListener('abort', () => resolve('closed')));
  }
}

describe('OverviewService', () => {
  const usage = { of: () => Promise.resolve(null) } as unknown as UsageReadings;
  let watches: TableWatches;

  function reader(api: CountingApi, runtime: string): () => Promise<Overview> {
    const cluster = { name: 'staging', runtime, kubernetes_version: 'v1.34.4' };
    const open = { cluster, api } as unknown as OpenCluster;
    watches = new TableWatches(
      { open: () => Promise.resolve(open) } as unknown as ClusterResources,
      usage,
      { changes: NEVER } as unknown as ClusterWatcher,
      AppLogger.create(readConfiguration({ APP_LOG_LEVEL: 'fatal' })),
    );
    const service = new OverviewService(usage, watches);
    return async () => JSON.parse(await service.read(open, new OverviewQueryDto())) as Overview;
  }

  afterEach(() => watches.onApplicationShutdown());

  it('lists each kind once for all readers, and shows a change as soon as the watch reports it', async () => {
    const api = new CountingApi();
    const read = reader(api, 'docker');
    const overviews = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(overviews.map(({ ['k8s_configmaps']: block }) => block?.total)).toEqual(Array(50).fill(1));
    expect((await read()).taken_at).toBe((await read()).taken_at);
    expect(api.lists.sort()).toEqual(['cats', 'configmaps', 'secrets']);
    api.watches[0]?.onChanges([{ type: 'upsert', row: row('second') }], '2');
    expect((await read())['k8s_configmaps']?.total).toBe(2);
    expect(api.lists).toHaveLength(3);
  });

  it('waits for the first pages of the most important kinds of an external cluster', async () => {
    const api = new CountingApi();
    api.late = ['cats', 'secrets'];
    api.long = 'configmaps';
    const overview = await reader(api, 'kubeconfig')();
    expect(overview['k8s_configmaps']).toMatchObject({
      total: 1001,
      rows: [{ name: 'first' }],
      health: null,
    });
    expect(overview).not.toHaveProperty('k8s_secrets');
    expect(overview).not.toHaveProperty(['k8s_cats.cats.example']);
  });
});
