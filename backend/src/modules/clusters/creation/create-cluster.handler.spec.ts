import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import type { GatewaySelector } from '../../../drivers/kubernetes/index.js';
import { CommandError } from '../../../drivers/process/index.js';
import type { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import type { Job, JobConclusion, JobContext, UndoContext } from '../../jobs/index.js';
import type { ClusterHooks } from '../inventory/cluster-hooks.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ClusterRemoval } from '../deletion/cluster-removal.js';
import { CreateClusterHandler } from './create-cluster.handler.js';
import { ChosenAddons } from './chosen-addons.js';
import { CreationRecord } from './creation-record.js';
import type { CreationInput } from './creation-input.js';
import type { CreationChecks } from './creation-checks.js';
import { CreationStages } from './creation-stages.js';
import { ReadinessWait } from './readiness-wait.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';
import { FakeJobObjects } from '../../../../../test/support/jobs/fake-job-objects.js';

const INPUT: CreationInput = {
  name: 'c',
  runtime: 'docker',
  shape: { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false },
  imagesPresent: true,
  keepOnFailure: false,
  version: 'v1.34.4',
};

describe('CreateClusterHandler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-handler-'));
  let runtime: FakeRuntime;
  let store: ClusterStore;
  let handler: CreateClusterHandler;
  let create: () => Promise<void>;

  beforeEach(() => {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    store = new ClusterStore(
      DataDirectory.open(configuration),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    runtime = new FakeRuntime();
    create = () => Promise.resolve();
    const provisioner = {
      steps: () => [{ name: 'preparing-nodes', title: 'Preparing nodes', weight: 1 }],
      create: () => create(),
      kubeconfig: () => Promise.resolve(testKubeconfig()),
    };
    const provisioners = { for: () => provisioner } as unknown as ProvisionerSelector;
    const gateways = { for: () => ({ forget: () => undefined }) } as unknown as GatewaySelector;
    const hooks = {
      beforeRemoval: () => Promise.resolve(),
      afterCreation: () => Promise.resolve(),
    } as unknown as ClusterHooks;
    const registry = new FakeRegistry([runtime]);
    const stages = new CreationStages(
      registry,
      provisioners,
      gateways,
      store,
      // No test runs the stage that checks.
      {} as CreationChecks,
      new ClusterRemoval(hooks),
      hooks,
      new ReadinessWait(gateways),
    );
    handler = new CreateClusterHandler(store, stages, new CreationRecord(store, stages), new ChosenAddons());
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const bothNodes = [runningNode('c-control-plane'), runningNode('c-worker')];
  const undone: string[] = [];
  const context = (
    kubeconfigStep: string,
    nodesStep = 'succeeded',
    objects = FakeJobObjects.withCreated(bothNodes),
  ): UndoContext => ({
    objects,
    job: {
      steps: [
        { name: 'preparing-nodes', state: nodesStep },
        { name: 'kubeconfig', state: kubeconfigStep },
      ],
    } as Job,
    signal: new AbortController().signal,
    log: () => undefined,
    warn: () => undefined,
    tracking: () => ({}),
    undone: (sentence: string) => undone.push(sentence),
  });

  describe('recover', () => {
    it.each<[string, string, typeof bothNodes, boolean]>([
      ['during the kubeconfig step with all nodes', 'cancelled', bothNodes, true],
      ['after the kubeconfig step with all nodes', 'succeeded', bothNodes, true],
      ['before the kubeconfig step with all nodes', 'pending', bothNodes, false],
      ['after the kubeconfig step with a missing node', 'succeeded', bothNodes.slice(0, 1), false],
      [
        'after the kubeconfig step with a stopped node',
        'succeeded',
        [runningNode('c-control-plane'), runningNode('c-worker', { state: 'exited' })],
        false,
      ],
      ['before any node exists', 'pending', [], false],
    ])(
      'keeps a complete cluster and removes an incomplete one: crash %s',
      async (_, step, nodes, complete) => {
        runtime.nodes = [...nodes, runningNode('other-control-plane', { cluster: 'other' })];
        expect(await handler.recover(INPUT, context(step))).toBe(complete);
        // The kubeconfig that kind wrote may be missing or incomplete, so it is read from the node.
        expect(await store.readKubeconfig({ name: 'c', runtime: 'docker' })).toEqual(
          complete ? testKubeconfig() : undefined,
        );
        expect(runtime.removed).toEqual(complete ? [] : nodes.map(({ id }) => id));
      },
    );
  });

  it.each([
    [
      'running',
      'Failed at Node image: no such tag. The nodes were kept. The config is kept. Recreate the cluster to try again.',
    ],
    [
      'pending',
      'Failed at Node image: no such tag. Nothing was created. The config is kept. Recreate the cluster to try again.',
    ],
  ])('says that nodes were kept only after their step started: %s', (state, message) => {
    const { job } = context('pending', state);
    const conclusion = { job, outcome: 'failed', step: 'Node image', reason: 'no such tag', undone: [] };
    expect(handler.describe({ ...INPUT, keepOnFailure: true }, conclusion as unknown as JobConclusion)).toBe(
      message,
    );
  });

  it('does not remove nodes of another program after a crash, and reports them', async () => {
    const other = runningNode('c-control-plane', { id: 'of-another-program' });
    runtime.nodes = [other];
    expect(await handler.recover(INPUT, context('pending', 'pending'))).toBe(false);
    expect(await handler.recover(INPUT, context('succeeded'))).toBe(false);
    expect([runtime.removed, runtime.nodes]).toEqual([[], [other]]);
    expect(undone).toContain(
      'Not removed: container c-control-plane (of-another-p) replaced the one that this job created.',
    );
  });

  describe('rollback', () => {
    const run = async (failure: Error | undefined): Promise<void> => {
      const stage = handler.plan(INPUT).find(({ undo }) => undo !== undefined);
      if (!stage?.undo) throw new Error('no stage can be undone');
      const own = context('pending', 'succeeded', new FakeJobObjects());
      if (failure) {
        create = () => {
          runtime.nodes.push(runningNode('c-worker', { createdAt: new Date().toISOString() }));
          return Promise.reject(failure);
        };
        await expect(stage.run({ ...own } as JobContext)).rejects.toBe(failure);
      }
      await stage.undo(own);
    };

    it('removes new nodes, but no older ones', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(new Error('in the middle'));
      expect(runtime.removed).toEqual(['id-of-c-worker']);
      expect(undone.slice(-2)).toEqual([
        'Not removed: container c-control-plane (id-of-c-cont) was created before the kind process of this job started.',
        'Removed 1 container and 1 volume.',
      ]);
    });

    it.each([
      [
        'nodes exist',
        'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "c"',
      ],
      [
        'a name is in use',
        'Conflict. The container name "/c-control-plane" is already in use by container "0123456789abcdef"',
      ],
    ])('removes nothing if kind reports a cluster of another program: %s', async (_what, stderr) => {
      runtime.nodes = [runningNode('c-control-plane', { id: '0123456789abcdef0123' })];
      await run(new CommandError({ program: 'kind', args: [], failure: 'failed', exitCode: 1, stderr }));
      expect(runtime.removed).toEqual([]);
    });

    it('removes nothing if the stage never started', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(undefined);
      expect([runtime.removed, runtime.nodes.length]).toEqual([[], 1]);
    });
  });

  it('gives the image step a high weight only if a pull is necessary', () => {
    const weight = (imagesPresent: boolean): number | undefined =>
      handler
        .plan({ ...INPUT, imagesPresent })
        .flatMap(({ steps }) => steps)
        .find(({ name }) => name === 'node-image')?.weight;
    expect(weight(false)).toBeGreaterThan((weight(true) ?? 0) * 50);
  });

  it('names what the ready step waits for', () => {
    const title = (withoutDefaultNetwork: boolean): string | undefined =>
      handler.plan({ ...INPUT, shape: { ...INPUT.shape, withoutDefaultNetwork } }).at(-1)?.steps[0]?.title;
    expect(title(false)).toBe('Ready: API, 2 nodes, DNS');
    expect(title(true)).toBe('Ready: API, 2 nodes registered');
  });
});
