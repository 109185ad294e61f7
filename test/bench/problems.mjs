import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say, serverCommand } from '../../scripts/process.mjs';
import { Figure } from './figures.mjs';
import { importTypescript } from './import-typescript.mjs';
import { processorSeconds, residentMegabytes } from './process-figures.mjs';
import { ask, jobUntil } from './product.mjs';

const CLUSTERS = 10;
const PODS = 50;
const MEASURED_MS = 10_000;
/** Until a server that has just changed is idle again. */
const SETTLED_MS = 3000;
const KNOWN_WITHIN_MS = 30_000;

/**
 * Processor and memory for the watches for problems: ten idle clusters of 50 Pods each, before and after their API servers serve the
 * kinds to watch. The API servers are scripted, and are in this process.
 */
export async function problems() {
  importTypescript();
  const { ScriptedMachine } = await import('../support/scripted-machine.ts');
  const machine = await ScriptedMachine.start();
  let server;
  try {
    const environment = {
      ...machine.environment,
      APP_RUNTIME: 'docker',
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
    };
    server = await BuiltServer.start(environment, serverCommand('dashboard'));
    const names = Array.from({ length: CLUSTERS }, (_, index) => `bench-${index}`);
    await Promise.all(names.map((name) => create(server, name)));
    const without = await measure(server);
    for (const api of machine.kind.apiServers.values()) api.behind = new IdleCluster();
    await untilKnown(server);
    const watched = await measure(server);
    say(`problems: ${describe('without', without)}; ${describe('with', watched)}`);
    return [
      new Figure({
        title: `processor for the watches of ${CLUSTERS} idle clusters of ${PODS} Pods`,
        unit: '% of a core',
        goal: 2,
        values: [Math.max(0, watched.share - without.share)],
      }),
      new Figure({
        title: `memory for the watches of ${CLUSTERS} idle clusters of ${PODS} Pods`,
        unit: 'MB',
        goal: 30,
        values: [Math.max(0, watched.megabytes - without.megabytes)],
      }),
    ];
  } finally {
    await server?.stop();
    await machine.close().catch((error) => say(`problems: ${error.message}`));
  }
}

async function create(server, name) {
  const spec = { name, workers: 0, node_image_tag: 'v1.34.4', accept_cgroup_v1: true };
  const { job_id: id } = await ask(server, 'POST', '/clusters', spec);
  const { state, error } = await jobUntil(server, id, ({ finished_at: at }) => at !== null);
  if (state !== 'succeeded') throw new Error(`job ${id} ${state}: ${error?.message}`);
}

async function untilKnown(server) {
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  while (performance.now() < deadline) {
    const clusters = await ask(server, 'GET', '/clusters');
    if (clusters.every(({ problems: count }) => count === 0)) return;
    await delay(250);
  }
  throw new Error('the clusters were not watched in time, or have problems');
}

async function measure(server) {
  const { pid } = server.child;
  await delay(SETTLED_MS);
  await collectGarbage(server);
  const [began, used] = [performance.now(), processorSeconds(pid)];
  await delay(MEASURED_MS);
  const seconds = (performance.now() - began) / 1000;
  const share = ((processorSeconds(pid) - used) / seconds) * 100;
  await collectGarbage(server);
  return { share, megabytes: residentMegabytes(pid) };
}

/** Otherwise the memory depends on when it was collected last. */
async function collectGarbage({ output }) {
  const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output) ?? [];
  if (!address) throw new Error('the server does not name its inspector');
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await new Promise((resolve) => socket.once('message', resolve));
  socket.terminate();
}

function describe(state, { share, megabytes }) {
  return `${state} ${share.toFixed(1)} % of a core, ${megabytes.toFixed(0)} MB`;
}

const GROUPS = {
  '': { pods: 'Pod', services: 'Service', persistentvolumeclaims: 'PersistentVolumeClaim', events: 'Event' },
  apps: { replicasets: 'ReplicaSet', statefulsets: 'StatefulSet', daemonsets: 'DaemonSet' },
  batch: { jobs: 'Job' },
  'discovery.k8s.io': { endpointslices: 'EndpointSlice' },
};
const COLUMNS = {
  pods: ['Name', 'Ready', 'Status', 'Restarts', 'Age'],
  replicasets: ['Name', 'Desired', 'Current', 'Ready', 'Age'],
  services: ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', 'Selector'],
};

/** Serves Pods that run, their ReplicaSets and Services, and watches in which nothing happens. */
class IdleCluster {
  send({ path }) {
    const { pathname } = new URL(path, 'http://cluster');
    if (pathname === '/api' || pathname === '/apis') return json(discovery(pathname === '/api'));
    const plural = pathname.split('/').at(-1);
    const columns = COLUMNS[plural] ?? ['Name', 'Age'];
    return json({
      kind: 'Table',
      metadata: { resourceVersion: '1' },
      columnDefinitions: columns.map((name) => ({ name, type: 'string', format: '', priority: 0 })),
      rows: rowsOf(plural),
    });
  }

  stream({ signal }) {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ status: 200, text: '' }), { once: true });
    });
  }
}

function discovery(isCore) {
  const items = Object.entries(GROUPS)
    .filter(([group]) => (group === '') === isCore)
    .map(([group, kinds]) => ({
      metadata: { name: group },
      versions: [{ version: 'v1', resources: Object.entries(kinds).map(resourceOf) }],
    }));
  return { kind: 'APIGroupDiscoveryList', items };
}

function resourceOf([resource, kind]) {
  return { resource, responseKind: { kind }, scope: 'Namespaced', verbs: ['get', 'list', 'watch'] };
}

function rowsOf(plural) {
  const ownedBy = (kind, name) => [{ apiVersion: 'apps/v1', kind, name, uid: name, controller: true }];
  const rows = (count, of) => Array.from({ length: count }, (_, index) => of(index));
  const row = (name, cells, more = {}) => ({
    cells: [name, ...cells],
    object: { metadata: { name, namespace: 'bench', uid: `${plural}-${name}`, ...more } },
  });
  switch (plural) {
    case 'pods':
      return rows(PODS, (index) => {
        const labels = { app: `app-${index % 10}`, 'pod-template-hash': '5d8f7c6b9d' };
        const ownerReferences = ownedBy('ReplicaSet', `app-${index % 10}`);
        return row(`pod-${index}`, ['1/1', 'Running', '0', '5d'], { labels, ownerReferences });
      });
    case 'replicasets':
      return rows(10, (index) => {
        const ownerReferences = ownedBy('Deployment', `app-${index}`);
        return row(`app-${index}`, ['5', '5', '5', '5d'], { ownerReferences });
      });
    case 'services':
      return rows(10, (index) =>
        row(`app-${index}`, ['ClusterIP', '10.96.0.1', '<none>', '80/TCP', '5d', `app=app-${index}`]),
      );
    default:
      return [];
  }
}

function json(value) {
  return Promise.resolve({ status: 200, text: JSON.stringify(value) });
}
