import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import type { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import type { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import type { Job, JobConclusion, JobContext, JobStage } from '../../jobs/index.js';
import type { ClusterHooks } from '../inventory/cluster-hooks.js';
import { type ClusterMeta, parseMeta } from '../inventory/cluster-meta.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ClusterRemoval } from '../deletion/cluster-removal.js';
import { CreationRecord } from '../creation/creation-record.js';
import type { CreationChecks } from '../creation/creation-checks.js';
import { CreationStages } from '../creation/creation-stages.js';
import { ReadinessWait } from '../creation/readiness-wait.js';
import { RecreateClusterHandler, type RecreationInput } from './recreate-cluster.handler.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';
import { FakeJobObjects } from '../../../../../test/support/jobs/fake-job-objects.js';

const KEY = { name: 'c', runtime: 'docker' };
const KUBECONFIG = testKubeconfig({ name: 'of-the-nodes-before' });
const UNCHANGED = 'The cluster is unchanged.';
const OLD = [runningNode('c-control-plane'), runningNode('c-worker')];
const INPUT: RecreationInput = {
  ...KEY,
  shape: { controlPlanes: 1, workers: 2, withoutDefaultNetwork: false },
  imagesPresent: true,
  keepOnFailure: false,
  version: 'v1.34.4',
  replaced: OLD.map(({ id, state }) => ({ id, state })),
  losses: 'Lost with the old nodes: 2 containers.',
};

/** The objects of a job that recorded the old nodes. */
function oldRecorded(): FakeJobObjects {
  const objects = new FakeJobObjects();
  objects.record(
    'delete',
    OLD.map(({ id, name }) => ({ type: 'container', id, node: name })),
  );
  return objects;
}

describe('RecreateClusterHandler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-recreation-'));
  let runtime: FakeRuntime;
  let store: ClusterStore;
  let recreation: RecreateClusterHandler;
  let objects: FakeJobObjects;
  let undone: string[];

  beforeEach(async () => {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    store = new ClusterStore(
      DataDirectory.open(configuration),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    runtime = new FakeRuntime();
    runtime.nodes = [...OLD, runningNode('other-control-plane', { cluster: 'other' })];
    objects = oldRecorded();
    undone = [];
    const provisioner = {
      steps: () => [{ name: 'preparing-nodes', title: 'Preparing nodes', weight: 1 }],
    };
    const provisioners = { for: () => provisioner } as unknown as ProvisionerSelector;
    const gateways = { for: () => ({ forget: () => undefined }) } as unknown as GatewaySelector;
    const hooks = { beforeRemoval: () => Promise.resolve() } as unknown as ClusterHooks;
    const registry = new FakeRegistry([runtime]);
    const removal = new ClusterRemoval(hooks);
    const stages = new CreationStages(
      registry,
      provisioners,
      gateways,
      store,
      // No test runs the stage that checks.
      {} as CreationChecks,
      removal,
      hooks,
      new ReadinessWait(gateways),
    );
    recreation = new RecreateClusterHandler(
      registry,
      gateways,
      store,
      removal,
      stages,
      new CreationRecord(store, stages),
    );
    const meta = parseMeta(JSON.stringify({ ...KEY, creation: 'created', config_changed: true }));
    if (meta) await store.writeMeta(meta);
    await store.writeKubeconfig(KEY, KUBECONFIG);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const jobAt = (removal: string, nodes = 'pending'): Job =>
    ({
      id: 7,
      error: null,
      result: null,
      steps: [
        { name: 'removing-old-nodes', state: removal },
        { name: 'preparing-nodes', state: nodes },
      ],
    }) as unknown as Job;

  const context = (job: Job): JobContext =>
    ({
      job,
      objects,
      signal: new AbortController().signal,
      log: () => undefined,
      result: () => undefined,
      tracking: () => ({}),
      undone: (sentence: string) => undone.push(sentence),
    }) as unknown as JobContext;

  const removalStage = (): Required<Pick<JobStage, 'run' | 'undo'>> => {
    const stage = recreation
      .plan(INPUT)
      .find(({ steps }) => steps.some(({ name }) => name === 'removing-old-nodes'));
    if (!stage?.undo) throw new Error('the removal cannot be undone');
    return { run: stage.run, undo: stage.undo };
  };

  const conclude = async (job: Job, outcome: JobConclusion['outcome']): Promise<ClusterMeta | undefined> => {
    const step = 'Removing the old nodes';
    const conclusion = { job, log: () => [], outcome, step, undone, reason: null, completed: false };
    await recreation.conclude(INPUT, conclusion);
    return await store.read(KEY);
  };

  const containers = (): string[] => runtime.nodes.map(({ name }) => name);

  describe('recover', () => {
    it('changes nothing after a crash before the removal', async () => {
      const job = jobAt('pending');
      expect(await recreation.recover(INPUT, context(job))).toBe(false);
      expect([runtime.removed, containers().length]).toEqual([[], 3]);
      expect(await conclude(job, 'interrupted')).toMatchObject({ creation: 'created', config_changed: true });
      expect(await store.readKubeconfig(KEY)).toEqual(KUBECONFIG);
    });

    it('keeps the cluster after a crash during the removal if all nodes still exist', async () => {
      const job = jobAt('cancelled');
      expect(await recreation.recover(INPUT, context(job))).toBe(false);
      expect([runtime.removed, containers().length, undone]).toEqual([[], 3, [UNCHANGED]]);
      expect(await conclude(job, 'interrupted')).toMatchObject({ creation: 'created', config_changed: true });
      expect(await store.readKubeconfig(KEY)).toEqual(KUBECONFIG);
    });

    it.each<[string, NodeContainer[], string]>([
      ['a node no longer exists', OLD.slice(0, 1), 'Removed 1 container and 1 volume.'],
      [
        'a node was stopped',
        [runningNode('c-control-plane'), runningNode('c-worker', { state: 'exited' })],
        'Removed 2 containers and 2 volumes.',
      ],
      ['no node exists', [], 'Nothing was left to remove.'],
    ])('removes the rest after a crash during the removal if %s', async (_, left, sentence) => {
      runtime.nodes = [...left, runningNode('other-control-plane', { cluster: 'other' })];
      const job = jobAt('cancelled');
      expect(await recreation.recover(INPUT, context(job))).toBe(false);
      expect([containers(), undone]).toEqual([['other-control-plane'], [sentence]]);
      expect(await conclude(job, 'interrupted')).toMatchObject({
        creation: 'failed',
        creation_reason: 'interrupted by a restart of Slipway at Removing the old nodes',
        nodes_begun: false,
        config_changed: true,
      });
      expect(await store.readKubeconfig(KEY)).toBeUndefined();
    });

    it('removes new nodes only after a crash while kind was running', async () => {
      const made = runningNode('c-control-plane', { id: 'new' });
      runtime.nodes = [made, runningNode('other-control-plane', { cluster: 'other' })];
      objects.record('create', [{ type: 'container', id: 'new', node: made.name }]);
      expect(await recreation.recover(INPUT, context(jobAt('succeeded')))).toBe(false);
      expect(runtime.removed).toEqual([]);
      expect(await recreation.recover(INPUT, context(jobAt('succeeded', 'cancelled')))).toBe(false);
      expect([runtime.removed, containers()]).toEqual([['new'], ['other-control-plane']]);
    });

    it('keeps nodes of a newer cluster with the same name', async () => {
      runtime.nodes = [OLD[0], runningNode('c-worker', { id: 'of-another-program' })].filter(
        (node) => !!node,
      );
      expect(await recreation.recover(INPUT, context(jobAt('cancelled')))).toBe(false);
      expect([runtime.removed, containers()]).toEqual([[OLD[0]?.id], ['c-worker']]);
      expect(undone.join(' ')).toContain('Not removed: container c-worker (of-another-p)');
    });
  });

  describe('removal', () => {
    it('keeps the kubeconfig until the nodes are removed', async () => {
      const seen: unknown[] = [];
      const remove = runtime.removeObjects.bind(runtime);
      runtime.removeObjects = async (found) => {
        seen.push(await store.readKubeconfig(KEY));
        await remove(found);
      };
      await removalStage().run(context(jobAt('running')));
      expect([seen, containers()]).toEqual([[KUBECONFIG], ['other-control-plane']]);
      expect(await store.readKubeconfig(KEY)).toBeUndefined();
    });

    it('removes nothing if another program created a cluster with the same name', async () => {
      runtime.nodes = [runningNode('c-control-plane', { id: 'of-another-program' })];
      const { run, undo } = removalStage();
      await expect(run(context(jobAt('running')))).rejects.toMatchObject({ code: 'cluster_exists' });
      await undo(context(jobAt('failed')));
      expect([runtime.removed, containers()]).toEqual([[], ['c-control-plane']]);
    });

    it('does not undo a completed removal', async () => {
      const { run, undo } = removalStage();
      await run(context(jobAt('running')));
      await undo(context(jobAt('succeeded')));
      expect([runtime.removed.length, undone]).toEqual([2, []]);
    });
  });

  it('describes the cluster as unchanged before the removal, if it has nodes, and its config as kept afterwards', () => {
    const conclusion: JobConclusion = {
      job: jobAt('pending'),
      log: () => [],
      outcome: 'failed',
      step: 'Node image',
      undone: [],
      reason: 'it does not exist',
      completed: false,
    };
    expect(recreation.describe(INPUT, conclusion)).toBe(
      `Failed at Node image: it does not exist. ${UNCHANGED}`,
    );
    expect(recreation.describe({ ...INPUT, replaced: [] }, conclusion)).toBe(
      'Failed at Node image: it does not exist. No nodes exist. The config is kept. Recreate the cluster to try again.',
    );
    expect(
      recreation.describe(INPUT, {
        ...conclusion,
        job: jobAt('succeeded', 'failed'),
        step: 'Preparing nodes',
        undone: ['Removed 1 container.'],
      }),
    ).toBe(
      'Failed at Preparing nodes: it does not exist. Removed 1 container. The old nodes were removed before. c has no nodes now. The config is kept. Recreate the cluster to try again.',
    );
  });
});
