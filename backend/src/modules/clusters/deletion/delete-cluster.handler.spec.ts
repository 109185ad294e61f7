import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import type { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import type { JobContext } from '../../jobs/index.js';
import type { ClusterHooks } from '../inventory/cluster-hooks.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { parseMeta } from '../inventory/cluster-meta.js';
import { ClusterRemoval } from './cluster-removal.js';
import { DeleteClusterHandler } from './delete-cluster.handler.js';
import { FakeJobObjects } from '../../../../../test/support/jobs/fake-job-objects.js';

describe('DeleteClusterHandler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-delete-'));
  let runtime: FakeRuntime;
  let store: ClusterStore;
  let handler: DeleteClusterHandler;
  let objects: FakeJobObjects;
  let undone: string[];

  beforeEach(() => {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    store = new ClusterStore(
      DataDirectory.open(configuration),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    runtime = new FakeRuntime();
    objects = new FakeJobObjects();
    undone = [];
    runtime.nodes = [runningNode('c-control-plane')];
    const hooks = {
      beforeRemoval: () => Promise.resolve(),
      afterRemoval: () => Promise.resolve(),
    } as unknown as ClusterHooks;
    handler = new DeleteClusterHandler(
      new FakeRegistry([runtime]),
      { for: () => ({ forget: () => undefined }) } as unknown as GatewaySelector,
      store,
      new ClusterRemoval(hooks),
      hooks,
    );
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function failedCreation(nodesBegun: boolean): Promise<void> {
    const meta = parseMeta(
      JSON.stringify({ name: 'c', runtime: runtime.id, creation: 'failed', nodes_begun: nodesBegun }),
    );
    if (!meta) throw new Error('not a meta');
    await store.writeConfig(meta, 'kind: Cluster\n');
    await store.writeMeta(meta);
  }

  async function run(): Promise<void> {
    const context = {
      objects,
      signal: new AbortController().signal,
      log: () => undefined,
      result: () => undefined,
      undone: (sentence: string) => undone.push(sentence),
      tracking: () => ({}),
    } as unknown as JobContext;
    for (const stage of handler.plan({ name: 'c', runtime: runtime.id })) await stage.run(context);
  }

  it('removes nodes and files of a failed creation', async () => {
    await failedCreation(true);
    await run();
    expect(runtime.nodes).toEqual([]);
    expect(await store.read({ name: 'c', runtime: runtime.id })).toBeUndefined();
  });

  it('keeps nodes of another program with the name of a creation that created no nodes', async () => {
    await failedCreation(false);
    await run();
    expect(runtime.nodes.map(({ name }) => name)).toEqual(['c-control-plane']);
    expect(await store.read({ name: 'c', runtime: runtime.id })).toBeUndefined();
  });

  describe('recover', () => {
    const own = runningNode('c-control-plane');
    const other = runningNode('c-worker', { id: 'of-another-program' });

    const recover = async (files: string): Promise<boolean> => {
      const context = {
        objects,
        job: { steps: [{ name: 'removing-files', state: files }] },
        signal: new AbortController().signal,
        log: () => undefined,
        undone: (sentence: string) => undone.push(sentence),
      } as unknown as JobContext;
      return await handler.recover({ name: 'c', runtime: runtime.id }, context);
    };

    it('removes recorded objects, and keeps a newer cluster with the same name', async () => {
      await failedCreation(true);
      objects.record('delete', [{ type: 'container', id: own.id, node: own.name }]);
      runtime.nodes = [own, other];
      expect(await recover('pending')).toBe(true);
      expect(runtime.nodes).toEqual([other]);
      expect(undone).toEqual([
        'Not removed: container c-worker (of-another-p) did not exist when the removal started.',
      ]);
    });

    it('removes nothing if the removal had not started', async () => {
      await failedCreation(true);
      expect(await recover('pending')).toBe(false);
      expect([runtime.removed, await store.read({ name: 'c', runtime: runtime.id })]).toEqual([
        [],
        expect.objectContaining({ name: 'c' }),
      ]);
    });
  });
});
