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
  ...more,
});

const stopped = (name: string, more: Partial<NodeContainer> = {}): NodeContainer =>
  node(name, { state: 'exited', exitCode: 137, ...more });

describe('a cluster whose creation failed before it made a node', () => {
  it('does not claim the nodes that somebody else made under its name', () => {
    const cluster = describeCluster(facts({ meta: meta({ creation: 'failed', nodes_begun: false }) }));
    expect(cluster).toMatchObject({ state: 'failed', nodes: [], nodes_kept: false, api_server: null });
  });
});

describe('the state of a cluster', () => {
  const allStopped = [stopped('control-plane'), stopped('worker')];
  const paused = [node('control-plane', { state: 'paused' }), node('worker', { state: 'paused' })];
  it.each<[string, Partial<ClusterFacts>, string, string | null]>([
    ['all nodes run', {}, 'running', null],
    ['all nodes are paused', { nodes: paused }, 'paused', null],
    ['no node runs, as wanted', { nodes: allStopped, meta: meta({ wanted: 'stopped' }) }, 'stopped', null],
    [
      'no node runs although it was wanted running',
      { nodes: allStopped },
      'stopped',
      'it was running when its nodes ended without Slipway',
    ],
    ['no node of an adopted one runs', { nodes: allStopped, meta: undefined }, 'stopped', null],
    [
      'all nodes run, but the last start found something wrong',
      { meta: meta({ degraded_reason: 'c-worker is not ready', degraded_since: SINCE }) },
      'degraded',
      'c-worker is not ready',
    ],
    [
      'one of several control planes moved without anybody who compared addresses',
      {
        nodes: [node('control-plane'), node('control-plane2', { address: '172.18.0.9' }), node('worker')],
        meta: meta({ node_addresses: MOVED }),
      },
      'degraded',
      'c-control-plane2 came back on 172.18.0.9 and was on 172.18.0.3, by which the other control planes’ etcd knows it',
    ],
    [
      'its one control plane moved',
      { meta: meta({ node_addresses: { 'c-control-plane': '172.18.0.7' } }) },
      'running',
      null,
    ],
    ['it is being started', { job: job({ kind: 'start' }), nodes: allStopped }, 'starting', null],
    ['it is being stopped', { job: job({ kind: 'stop' }) }, 'stopping', null],
    ['it is being paused', { job: job({ kind: 'pause' }) }, 'running', null],
    ['it is being unpaused', { job: job({ kind: 'unpause' }), nodes: paused }, 'paused', null],
    [
      'one of two does not run',
      { nodes: [node('control-plane'), stopped('worker')] },
      'degraded',
      'c-worker is not running, exit status 137',
    ],
    [
      'one of two is paused',
      { nodes: [node('control-plane'), node('worker', { state: 'paused' })] },
      'degraded',
      'c-worker is paused',
    ],
    [
      'one ran out of memory',
      { nodes: [node('control-plane'), stopped('worker', { outOfMemory: true })] },
      'degraded',
      'c-worker was ended because the machine ran out of memory',
    ],
    [
      'one restarts and another was made only',
      {
        nodes: [
          node('control-plane'),
          node('worker', { state: 'restarting' }),
          node('worker2', { state: 'created' }),
        ],
      },
      'degraded',
      'c-worker restarts again and again; c-worker2 is not running',
    ],
    ['no node is left', { nodes: [] }, 'missing', 'its containers were removed outside Slipway'],
    [
      'the engine does not answer',
      { engineReason: 'docker does not answer', engineSince: SINCE },
      'unknown',
      'docker does not answer',
    ],
    [
      'it was seen empty by an engine that does not answer',
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
      'its creation failed, and the engine is away',
      { meta: meta({ creation: 'failed', creation_reason: 'no' }), engineReason: 'docker does not answer' },
      'failed',
      'no',
    ],
    [
      'its creation never began',
      { meta: meta({ creation: 'creating' }), nodes: [] },
      'failed',
      'its creation never began',
    ],
    ['it is being created', { job: job({}), meta: meta({ creation: 'creating' }) }, 'creating', null],
    ['it waits to be created', { job: job({ state: 'queued' }) }, 'creating', 'waits for its turn'],
    ['it is being deleted', { job: job({ kind: 'delete' }), nodes: [] }, 'deleting', null],
    ['a job is at work and the engine is away', { job: job({}), engineReason: 'gone' }, 'creating', null],
  ])('where %s', (_, more, state, reason) => {
    expect(describeCluster(facts(more))).toMatchObject({ state, state_reason: reason });
  });
});

describe('the offer to start what was running', () => {
  const ended = [stopped('control-plane'), stopped('worker')];
  it.each<[string, Partial<ClusterFacts>, boolean]>([
    ['that ended without anybody asking', { nodes: ended }, true],
    ['that was stopped', { nodes: ended, meta: meta({ wanted: 'stopped' }) }, false],
    ['of which nothing is kept', { nodes: ended, meta: undefined }, false],
    ['of which a node still runs', { nodes: [node('control-plane'), stopped('worker')] }, false],
    ['that is being started', { nodes: ended, job: job({ kind: 'start' }) }, false],
    ['whose engine is away', { nodes: ended, engineReason: 'gone' }, false],
  ])('is made for a cluster %s: %#', (_, more, offered) => {
    expect(describeCluster(facts(more)).stopped_unexpectedly).toBe(offered);
  });
});

describe('the record of a cluster', () => {
  it('counts what there is, and what is saved where nothing is', () => {
    const three = [node('control-plane'), node('worker2'), node('worker')];
    expect(describeCluster(facts({ nodes: three }))).toMatchObject({ control_planes: 1, workers: 2 });
    expect(describeCluster(facts({ nodes: [], meta: meta({ workers: 4 }) }))).toMatchObject({ workers: 4 });
  });

  it('has the version that runs, also while another is saved for the next start', () => {
    const changed = meta({ config_changed: true, node_image_tag: 'v1.35.0' });
    expect(describeCluster(facts({ meta: changed }))).toMatchObject({
      node_image_tag: 'v1.34.4',
      kubernetes_version: 'v1.34.4',
    });
    expect(describeCluster(facts({ meta: changed, nodes: [] }))).toMatchObject({ node_image_tag: 'v1.35.0' });
  });

  it('is adopted where nothing is saved, with what its containers tell', () => {
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
  ])('tells where its API is, published on %s', (hostAddress, address) => {
    const ports = [{ hostAddress, hostPort: 6000, containerPort: 6443, protocol: 'tcp' }];
    expect(describeCluster(facts({ nodes: [node('control-plane', { ports })] })).api_server).toBe(address);
    expect(describeCluster(facts()).api_server).toBeNull();
  });

  it('says whether the nodes of a failed creation were kept', () => {
    const failed = meta({ creation: 'failed' });
    expect(describeCluster(facts({ meta: failed })).nodes_kept).toBe(true);
    expect(describeCluster(facts({ meta: failed, nodes: [] })).nodes_kept).toBe(false);
  });
});
