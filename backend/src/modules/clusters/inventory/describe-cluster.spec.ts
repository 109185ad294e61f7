import { describe, expect, it } from '@jest/globals';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import type { Job } from '../../jobs/index.js';
import { parseMeta, type ClusterMeta } from './cluster-meta.js';
import { describeCluster, type ClusterFacts } from './describe-cluster.js';

const SINCE = '2026-11-21T09:00:00.000Z';
const MOVED = { 'c-control-plane': '172.18.0.2', 'c-control-plane2': '172.18.0.3', 'c-worker': '172.18.0.4' };

function node(name: string, more: Partial<NodeContainer> = {}): NodeContainer {
  return {
    id: name,
    name: `c-${name}`,
    cluster: 'c',
    role: name.startsWith('control') ? 'control-plane' : 'worker',
    state: 'running',
    exitCode: null,
    outOfMemory: false,
    imageId: null,
    image: 'kindest/node:v1.34.4',
    address: '172.18.0.2',
    ports: [],
    createdAt: SINCE,
    stateSince: SINCE,
    ...more,
  };
}

function meta(more: Partial<ClusterMeta> = {}): ClusterMeta {
  const parsed = parseMeta(
    JSON.stringify({
      name: 'c',
      runtime: 'docker',
      creation: 'created',
      workers: 1,
      control_planes: 1,
      ...more,
    }),
  );
  if (!parsed) throw new Error('not a meta');
  return parsed;
}

const job = (more: Partial<Job>): Job =>
  ({ id: 7, kind: 'create', state: 'running', created_at: SINCE, started_at: SINCE, ...more }) as Job;

const facts = (more: Partial<ClusterFacts> = {}): ClusterFacts => ({
  name: 'c',
  runtime: 'docker',
  nodes: [node('control-plane'), node('worker')],
  meta: meta(),
  job: undefined,
  engineReason: null,
  engineSince: null,
  problems: null,
  ...more,
});

const removed = (name: string): string =>
  `${name} was removed outside Slipway, and only a recreation of the cluster restores it`;

const stopped = (name: string, more: Partial<NodeContainer> = {}): NodeContainer =>
  node(name, { state: 'exited', exitCode: 137, ...more });

describe('describeCluster after a creation that failed before it created a node', () => {
  it('does not include nodes of the same name that another program created', () => {
    const cluster = describeCluster(facts({ meta: meta({ creation: 'failed', nodes_begun: false }) }));
    expect(cluster).toMatchObject({ state: 'failed', nodes: [], nodes_kept: false, api_server: null });
  });
});

describe('time of the state', () => {
  const AFTER = '2027-01-01T00:00:00.000Z';
  const BEFORE = '2020-01-01T00:00:00.000Z';
  const paused = [node('control-plane', { state: 'paused' })];
  it.each<[string, Partial<ClusterFacts>, string | null]>([
    ['running: the start', {}, SINCE],
    ['running: the unpause after that', { meta: meta({ pause_changed_at: AFTER }) }, AFTER],
    ['running: the start after an unpause', { meta: meta({ pause_changed_at: BEFORE }) }, SINCE],
    ['paused: the pause', { nodes: paused, meta: meta({ pause_changed_at: AFTER }) }, AFTER],
    ['paused outside, without metadata', { nodes: paused, meta: undefined }, null],
    ['paused, with only an earlier pause', { nodes: paused, meta: meta({ pause_changed_at: BEFORE }) }, null],
  ])('%s', (_case, known, since) => {
    expect(describeCluster(facts(known)).state_since).toBe(since);
  });
});

describe('needs_attention of a cluster', () => {
  const down = [node('control-plane'), stopped('worker')];
  it.each<[string, Partial<ClusterFacts>, boolean]>([
    ['works', { problems: 0 }, false],
    ['runs, with unknown problems', {}, false],
    ['runs, with a workload that does not work', { problems: 1 }, true],
    ['is degraded', { nodes: down }, true],
    ['is degraded, and has problems', { nodes: down, problems: 3 }, true],
    ['has failed', { meta: meta({ creation: 'failed' }) }, true],
    ['is missing', { nodes: [] }, true],
    ['is unknown', { engineReason: 'docker does not respond' }, true],
    ['is stopped, with problems from before', { nodes: [stopped('control-plane')], problems: 2 }, false],
    ['is being created, with problems from before', { job: job({}), problems: 2 }, false],
  ])('that %s', (_case, known, expected) => {
    expect(describeCluster(facts(known)).needs_attention).toBe(expected);
  });
});

