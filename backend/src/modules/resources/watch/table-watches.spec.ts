import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { readConfiguration } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type {
  ResourceTable,
  ResourceType,
  TableQuery,
  TableRow,
  TableWatch,
  TypeName,
  WatchEnding,
} from '../../../drivers/kubernetes/index.js';
import type { ClusterWatcher } from '../../clusters/index.js';
import type { ClusterResources, OpenCluster } from '../common/cluster-resources.js';
import { UsageReading, type UsageReadings } from '../usage/usage-readings.js';
import { TableFeed } from './table-feed.js';
import { TableStore } from './table-store.js';
import { TableWatches } from './table-watches.js';

const PODS: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
  verbs: ['list', 'watch'],
  shortNames: [],
  custom: false,
};
const CLUSTER = { name: 'staging', runtime: 'demo' };

function pod(name: string, status = 'Running'): TableRow {
  return {
    uid: `uid-${name}`,
    namespace: 'shop',
    name,
    createdAt: null,
    deletedAt: null,
    labels: {},
    owner: null,
    cells: [name, '1/1', status],
  };
}

/** An API server with pods: lists them, and lets the test speak on its watches. Anything else is refused. */
class FakeApi {
  readonly pods = new Map<string, TableRow>();
  version = 1;
  lists = 0;
  failure: Error | undefined;
  readonly watches: {
    from: string;
    watch: TableWatch;
    end: (ending: WatchEnding) => void;
    break: (error: Error) => void;
  }[] = [];

  put(row: TableRow): void {
    this.pods.set(row.uid, row);
    this.version += 1;
    this.last.watch.onChanges([{ type: 'upsert', row }], String(this.version));
  }

  remove(uid: string): void {
    this.pods.delete(uid);
    this.version += 1;
    this.last.watch.onChanges([{ type: 'remove', uid }], String(this.version));
  }

  get last(): FakeApi['watches'][number] {
    const watch = this.watches.at(-1);
    if (!watch) throw new Error('no watch is open');
    return watch;
  }

  get open(): number {
    return this.watches.filter(({ watch }) => !watch.signal.aborted).length;
  }

  table(
    type: TypeName,
    { continue: token = '0', limit = Infinity }: TableQuery = {},
  ): Promise<ResourceTable> {
    if (type.plural !== 'pods') throw new Error('only pods are served');
    if (this.failure) return Promise.reject(this.failure);
    if (token === '0') this.lists += 1;
    const rows = [...this.pods.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    const begin = Number(token);
    const end = begin + limit;
    return Promise.resolve({
      columns: ['Name', 'Ready', 'Status'].map((name) => ({
        name,
        type: 'string',
        format: '',
        description: '',
        priority: 0,
      })),
      rows: rows.slice(begin, end),
      continue: end < rows.length ? String(end) : null,
      remaining: Math.max(0, rows.length - end),
      resourceVersion: String(this.version),
    });
  }

  async watch(_type: TypeName, watch: TableWatch): Promise<WatchEnding> {
    if (Number(watch.resourceVersion) > this.version) throw new Error('that version never was');
    return await new Promise((resolve, reject) => {
      watch.signal.addEventListener('abort', () => resolve('closed'));
      this.watches.push({ from: watch.resourceVersion, watch, end: resolve, break: reject });
    });
  }
}

describe('TableWatches', () => {
  let api: FakeApi;
  let opened: () => Promise<OpenCluster>;
  let watches: TableWatches;
  let reading: UsageReading | null;
  const changes = new Subject<void>();

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    api = new FakeApi();
    reading = null;
    opened = () => Promise.resolve({ cluster: CLUSTER, api } as unknown as OpenCluster);
    watches = new TableWatches(
      {
        open: () => opened(),
        running: () => opened().then(({ cluster }) => [cluster]),
      } as unknown as ClusterResources,
      { of: () => Promise.resolve(reading) } as unknown as UsageReadings,
      { changes } as unknown as ClusterWatcher,
      AppLogger.create(readConfiguration({ APP_LOG_LEVEL: 'fatal' })),
    );
    watches.onApplicationBootstrap();
    for (const name of ['web-0', 'web-1']) api.pods.set(`uid-${name}`, pod(name));
  });

