import { describe, expect, it } from '@jest/globals';
import type { ResourceType, TableRow } from '../../drivers/kubernetes/index.js';
import { RowFormat, TableStore } from '../resources/index.js';
import { PodCounter } from './pod-counts.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;
const YESTERDAY = '2026-11-20T10:00:00Z';

const type: ResourceType = {
  group: '',
  plural: 'pods',
  kind: 'Pod',
  version: 'v1',
  namespaced: true,
  verbs: ['watch'],
  shortNames: [],
  custom: false,
};

class Pods {
  readonly store = new TableStore();
  private readonly counter = new PodCounter({ type, store: this.store, position: -1 });

  constructor() {
    const columns = ['Name', 'Ready', 'Status', 'Restarts'].map((name) => ({
      name,
      type: 'string',
      format: '',
      description: '',
      priority: 0,
    }));
    this.store.replace(new RowFormat(type, columns), []);
  }

  put(name: string, [ready, status, restarts]: [string, string, string], createdAt = YESTERDAY): void {
    const row: TableRow = {
      uid: name,
      namespace: 'shop',
      name,
      createdAt,
      deletedAt: null,
      labels: {},
      owner: null,
      cells: [name, ready, status, restarts],
    };
    this.store.apply([{ type: 'upsert', row }], NOW);
  }

  read(minutes = 0): ReturnType<PodCounter['read']> {
    return this.counter.read(NOW + minutes * MINUTE_MS);
  }
}

describe('PodCounter', () => {
  it('counts ready Pods of those that have not completed', () => {
    const pods = new Pods();
    pods.put('web', ['1/1', 'Running', '0']);
    pods.put('api', ['1/2', 'Running', '0']);
    pods.put('migrate', ['0/1', 'Completed', '0']);
    expect(pods.read()).toEqual({ ready: 1, total: 2, restarts_last_hour: 0 });
  });

  it('counts restarts that it sees, also of a Pod that is deleted, for an hour', () => {
    const pods = new Pods();
    pods.put('web', ['1/1', 'Running', '7 (3d ago)']);
    expect(pods.read().restarts_last_hour).toBe(0);
    pods.put('web', ['0/1', 'CrashLoopBackOff', '9 (2s ago)']);
    expect(pods.read().restarts_last_hour).toBe(2);
    pods.store.apply([{ type: 'remove', uid: 'web' }], NOW);
    expect(pods.read(58)).toEqual({ ready: 0, total: 0, restarts_last_hour: 2 });
    expect(pods.read(61).restarts_last_hour).toBe(0);
  });

  it('counts earlier restarts only as far as they surely were in the last hour', () => {
    const pods = new Pods();
    pods.put('old', ['1/1', 'Running', '5 (12m ago)']);
    pods.put('older', ['1/1', 'Running', '5 (3h ago)']);
    pods.put('new', ['1/1', 'Running', '3 (10m ago)'], '2026-11-21T09:30:00Z');
    expect(pods.read().restarts_last_hour).toBe(4);
  });
});