describe('state of a cluster', () => {
  const allStopped = [stopped('control-plane'), stopped('worker')];
  const paused = [node('control-plane', { state: 'paused' }), node('worker', { state: 'paused' })];
  it.each<[string, Partial<ClusterFacts>, string, string | null]>([
    ['all nodes are running', {}, 'running', null],
    ['all nodes are paused', { nodes: paused }, 'paused', null],
    [
      'all nodes were stopped by request',
      { nodes: allStopped, meta: meta({ wanted: 'stopped' }) },
      'stopped',
      null,
    ],
    [
      'all nodes stopped outside Slipway',
      { nodes: allStopped },
      'stopped',
      'its nodes stopped outside Slipway while it was running',
    ],
    ['all nodes of an adopted cluster are stopped', { nodes: allStopped, meta: undefined }, 'stopped', null],
    [
      'all nodes are running, but the last start found a problem',
      { meta: meta({ degraded_reason: 'c-worker is not ready', degraded_since: SINCE }) },
      'degraded',
      'c-worker is not ready',
    ],
    [
      'the address of one of several control planes changed outside Slipway',
      {
        nodes: [node('control-plane'), node('control-plane2', { address: '172.18.0.9' }), node('worker')],
        meta: meta({ node_addresses: MOVED }),
      },
      'degraded',
      'c-control-plane2 has the address 172.18.0.9, but etcd on the other control planes expects 172.18.0.3',
    ],
    [
      'the address of its only control plane changed',
      { meta: meta({ node_addresses: { 'c-control-plane': '172.18.0.7' } }) },
      'running',
      null,
    ],
    ['it is being started', { job: job({ kind: 'start' }), nodes: allStopped }, 'starting', null],
    ['it is being stopped', { job: job({ kind: 'stop' }) }, 'stopping', null],
    ['it is being paused', { job: job({ kind: 'pause' }) }, 'running', null],
    ['it is being unpaused', { job: job({ kind: 'unpause' }), nodes: paused }, 'paused', null],
    [
      'one of two nodes is stopped',
      { nodes: [node('control-plane'), stopped('worker')] },
      'degraded',
      'c-worker is not running, exit status 137',
    ],
    [
      'one of two nodes is paused',
      { nodes: [node('control-plane'), node('worker', { state: 'paused' })] },
      'degraded',
      'c-worker is paused',
    ],
    [
      'a node ran out of memory',
      { nodes: [node('control-plane'), stopped('worker', { outOfMemory: true })] },
      'degraded',
      'c-worker was killed because it ran out of memory',
    ],
    [
      'a node keeps restarting and another was never started',
      {
        nodes: [
          node('control-plane'),
          node('worker', { state: 'restarting' }),
          node('worker2', { state: 'created' }),
        ],
      },
      'degraded',
      'c-worker keeps restarting; c-worker2 is not running',
    ],
    [
      'a node that it was created with does not exist',
      {
        meta: meta({
          node_addresses: { 'c-control-plane': '', 'c-worker': '', 'c-worker3': '', 'c-worker2': '' },
        }),
      },
      'degraded',
      `${removed('c-worker2')}; ${removed('c-worker3')}`,
    ],
    [
      'a node does not exist and another is stopped',
      {
        nodes: [node('control-plane'), stopped('worker')],
        meta: meta({ node_addresses: { 'c-worker2': '' } }),
      },
      'degraded',
      `${removed('c-worker2')}; c-worker is not running, exit status 137`,
    ],
    [
      'it is stopped and a node does not exist',
      { nodes: allStopped, meta: meta({ wanted: 'stopped', node_addresses: { 'c-worker2': '' } }) },
      'stopped',
      removed('c-worker2'),
    ],
    ['no node is left', { nodes: [] }, 'missing', 'its containers were removed outside Slipway'],
    [
      'the engine is unavailable',
      { engineReason: 'docker does not answer', engineSince: SINCE },
      'unknown',
      'docker does not answer',
    ],
    [
      'the engine is unavailable and had no nodes',
      { nodes: [], engineReason: 'docker does not answer' },
      'unknown',
      'docker does not answer',
    ],
    [
      'its creation failed',
      { meta: meta({ creation: 'failed', creation_reason: 'at Preparing nodes: no' }), nodes: [] },
      'failed',
      'at Preparing nodes: no',
    ],
    [
      'its creation failed and the engine is unavailable',
      { meta: meta({ creation: 'failed', creation_reason: 'no' }), engineReason: 'docker does not answer' },
      'failed',
      'no',
    ],
    [
      'its creation never started',
      { meta: meta({ creation: 'creating' }), nodes: [] },
      'failed',
      'its creation never started',
    ],
    ['it is being created', { job: job({}), meta: meta({ creation: 'creating' }) }, 'creating', null],
    ['its creation is queued', { job: job({ state: 'queued' }) }, 'creating', 'queued'],
    ['it is being deleted', { job: job({ kind: 'delete' }), nodes: [] }, 'deleting', null],
    [
      'a job is active and the engine is unavailable',
      { job: job({}), engineReason: 'gone' },
      'creating',
      null,
    ],
  ])('is correct if %s', (_, more, state, reason) => {
    expect(describeCluster(facts(more))).toMatchObject({ state, state_reason: reason });
  });
});

