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
import type { Job, JobContext, UndoContext } from '../../jobs/index.js';
import { ClaimedPorts, Preflight } from '../preflight/index.js';
import { type ClusterHooks, ClusterStore, NodeInventory } from '../inventory/index.js';
import { ClusterRemoval } from '../deletion/index.js';
import { CreateClusterHandler } from './create-cluster.handler.js';
import { ChosenAddons } from './chosen-addons.js';
import { CreationRecord } from './creation-record.js';
import { CreationStages, type CreationInput } from './creation-stages.js';
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

describe('the handler of creations', () => {
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
      new Preflight(),
      new ClaimedPorts(new NodeInventory(registry), registry, store),
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

  describe('after a crash', () => {
    it.each<[string, string, typeof bothNodes, boolean]>([
      ['in the middle of the kubeconfig step, with all nodes', 'cancelled', bothNodes, true],
      ['after it, with all nodes', 'succeeded', bothNodes, true],
      ['before it, although all nodes run', 'pending', bothNodes, false],
      ['after it, with a node missing', 'succeeded', bothNodes.slice(0, 1), false],
      [
        'after it, with a node that does not run',
        'succeeded',
        [runningNode('c-control-plane'), runningNode('c-worker', { state: 'exited' })],
        false,
      ],
      ['with nothing made', 'pending', [], false],
    ])('%s: whole or nothing', async (_, step, nodes, whole) => {
      runtime.nodes = [...nodes, runningNode('other-control-plane', { cluster: 'other' })];
      expect(await handler.recover(INPUT, context(step))).toBe(whole);
      // kind wrote no kubeconfig before the crash, or half of one: it is read anew.
      expect(await store.readKubeconfig({ name: 'c', runtime: 'docker' })).toEqual(
        whole ? testKubeconfig() : undefined,
      );
      expect(runtime.removed).toEqual(whole ? [] : nodes.map(({ id }) => id));
    });
  });

  it('after a crash leaves alone what somebody else made meanwhile, and says so', async () => {
    const other = runningNode('c-control-plane', { id: 'of-somebody-else' });
    runtime.nodes = [other];
    expect(await handler.recover(INPUT, context('pending', 'pending'))).toBe(false);
    expect(await handler.recover(INPUT, context('succeeded'))).toBe(false);
    expect([runtime.removed, runtime.nodes]).toEqual([[], [other]]);
    expect(undone).toContain(
      'Left alone: container c-control-plane (of-somebody-) replaced the one that this job created.',
    );
  });

  describe('the rollback', () => {
    const run = async (failure: Error | undefined): Promise<void> => {
      const stage = handler.plan(INPUT).stages.find(({ undo }) => undo !== undefined);
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

    it('removes what was begun, and nothing that was there before', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(new Error('in the middle'));
      expect(runtime.removed).toEqual(['id-of-c-worker']);
      expect(undone.slice(-2)).toEqual([
        'Left alone: container c-control-plane (id-of-c-cont) was created before the kind process of this job started.',
        '1 container and 1 volume removed, nothing is left.',
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
    ])('touches nothing where kind found that the cluster is somebody else’s: %s', async (_what, stderr) => {
      runtime.nodes = [runningNode('c-control-plane', { id: '0123456789abcdef0123' })];
      await run(new CommandError({ program: 'kind', args: [], failure: 'failed', exitCode: 1, stderr }));
      expect(runtime.removed).toEqual([]);
    });

    it('touches nothing where the stage never began', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(undefined);
      expect([runtime.removed, runtime.nodes.length]).toEqual([[], 1]);
    });
  });

  it('weighs a pull only where one is to come', () => {
    const weight = (imagesPresent: boolean): number | undefined =>
      handler
        .plan({ ...INPUT, imagesPresent })
        .stages.flatMap(({ steps }) => steps)
        .find(({ name }) => name === 'node-image')?.weight;
    expect(weight(false)).toBeGreaterThan((weight(true) ?? 0) * 50);
  });

  it('announces readiness by what is waited for', () => {
    const title = (withoutDefaultNetwork: boolean): string | undefined =>
      handler.plan({ ...INPUT, shape: { ...INPUT.shape, withoutDefaultNetwork } }).stages.at(-1)?.steps[0]
        ?.title;
    expect(title(false)).toBe('Ready: API, 2 nodes, DNS');
    expect(title(true)).toBe('Ready: API, 2 nodes registered');
  });
});
