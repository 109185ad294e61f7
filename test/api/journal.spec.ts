import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { startApp, startAppAgain, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const OUTSIDE = { kind: 'outside', user: 'outside', id: null, name: null, address: null };

interface DemoState {
  nodes: { name: string; cluster: string; state: string; id: string }[];
}

/** Changes the nodes of the demo as another program would while Slipway does not run. */
function changeNodes(folder: string, change: (nodes: DemoState['nodes']) => DemoState['nodes']): void {
  const file = join(folder, 'demo.json');
  const state = JSON.parse(readFileSync(file, 'utf8')) as DemoState;
  writeFileSync(file, JSON.stringify({ ...state, nodes: change(state.nodes) }));
}

/** When nodes were last saved, in milliseconds since the epoch; 0 if none are. */
function savedAt(folder: string): number {
  const database = new DatabaseSync(join(folder, 'slipway.db'), { readOnly: true });
  try {
    const row = database.prepare('SELECT seen_at FROM seen_nodes').get() as { seen_at: number } | undefined;
    return row?.seen_at ?? 0;
  } finally {
    database.close();
  }
}

describe('journal entries about changes outside Slipway', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { workers: 1 });
    await createCluster(app.client, 'gone');
    await createCluster(app.client, 'kept');
    const ended = Date.now();
    await waitFor(() => savedAt(app.dataDirectory) > ended, 'that the nodes are saved after the last job');
  });

  afterAll(() => app.stop());

  it('record a node that runs out of memory once for a storm of events', async () => {
    const { events } = app.nest.get(DemoWorld);
    for (let number = 0; number < 100; number += 1) {
      events.next({
        action: 'oom',
        container: 'shop-worker',
        cluster: 'shop',
        exitCode: null,
        time: new Date().toISOString(),
      });
    }
    expect(await journalOf(app.client, '?kind=node-out-of-memory')).toEqual([
      {
        id: expect.any(Number),
        time: expect.any(String),
        kind: 'node-out-of-memory',
        cluster: 'shop',
        runtime: 'demo',
        subject: 'shop-worker',
        outcome: 'failed',
        message: 'A process in shop-worker was killed because memory ran out.',
        job_id: null,
        duration_ms: null,
        actor: OUTSIDE,
        group_size: 1,
        group_failed: 1,
        has_diff: false,
      },
    ]);
  });

  it('record what changed while Slipway was not running, one entry per cluster', async () => {
    const again = await startAppAgain(app, {}, (folder) =>
      changeNodes(folder, (nodes) => [
        ...nodes
          .filter(({ cluster }) => cluster !== 'gone')
          .map((node) => (node.name === 'shop-worker' ? { ...node, state: 'exited' } : node)),
        ...nodes
          .filter(({ name }) => name === 'kept-control-plane')
          .map((node) => ({ ...node, name: 'new-control-plane', cluster: 'new', id: 'f'.repeat(64) })),
      ]),
    );
    await waitFor(
      async () => (await journalOf(again.client, '?kind=cluster-changed')).length >= 3,
      'the entries',
    );
    const entries = await journalOf(again.client, '?kind=cluster-changed');
    expect(Object.fromEntries(entries.map(({ cluster, message }) => [cluster, message]))).toEqual({
      gone: 'Deleted while Slipway was not running: gone-control-plane.',
      new: 'Created while Slipway was not running: new-control-plane.',
      shop: 'Changed while Slipway was not running: stopped shop-worker.',
    });
    expect(entries).toHaveLength(3);
    expect(entries.map(({ actor }) => actor)).toEqual([OUTSIDE, OUTSIDE, OUTSIDE]);
    expect(await journalOf(again.client, '?actor=outside&cluster=gone')).toHaveLength(1);
    const third = await startAppAgain(again);
    expect(await journalOf(third.client, '?kind=cluster-changed')).toHaveLength(3);
    await third.stop();
    await again.stop();
  });

  it('record nothing at the first start after an upgrade from a version without saved nodes', async () => {
    const upgraded = await startAppAgain(app, {}, (folder) => {
      const database = new DatabaseSync(join(folder, 'slipway.db'));
      const { user_version: schema } = database.prepare('PRAGMA user_version').get() as {
        user_version: number;
      };
      const columns = {
        journal: ['group_id'],
        forwards: ['origin', 'cluster_uid', 'hosts_json'],
        jobs: ['title', 'message', 'problems_json'],
        sessions: ['token_id', 'scope', 'password_at'],
      };
      database.exec('DROP TABLE journal_diffs; DROP INDEX journal_by_group');
      for (const [table, names] of Object.entries(columns)) {
        for (const name of names) database.exec(`ALTER TABLE ${table} DROP COLUMN ${name}`);
      }
      database.exec(
        `DROP TABLE external_clusters; DROP TABLE seen_nodes; PRAGMA user_version = ${schema - 8}`,
      );
      database.close();
      changeNodes(folder, (nodes) => nodes.filter(({ cluster }) => cluster !== 'gone'));
    });
    await waitFor(() => savedAt(upgraded.dataDirectory) > 0, 'the saved nodes');
    expect(await journalOf(upgraded.client, '?kind=cluster-changed')).toEqual([]);
    // From then on, changes are found.
    const again = await startAppAgain(upgraded, {}, (folder) => changeNodes(folder, () => []));
    await waitFor(
      async () => (await journalOf(again.client, '?kind=cluster-changed')).length === 2,
      'the entries',
    );
    await again.stop();
    await upgraded.stop();
  });
});
