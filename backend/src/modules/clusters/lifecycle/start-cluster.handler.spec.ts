import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import type { ClusterReadiness, ClusterTarget, GatewaySelector } from '../../../drivers/kubernetes/index.js';
import type {
  NodeContainer,
  NodeSettings,
  RestartPolicy,
  RuntimeInfo,
} from '../../../drivers/runtime/index.js';
import type { Job, JobContext } from '../../jobs/index.js';
import type { ClusterKubeconfigs } from '../inventory/cluster-kubeconfigs.js';
import { type ClusterMeta, parseMeta } from '../inventory/cluster-meta.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ReadinessWait } from '../creation/readiness-wait.js';
import type { RecreateClusterHandler } from '../recreation/recreate-cluster.handler.js';
import { ClusterNodes } from './cluster-nodes.js';
import { StartVerification } from './start-verification.js';
import { PortHolders } from '../preflight/port-holders.js';
import { StartClusterHandler, type StartClusterInput } from './start-cluster.handler.js';
import { FakeJobObjects } from '../../../../../test/support/jobs/fake-job-objects.js';

const KEY = { name: 'c', runtime: 'docker' };
const HOUR = '2026-11-21T10:00:00.000Z';

/** Assigns the next free address to each started node. */
class StartingRuntime extends FakeRuntime {
  readonly started: string[] = [];
  readonly policies = new Map<string, RestartPolicy>();
  readonly refusing = new Map<string, string>();
  free: string[] = [];
  /** Fixed addresses of nodes, if the engine supports them. */
  fixed: Map<string, string | null> | undefined;
  taken = '';
  /** Nodes that cannot be connected to their network, with the reason. */
  readonly cutOff = new Map<string, string>();

  override info(): RuntimeInfo {
    const info = super.info();
    return { ...info, capabilities: { ...info.capabilities, fixedAddresses: this.fixed !== undefined } };
  }

  override fixAddress(name: string, address: string | null): Promise<void> {
    const reason = this.cutOff.get(name);
    if (reason !== undefined) return Promise.reject(new DomainError('node_unchanged', `${reason}.`));
    this.fixed?.set(name, address);
    return Promise.resolve();
  }

  override startNode(name: string): Promise<void> {
    const reason = this.refusing.get(name);
    if (reason !== undefined) {
      return Promise.reject(new DomainError('node_unchanged', `docker could not start ${name}: ${reason}.`));
    }
    const fixed = this.fixed?.get(name) ?? null;
    if (fixed !== null && fixed === this.taken) {
      return Promise.reject(new DomainError('node_unchanged', `podman could not start ${name}: taken.`));
    }
    this.started.push(name);
    return this.change(name, {
      state: 'running',
      address: fixed ?? this.free.shift() ?? null,
      stateSince: HOUR,
    });
  }

  override unpauseNode(name: string): Promise<void> {
    return this.change(name, { state: 'running' });
  }

  override setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    this.policies.set(name, policy);
    return Promise.resolve();
  }

  override inspectNodes(): Promise<NodeSettings[]> {
    return Promise.resolve([]);
  }

  private change(name: string, change: Partial<NodeContainer>): Promise<void> {
    this.nodes = this.nodes.map((node) => (node.name === name ? { ...node, ...change } : node));
    return Promise.resolve();
  }
}