describe('stopped_unexpectedly', () => {
  const ended = [stopped('control-plane'), stopped('worker')];
  it.each<[string, Partial<ClusterFacts>, boolean]>([
    ['that stopped outside Slipway', { nodes: ended }, true],
    ['that was stopped', { nodes: ended, meta: meta({ wanted: 'stopped' }) }, false],
    ['without saved metadata', { nodes: ended, meta: undefined }, false],
    ['with a running node', { nodes: [node('control-plane'), stopped('worker')] }, false],
    ['that is being started', { nodes: ended, job: job({ kind: 'start' }) }, false],
    ['of an unavailable engine', { nodes: ended, engineReason: 'gone' }, false],
  ])('is correct for a cluster %s', (_, more, expected) => {
    expect(describeCluster(facts(more)).stopped_unexpectedly).toBe(expected);
  });
});

describe('describeCluster', () => {
  it('counts existing nodes, or else the nodes of the saved config', () => {
    const three = [node('control-plane'), node('worker2'), node('worker')];
    expect(describeCluster(facts({ nodes: three }))).toMatchObject({ control_planes: 1, workers: 2 });
    expect(describeCluster(facts({ nodes: [], meta: meta({ workers: 4 }) }))).toMatchObject({ workers: 4 });
  });

  it('reports the running version while another one is saved for the next start', () => {
    const changed = meta({ config_changed: true, node_image_tag: 'v1.35.0' });
    expect(describeCluster(facts({ meta: changed }))).toMatchObject({
      node_image_tag: 'v1.34.4',
      kubernetes_version: 'v1.34.4',
    });
    expect(describeCluster(facts({ meta: changed, nodes: [] }))).toMatchObject({ node_image_tag: 'v1.35.0' });
  });

  it('describes a cluster without saved files as adopted, from its containers', () => {
    const record = describeCluster(facts({ meta: undefined }));
    expect(record).toMatchObject({
      origin: 'adopted',
      node_image_tag: 'v1.34.4',
      kubernetes_version: 'v1.34.4',
      created_at: SINCE,
      nodes_kept: false,
    });
  });

  it('orders nodes by role, then by number', () => {
    const nodes = ['worker10', 'worker2', 'worker', 'control-plane'].map((name) => node(name));
    const balancer = node('external-load-balancer', { role: 'external-load-balancer' });
    expect(describeCluster(facts({ nodes: [...nodes, balancer] })).nodes.map(({ name }) => name)).toEqual([
      'c-control-plane',
      'c-external-load-balancer',
      'c-worker',
      'c-worker2',
      'c-worker10',
    ]);
  });

  it.each([
    ['127.0.0.1', 'https://127.0.0.1:6000'],
    ['0.0.0.0', 'https://127.0.0.1:6000'],
    ['::', 'https://127.0.0.1:6000'],
    ['::1', 'https://[::1]:6000'],
  ])('derives api_server from a port published on %s', (hostAddress, address) => {
    const ports = [{ hostAddress, hostPort: 6000, containerPort: 6443, protocol: 'tcp' }];
    expect(describeCluster(facts({ nodes: [node('control-plane', { ports })] })).api_server).toBe(address);
    expect(describeCluster(facts()).api_server).toBeNull();
  });

  it('reports whether the nodes of a failed creation were kept', () => {
    const failed = meta({ creation: 'failed' });
    expect(describeCluster(facts({ meta: failed })).nodes_kept).toBe(true);
    expect(describeCluster(facts({ meta: failed, nodes: [] })).nodes_kept).toBe(false);
  });
});
