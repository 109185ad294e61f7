import { describe, expect, it } from '@jest/globals';
import type { ResourceType, TableRow } from '../../drivers/kubernetes/index.js';
import { RowFormat, TableStore } from '../resources/index.js';
import { Suspects, type FollowedTable } from './suspects.js';
import { WATCHED } from './workloads.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['Name', 'Ready', 'Status', 'Restarts'],
  ReplicaSet: ['Name', 'Desired', 'Current', 'Ready'],
  Event: ['Type', 'Object'],
  Namespace: ['Name', 'Status'],
};

class Cluster {
  readonly tables = ['ReplicaSet', 'Pod', 'Namespace'].map((kind) => tableOf(kind));
  readonly events = tableOf('Event');
  readonly suspects = new Suspects(this.tables, this.events);

  put(kind: string, name: string, cells: string[], more: Partial<TableRow> = {}): void {
    const row = { ...rowOf(name), cells, ...more };
    this.storeOf(kind).apply([{ type: 'upsert', row }], NOW);
  }

  remove(kind: string, name: string): void {
    this.storeOf(kind).apply([{ type: 'remove', uid: name }], NOW);
  }

  /** The workloads to check after the last changes. */
  read(): string[] {
    return [...this.suspects.read(NOW).keys()];
  }

  private storeOf(kind: string): TableStore {
    const table = [...this.tables, this.events].find(({ type }) => type.kind === kind);
    if (!table) throw new Error(`${kind} is not watched`);
    return table.store;
  }
}

function tableOf(kind: string): FollowedTable {
  const { group, plural } = WATCHED[kind] ?? { group: '', plural: 'events' };
  const type: ResourceType = {
    group,
    plural,
    kind,
    version: 'v1',
    namespaced: true,
    verbs: ['watch'],
    shortNames: [],
    custom: false,
  };
  const columns = (COLUMNS[kind] ?? []).map((name) => ({
    name,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
  }));
  const store = new TableStore();
  store.replace(new RowFormat(type, columns), []);
  return { type, store, position: -1 };
}

function rowOf(name: string): TableRow {
  return {
    uid: name,
    namespace: 'shop',
    name,
    createdAt: null,
    deletedAt: null,
    labels: {},
    owner: null,
    cells: [],
  };
}

describe('Suspects', () => {
  const bySet = { owner: { kind: 'ReplicaSet', name: 'web-5d' } };
  const start = (): Cluster => {
    const cluster = new Cluster();
    const owner = { kind: 'Deployment', name: 'web' };
    cluster.put('ReplicaSet', 'web-5d', ['web-5d', '2', '2', '2'], { owner });
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '1/1', 'Running', '0'], bySet);
    cluster.put('Pod', 'web-5d-b', ['web-5d-b', '1/1', 'Running', '0'], bySet);
    return cluster;
  };
  const WEB = 'deployments.apps shop/web';

  it('has none while all works, and the workload once when its Pods fail', () => {
    const cluster = start();
    expect(cluster.read()).toEqual([]);
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '0/1', 'CrashLoopBackOff', '3'], bySet);
    cluster.put('Pod', 'web-5d-b', ['web-5d-b', '0/1', 'Error', '1'], bySet);
    expect(cluster.read()).toEqual([WEB]);
    expect(cluster.suspects.groups.get(WEB)).toMatchObject({
      isUrgent: true,
      subject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      rows: [{ name: 'web-5d-a' }, { name: 'web-5d-b' }],
    });
    expect(cluster.read()).toEqual([]);
  });

  it('reports the workload again when its Pods recover or are removed', () => {
    const cluster = start();
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '0/1', 'Error', '1'], bySet);
    cluster.put('Pod', 'web-5d-b', ['web-5d-b', '0/1', 'Error', '1'], bySet);
    cluster.read();
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '1/1', 'Running', '1 (2m ago)'], bySet);
    expect(cluster.read()).toEqual([WEB]);
    cluster.remove('Pod', 'web-5d-b');
    expect(cluster.read()).toEqual([WEB]);
    expect(cluster.suspects.groups.size).toBe(0);
  });

  it('is not urgent while Pods start, until a Warning event is about one', () => {
    const cluster = start();
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '0/1', 'ContainerCreating', '0'], bySet);
    expect(cluster.read()).toEqual([WEB]);
    expect(cluster.suspects.groups.get(WEB)?.isUrgent).toBe(false);
    cluster.put('Event', 'other.1', ['Warning', 'pod/other']);
    expect(cluster.read()).toEqual([]);
    cluster.put('Event', 'web.1', ['Warning', 'pod/web-5d-a']);
    expect([...cluster.suspects.read(NOW)]).toEqual([[WEB, { byEvent: true }]]);
  });

  it('suspects a Pod that has just been restarted, although it is ready', () => {
    const cluster = start();
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '1/1', 'Running', '3 (5s ago)'], bySet);
    expect(cluster.read()).toEqual([WEB]);
  });

  it('reads nothing again if only the judgement of a row has changed', () => {
    const cluster = start();
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '0/1', 'Pending', '0'], bySet);
    cluster.read();
    const pods = cluster.tables[1]?.store;
    pods?.judge(new Set(['shop/web-5d-a']));
    expect(pods?.inOrder().map(({ health }) => health)).toEqual(['warning', 'ok']);
    expect(pods?.health).toMatchObject({ ok: 1, warning: 1, progressing: 0 });
    expect(cluster.read()).toEqual([]);
    pods?.judge(new Set());
    expect(pods?.inOrder().map(({ health }) => health)).toEqual(['progressing', 'ok']);
  });

  it('leaves out what is in a Namespace that is being deleted', () => {
    const cluster = start();
    cluster.put('Namespace', 'shop', ['shop', 'Terminating'], {
      namespace: null,
      deletedAt: '2026-11-21T09:59:59Z',
    });
    cluster.put('Pod', 'web-5d-a', ['web-5d-a', '0/1', 'Error', '1'], bySet);
    cluster.read();
    expect([...cluster.suspects.groups.keys()]).toEqual(['namespaces. /shop']);
  });
});