describe('StartClusterHandler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-start-'));
  let runtime: StartingRuntime;
  let store: ClusterStore;
  let handler: StartClusterHandler;
  let asked: ClusterTarget[];
  let ready: (target: ClusterTarget) => ClusterReadiness;

  beforeEach(() => {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    store = new ClusterStore(
      DataDirectory.open(configuration),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    runtime = new StartingRuntime();
    asked = [];
    ready = () => ({
      apiReady: true,
      nodes: runtime.nodes.map(({ name }) => ({ name, ready: true, reason: null })),
      dnsReady: true,
      reason: null,
    });
    const readiness = (target: ClusterTarget): Promise<ClusterReadiness> => {
      asked.push(target);
      return Promise.resolve(ready(target));
    };
    const gateways = { for: () => ({ readiness }) } as unknown as GatewaySelector;
    const kubeconfigs = { read: () => Promise.resolve('kubeconfig') } as unknown as ClusterKubeconfigs;
    const registry = new FakeRegistry([runtime]);
    const nodes = new ClusterNodes(registry, store);
    handler = new StartClusterHandler(
      nodes,
      new StartVerification(nodes, store, kubeconfigs, new ReadinessWait(gateways)),
      {} as RecreateClusterHandler,
      new PortHolders(registry),
    );
  });

  afterEach(() => {
    jest.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  const stopped = (name: string, more: Partial<NodeContainer> = {}): NodeContainer =>
    runningNode(name, { state: 'exited', exitCode: 130, address: null, ...more });

  const save = async (more: Partial<ClusterMeta>): Promise<void> => {
    const meta = parseMeta(JSON.stringify({ ...KEY, creation: 'created', wanted: 'stopped', ...more }));
    if (meta) await store.writeMeta(meta);
  };

  const results: Record<string, unknown> = {};
  const warnings: string[] = [];
  const logged: string[] = [];
  const context = (): JobContext => {
    warnings.length = 0;
    logged.length = 0;
    return {
      job: { started_at: HOUR } as Job,
      objects: new FakeJobObjects(),
      signal: new AbortController().signal,
      log: (text) => logged.push(text),
      warn: (text) => warnings.push(text),
      tracking: () => ({}),
      undone: () => undefined,
      step: () => undefined,
      progress: () => undefined,
      result: (fields) => Object.assign(results, fields),
    };
  };
  const input: StartClusterInput = { ...KEY, containers: 3, members: 3 };
  const start = async (): Promise<void> => {
    const [stage] = handler.plan(input);
    await stage?.run(context());
  };

  const three = ['c-control-plane', 'c-control-plane2', 'c-control-plane3'];
  const recorded = {
    [three[0] ?? '']: '172.18.0.4',
    [three[1] ?? '']: '172.18.0.2',
    [three[2] ?? '']: '172.18.0.3',
  };

  it('starts several control planes in the order of their addresses, so that each gets its own again', async () => {
    runtime.nodes = three.map((name) => stopped(name));
    runtime.free = ['172.18.0.2', '172.18.0.3', '172.18.0.4'];
    await save({ node_addresses: recorded });
    await start();
    expect(runtime.started).toEqual([three[1], three[2], three[0]]);
    expect(results).toMatchObject({ started: runtime.started, degraded: null });
    expect(await store.read(KEY)).toMatchObject({
      node_addresses: recorded,
      degraded_reason: null,
      wanted: 'running',
    });
    expect([...runtime.policies.values()]).toEqual(['on-failure', 'on-failure', 'on-failure']);
  });

  it('fixes the addresses of several control planes if the engine supports it, and uses any address if one is taken', async () => {
    runtime.fixed = new Map();
    runtime.nodes = three.map((name) => stopped(name));
    runtime.free = ['172.18.0.7', '172.18.0.8', '172.18.0.9'];
    await save({ node_addresses: recorded });
    await start();
    expect(Object.fromEntries(runtime.fixed)).toEqual(recorded);
    expect(results).toMatchObject({ degraded: null });

    const squatter = runningNode('squatter', { cluster: 'other', address: '172.18.0.4' });
    runtime.nodes = [...runtime.nodes.map((node) => stopped(node.name)), squatter];
    runtime.taken = '172.18.0.4';
    await start();
    expect(results['degraded']).toBe(
      'c-control-plane has the address 172.18.0.7, but etcd on the other control planes expects 172.18.0.4, which squatter now uses',
    );
    expect(runtime.fixed.get('c-control-plane')).toBeNull();
    expect(logged).toContain(
      'c-control-plane could not get its address 172.18.0.4 back: podman could not start c-control-plane: taken.',
    );

    runtime.nodes = runtime.nodes.filter((node) => node !== squatter).map((node) => stopped(node.name));
    runtime.taken = '';
    await start();
    expect([results['degraded'], Object.fromEntries(runtime.fixed)]).toEqual([null, recorded]);
  });

  it('reports a control plane that cannot be connected to its network, and starts it the next time', async () => {
    runtime.fixed = new Map();
    runtime.nodes = three.map((name) => stopped(name));
    await save({ node_addresses: recorded });
    const reason = 'podman could not connect c-control-plane2 to the network kind: not found';
    runtime.cutOff.set('c-control-plane2', reason);
    await start();
    expect([results, warnings]).toEqual([
      { started: ['c-control-plane3', 'c-control-plane'], degraded: reason },
      [`${reason}.`],
    ]);
    expect(runtime.started).not.toContain('c-control-plane2');
    expect(logged).toEqual(['Started c-control-plane3', 'Started c-control-plane']);

    runtime.cutOff.clear();
    await start();
    expect(results).toEqual({ started: ['c-control-plane2'], degraded: null });
    expect(Object.fromEntries(runtime.fixed)).toEqual(recorded);
  });

  it('does not report the address if a node starts with no address', async () => {
    runtime.fixed = new Map();
    runtime.nodes = three.map((name) => stopped(name));
    await save({ node_addresses: recorded });
    runtime.refusing.set('c-control-plane2', 'no space left on device');
    await start();
    expect(results['degraded']).toBe('docker could not start c-control-plane2: no space left on device');
    expect(logged.join()).not.toContain('could not get');
  });

  it('marks a cluster as degraded if the address of one of several control planes changed', async () => {
    runtime.nodes = three.map((name) => stopped(name));
    runtime.free = ['172.18.0.2', '172.18.0.3', '172.18.0.9'];
    await save({ node_addresses: recorded });
    await start();
    const reason =
      'c-control-plane has the address 172.18.0.9, but etcd on the other control planes expects 172.18.0.4';
    expect([results['degraded'], warnings]).toEqual([reason, [`${reason}.`]]);
    // The address that etcd knows stays recorded, so that a later start can use it.
    expect(await store.read(KEY)).toMatchObject({ node_addresses: recorded, degraded_reason: reason });
    runtime.nodes = runtime.nodes.map((node) => stopped(node.name));
    runtime.free = ['172.18.0.2', '172.18.0.3', '172.18.0.4'];
    await start();
    expect(await store.read(KEY)).toMatchObject({ degraded_reason: null });
  });

  it('records new addresses of a single control plane and of workers', async () => {
    runtime.nodes = [stopped('c-control-plane'), stopped('c-worker')];
    runtime.free = ['172.18.0.7', '172.18.0.8'];
    await save({ node_addresses: { 'c-control-plane': '172.18.0.2', 'c-worker': '172.18.0.3' } });
    await start();
    expect(await store.read(KEY)).toMatchObject({
      degraded_reason: null,
      node_addresses: { 'c-control-plane': '172.18.0.7', 'c-worker': '172.18.0.8' },
    });
  });

  it('continues without a node that the engine cannot start, and reports the reason', async () => {
    runtime.nodes = [stopped('c-control-plane'), stopped('c-worker')];
    runtime.refusing.set('c-worker', 'no space left on device');
    await save({});
    await start();
    expect(results).toMatchObject({
      started: ['c-control-plane'],
      degraded: 'docker could not start c-worker: no space left on device',
    });
    expect(runtime.policies.get('c-worker')).toBeUndefined();
  });

  it('ignores conditions older than the start of a node', async () => {
    runtime.nodes = [
      runningNode('c-control-plane'),
      stopped('c-worker'),
      stopped('c-worker2', { state: 'paused' }),
    ];
    await save({});
    await start();
    expect(asked[0]?.startedAt).toEqual({ 'c-worker': HOUR });
  });

  it('marks the cluster as degraded if a node is not ready after two minutes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    runtime.nodes = [stopped('c-control-plane'), stopped('c-worker')];
    ready = () => ({
      apiReady: true,
      nodes: [
        { name: 'c-control-plane', ready: true, reason: null },
        { name: 'c-worker', ready: false, reason: 'KubeletNotReady' },
      ],
      dnsReady: true,
      reason: 'c-worker (KubeletNotReady) is not ready',
    });
    await save({});
    const starting = start();
    await jest.advanceTimersByTimeAsync(1);
    const state = { ended: false };
    void starting.finally(() => Object.assign(state, { ended: true }));
    while (!state.ended) {
      await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(1000);
    }
    await starting;
    const reason = 'c did not become ready within 2 minutes: c-worker (KubeletNotReady) is not ready';
    expect(results).toMatchObject({ degraded: reason });
    expect(await store.read(KEY)).toMatchObject({ degraded_reason: reason });
  });

  it('saves metadata for an adopted cluster', async () => {
    runtime.nodes = [stopped('c-control-plane')];
    runtime.free = ['172.18.0.2'];
    await start();
    expect(await store.read(KEY)).toMatchObject({
      origin: 'adopted',
      control_planes: 1,
      workers: 0,
      wanted: 'running',
      node_image_tag: 'v1.34.4',
      node_addresses: { 'c-control-plane': '172.18.0.2' },
    });
  });
});
