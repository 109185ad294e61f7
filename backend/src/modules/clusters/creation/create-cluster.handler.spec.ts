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
import { ClaimedPorts } from '../claimed-ports.js';
import { ClusterStore } from '../cluster.store.js';
import { ClusterRemoval } from '../cluster-removal.js';
import { CreateClusterHandler } from './create-cluster.handler.js';
import { ChosenAddons } from './chosen-addons.js';
import { CreationRecord } from './creation-record.js';
import { CreationStages, type CreationInput } from './creation-stages.js';
import { ReadinessWait } from '../readiness-wait.js';
import type { KubeconfigUpkeep } from '../kubeconfig/kubeconfig-upkeep.js';
import { NodeInventory } from '../node-inventory.js';
import { Preflight } from '../preflight.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';

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
  let deleted: string[];
  let create: () => Promise<void>;

  beforeEach(() => {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    store = new ClusterStore(
      DataDirectory.open(configuration),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    runtime = new FakeRuntime();
    deleted = [];
    create = () => Promise.resolve();
    const provisioner = {
      steps: () => [{ name: 'preparing-nodes', title: 'Preparing nodes', weight: 1 }],
      create: () => create(),
      delete: (name: string) => {
        deleted.push(name);
        runtime.nodes = [];
        return Promise.resolve();
      },
      kubeconfig: () => Promise.resolve(testKubeconfig()),
    };
    runtime.remainsOf = () =>
      Promise.resolve({ containers: runtime.nodes.map(({ name }) => name), volumes: [] });
    const provisioners = { for: () => provisioner } as unknown as ProvisionerSelector;
    const gateways = { for: () => ({ forget: () => undefined }) } as unknown as GatewaySelector;
    const upkeep = {
      beforeRemoval: () => Promise.resolve(),
      afterCreation: () => Promise.resolve(),
    } as unknown as KubeconfigUpkeep;
    const registry = new FakeRegistry([runtime]);
    const stages = new CreationStages(
      registry,
      provisioners,
      gateways,
      store,
      new Preflight(),
      new ClaimedPorts(new NodeInventory(registry), registry, store),
      new ClusterRemoval(provisioners, store, upkeep),
      upkeep,
      new ReadinessWait(gateways),
    );
    handler = new CreateClusterHandler(store, stages, new CreationRecord(store, stages), new ChosenAddons());
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const undone: string[] = [];
  const context = (kubeconfigStep: string, nodesStep = 'succeeded'): UndoContext => ({
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

  const bothNodes = [runningNode('c-control-plane'), runningNode('c-worker')];

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
      runtime.remainsOf = () =>
        Promise.resolve({
          containers: runtime.nodes.filter(({ cluster }) => cluster === 'c').map(({ name }) => name),
          volumes: [],
        });
      expect(await handler.recover(INPUT, context(step))).toBe(whole);
      // kind wrote no kubeconfig before the crash, or half of one: it is read anew.
      expect(await store.readKubeconfig({ name: 'c', runtime: 'docker' })).toEqual(
        whole ? testKubeconfig() : undefined,
      );
      expect(deleted).toEqual(whole || nodes.length === 0 ? [] : ['c']);
    });
  });

  it('after a crash before any node, leaves alone what somebody else made meanwhile', async () => {
    runtime.nodes = bothNodes;
    expect(await handler.recover(INPUT, context('pending', 'pending'))).toBe(false);
    expect(deleted).toEqual([]);
    expect(await handler.recover(INPUT, context('pending', 'cancelled'))).toBe(false);
    expect(deleted).toEqual(['c']);
  });

  describe('the rollback', () => {
    const run = async (failure: Error | undefined): Promise<void> => {
      const stage = handler.plan(INPUT).stages.find(({ undo }) => undo !== undefined);
      if (!stage?.undo) throw new Error('no stage can be undone');
      if (failure) {
        create = () => Promise.reject(failure);
        await expect(stage.run({ ...context('pending') } as JobContext)).rejects.toBe(failure);
      }
      await stage.undo(context('pending'));
    };

    it('removes what was begun', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(new Error('in the middle'));
      expect(deleted).toEqual(['c']);
      expect(undone.at(-1)).toBe('1 container removed, nothing is left.');
    });

    it('touches nothing where kind found that the cluster is somebody else’s', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      const stderr = 'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "c"';
      await run(new CommandError({ program: 'kind', args: [], failure: 'failed', exitCode: 1, stderr }));
      expect([deleted, runtime.nodes.length]).toEqual([[], 1]);
    });

    it('touches nothing where the stage never began', async () => {
      runtime.nodes = [runningNode('c-control-plane')];
      await run(undefined);
      expect([deleted, runtime.nodes.length]).toEqual([[], 1]);
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