  afterEach(() => {
    watches.onApplicationShutdown();
    jest.useRealTimers();
  });

  const later = async (milliseconds: number): Promise<void> => {
    await jest.advanceTimersByTimeAsync(milliseconds);
  };

  it('shares a watch among viewers, and ends it 30 s after the last one', async () => {
    const one = watches.acquire(CLUSTER, PODS);
    const other = watches.acquire(CLUSTER, PODS);
    await later(0);
    expect(other.store).toBe(one.store);
    expect([api.lists, api.open]).toEqual([1, 1]);
    one.release();
    one.release();
    await later(60_000);
    expect(api.open).toBe(1);
    other.release();
    await later(29_000);
    expect(api.open).toBe(1);
    // A look in passing keeps it for as long again.
    expect(watches.ready(CLUSTER, PODS)?.total).toBe(2);
    await later(29_000);
    expect(api.open).toBe(1);
    await later(1000);
    expect(api.open).toBe(0);
    expect(watches.ready(CLUSTER, PODS)).toBeUndefined();
    expect(api.lists).toBe(1);
  });

  it('applies changes', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    expect(api.last.from).toBe('1');
    api.put(pod('web-2', 'CrashLoopBackOff'));
    api.remove('uid-web-0');
    expect(store.inOrder().map(({ row }) => row.name)).toEqual(['web-1', 'web-2']);
    expect(store.health).toMatchObject({ ok: 1, failed: 1 });
  });

  it('resumes a closed watch without a new list', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    api.put(pod('web-2'));
    await later(300_000);
    api.last.end('closed');
    await later(0);
    expect([api.lists, api.watches.length, api.last.from]).toEqual([1, 2, '2']);
    api.put(pod('web-3'));
    expect(store.total).toBe(4);
  });

  it('lists again if the version has expired', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    const feed = new TableFeed(store, store.written());
    api.pods.delete('uid-web-0');
    api.pods.set('uid-web-9', pod('web-9'));
    api.version = 50;
    await later(300_000);
    api.last.end('expired');
    await later(0);
    expect([api.lists, api.last.from]).toEqual([2, '50']);
    expect(feed.next()).toMatchObject({
      reset: false,
      upserts: [{ name: 'web-9' }],
      removed: ['uid-web-0'],
      total: 2,
    });
    expect(feed.next()).toBeNull();
  });

  it('pauses if watches end at once', async () => {
    watches.acquire(CLUSTER, PODS);
    await later(0);
    for (let round = 0; round < 5; round += 1) {
      api.last.end('closed');
      await later(100);
    }
    expect(api.watches).toHaveLength(1);
    await later(1000);
    expect(api.watches).toHaveLength(2);
  });

  it('reconnects with backoff, and reports the error', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    api.failure = new DomainError('cluster_unreachable', 'staging does not answer.');
    api.last.break(new Error('ECONNRESET'));
    await later(499);
    expect(store.error).toBeNull();
    await later(1);
    expect(store.error).toEqual({ code: 'cluster_unreachable', message: 'staging does not answer.' });
    expect(watches.ready(CLUSTER, PODS)).toBeUndefined();
    const refused = jest.spyOn(api, 'table');
    await later(60_000);
    expect(refused.mock.calls.length).toBeLessThanOrEqual(7);
    api.failure = undefined;
    await later(30_000);
    expect(store.error).toBeNull();
    expect(store.total).toBe(2);
  });

  it('reports a stopped cluster at once, and continues after its start', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    const feed = new TableFeed(store, store.written());
    const running = opened;
    opened = () => Promise.reject(new DomainError('cluster_state', 'staging is stopped.'));
    changes.next();
    await later(0);
    expect(feed.next()).toMatchObject({ upserts: [], removed: [], error: { code: 'cluster_state' } });
    expect(feed.next()).toBeNull();
    await later(120_000);
    opened = running;
    changes.next();
    await later(0);
    expect(feed.next()).toMatchObject({ error: null });
    expect(api.open).toBe(1);
  });

  it('polls kinds that cannot be watched', async () => {
    const { store } = watches.acquire(CLUSTER, { ...PODS, verbs: ['list'] });
    await later(0);
    api.pods.set('uid-web-5', pod('web-5'));
    await later(30_000);
    expect([api.watches.length, store.total]).toEqual([0, 3]);
  });

  it('updates rows whose usage changed', async () => {
    const { store } = watches.acquire(CLUSTER, PODS);
    await later(0);
    const feed = new TableFeed(store, store.written());
    reading = new UsageReading({
      pods: [{ namespace: 'shop', name: 'web-1', cpuMillicores: 5, memoryBytes: 7, containers: [] }],
      nodes: [],
    });
    await later(15_000);
    expect(feed.next()?.upserts).toMatchObject([{ name: 'web-1', cpu_millicores: 5, memory_bytes: 7 }]);
  });

  it('waits for the first list, and throws its error', async () => {
    const lease = watches.acquire(CLUSTER, PODS);
    const loaded = watches.loaded(lease, 1000);
    await later(20);
    await expect(loaded).resolves.toBeUndefined();
    opened = () => Promise.reject(new DomainError('cluster_state', 'staging is stopped.'));
    const refused = expect(watches.loaded(watches.acquire({ ...CLUSTER, name: 'b' }, PODS), 1000)).rejects;
    const outcome = refused.toMatchObject({ code: 'cluster_state' });
    await later(20);
    await outcome;
  });

  it('has the first page of a table before the others, and no changes of the list', async () => {
    for (let index = 0; index < 1200; index += 1) api.pods.set(`uid-${index}`, pod(`a-${1000 + index}`));
    const table = api.table.bind(api);
    jest.spyOn(api, 'table').mockImplementation(async (type, query) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return await table(type, query);
    });
    const lease = watches.acquire(CLUSTER, PODS);
    const { store } = lease;
    const first = watches.loaded(lease, 1000, ({ total }) => total >= 500);
    await later(100);
    await first;
    expect([store.isListed, store.total, store.remaining]).toEqual([false, 500, 702]);
    const feed = new TableFeed(store, store.written());
    await later(200);
    expect([store.total, feed.next()]).toEqual([1202, null]);
  });

  describe('TableFeed', () => {
    it('sends a row once that changes between its page and the subscription', async () => {
      const { store } = watches.acquire(CLUSTER, PODS);
      await later(0);
      const after = store.written();
      api.put(pod('web-0', 'Error'));
      api.put(pod('web-0', 'CrashLoopBackOff'));
      const feed = new TableFeed(store, after);
      expect(feed.next()).toMatchObject({
        upserts: [{ name: 'web-0', cells: ['web-0', '1/1', 'CrashLoopBackOff'] }],
        reset: false,
        position: store.written(),
      });
      expect(feed.next()).toBeNull();
    });

    it('sends many changes in parts', async () => {
      const { store } = watches.acquire(CLUSTER, PODS);
      await later(0);
      const feed = new TableFeed(store, store.written());
      for (let index = 0; index < 600; index += 1) api.put(pod(`many-${index}`));
      const frames = [feed.next(), feed.next(), feed.next()];
      expect(frames.map((frame) => frame?.upserts.length)).toEqual([500, 100, undefined]);
    });

    it.each<[string, (store: TableStore) => string | undefined]>([
      ['no position', () => undefined],
      ['the position of another table', () => new TableStore().written()],
      ['a position that is not one', (store) => `${store.written()}x`],
      ['a position of the future', (store) => store.written(store.position + 1)],
    ])('asks a viewer with %s to read the table', async (_, positionIn) => {
      const { store } = watches.acquire(CLUSTER, PODS);
      await later(0);
      const feed = new TableFeed(store, positionIn(store));
      expect(feed.next()).toMatchObject({ reset: true, upserts: [], total: 2, position: store.written() });
      api.put(pod('web-2'));
      expect(feed.next()).toMatchObject({ reset: false, upserts: [{ name: 'web-2' }] });
    });

    it('asks a viewer that is too slow to read the table again', async () => {
      const { store } = watches.acquire(CLUSTER, PODS);
      await later(0);
      const feed = new TableFeed(store, store.written());
      for (let index = 0; index <= 20_000; index += 1) api.put(pod('web-0', index % 2 ? 'Running' : 'Error'));
      expect(feed.next()).toMatchObject({ reset: true, total: 2 });
      expect(feed.next()).toBeNull();
    });
  });
});
