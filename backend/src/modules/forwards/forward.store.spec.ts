import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../core/storage/index.js';
import { migrations } from '../../core/storage/migrations.js';
import { ForwardStore } from './forward.store.js';

/** The schema of Slipway 0.3, whose port-forwards had no origin. */
const SCHEMA_0_3 = 14;
const OLD = {
  id: 'f1',
  runtime: 'docker',
  cluster: 'shop',
  plural: 'services',
  namespace: 'default',
  object: 'web',
  port: '80',
  protocol: 'http',
  local_port: 8081,
  created_at: '2026-01-01T00:00:00.000Z',
};

describe('ForwardStore', () => {
  let folder: string;
  const open = (known = migrations): Database => Database.open(join(folder, 'slipway.db'), known);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-forwards-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives a port-forward of an earlier version an origin, and keeps it', () => {
    const before = open(migrations.slice(0, SCHEMA_0_3));
    before.insert('forwards', OLD);
    before.close();
    const database = open();
    const [first] = new ForwardStore(database).all();
    expect(first).toMatchObject({ id: 'f1', origin: 'f1', localPort: 8081, clusterUid: null, hosts: [] });
    expect(new ForwardStore(database).all()).toEqual([first]);
    database.close();
  });

  it('keeps what changes', () => {
    const database = open();
    const store = new ForwardStore(database);
    database.insert('forwards', { ...OLD, origin: 'before', cluster_uid: null, hosts_json: '[]' });
    const [stored] = store.all();
    if (!stored) throw new Error('it was not stored');
    const changed = { ...stored, origin: 'after', clusterUid: 'u1', hosts: ['shop.example'] };
    store.update(changed);
    expect(store.all()).toEqual([changed]);
    database.close();
  });
});
