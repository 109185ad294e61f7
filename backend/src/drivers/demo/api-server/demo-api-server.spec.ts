import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionResources, type KubernetesObject, type ResourceApi } from '../../kubernetes/index.js';
import type { DemoNode } from '../demo-node.js';
import { DemoApiServer } from './demo-api-server.js';

const PODS = { group: '', version: 'v1', plural: 'pods' };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments' };
const web = { ...DEPLOYMENTS, namespace: 'shop', name: 'web' };

/** A cluster whose time runs a thousand times as fast, and that was created a minute ago. */
describe('DemoApiServer', () => {
  let nodes: DemoNode[];
  let listeners: (() => void)[];
  let server: DemoApiServer;
  let api: ResourceApi;

  const node = (name: string, role: DemoNode['role']): DemoNode => {
    const createdAt = new Date(Date.now() - 60_000).toISOString();
    return {
      id: name.padStart(64, 'd'),
      name,
      cluster: 'demo',
      role,
      state: 'running',
      exitCode: null,
      image: 'kindest/node:v1.34.4',
      address: role === 'worker' ? '192.0.2.3' : '192.0.2.2',
      ports: [],
      volume: name,
      createdAt,
      stateSince: createdAt,
    };
  };
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 5000;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  /** Name and cell of pods, as kubectl shows them. */
  const pods = async (labelSelector: string, column = 'Status'): Promise<Record<string, unknown>> => {
    const { columns, rows } = await api.table(PODS, { namespace: 'shop', labelSelector });
    const index = columns.findIndex(({ name }) => name === column);
    return Object.fromEntries(rows.map(({ name, cells }) => [name, cells[index]]));
  };
  const rolled = (replicas: number) => async (): Promise<boolean> => {
    const { status } = (await api.read(web)) as KubernetesObject & { status: Record<string, number> };
    return (
      status['readyReplicas'] === replicas &&
      status['updatedReplicas'] === replicas &&
      status['replicas'] === replicas
    );
  };

  beforeEach(() => {
    nodes = [node('demo-control-plane', 'control-plane'), node('demo-worker', 'worker')];
    listeners = [];
    server = new DemoApiServer({
      cluster: 'demo',
      speed: 1000,
      nodes: () => nodes,
      onChange: (listener) => {
        listeners.push(listener);
        return () => (listeners = listeners.filter((one) => one !== listener));
      },
    });
    api = new ConnectionResources('demo', server);
  });

  afterEach(() => server.close());

  it('shows workloads that run and workloads that fail', async () => {
    await until(
      'the first back-off',
      async () => Object.values(await pods('app=mailer'))[0] === 'CrashLoopBackOff',
    );
    expect(Object.values(await pods('app=reports'))).toEqual(['ImagePullBackOff']);
    expect(Object.values(await pods('app=web'))).toEqual(['Running', 'Running', 'Running']);
    expect(Object.values(await pods('app=import'))).toEqual(['Completed']);
    expect(Object.keys(await pods('app=postgres'))).toEqual(['postgres-0']);
    const warnings = await api.list(
      { group: '', version: 'v1', plural: 'events' },
      { namespace: 'shop', fieldSelector: 'type=Warning,involvedObject.kind=Pod' },
    );
    expect(warnings.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['BackOff', 'Failed']));
    const claims = await api.list({ group: '', version: 'v1', plural: 'persistentvolumeclaims' });
    expect(claims).toMatchObject([{ status: { phase: 'Bound' } }]);
  });

  it('replaces a deleted pod', async () => {
    const [name = ''] = Object.keys(await pods('app=web'));
    expect(await api.remove({ ...PODS, namespace: 'shop', name })).toEqual({ gone: false });
    await until('the pod to be replaced', async () => {
      const now = await pods('app=web');
      return !(name in now) && Object.values(now).join() === 'Running,Running,Running';
    });
  });

  it('scales a Deployment and rolls out a new template without downtime', async () => {
    await until('the pods', rolled(3));
    await api.patch(web, 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' });
    await until('four pods', rolled(4));
    const before = Object.keys(await pods('app=web'));
    const restarted = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
    await api.patch(web, 'strategic-merge', { spec: { template: { metadata: { annotations: restarted } } } });
    let fewest = 4;
    await until('the rollout', async () => {
      const { status } = (await api.read(web)) as KubernetesObject & { status: Record<string, number> };
      fewest = Math.min(fewest, status['readyReplicas'] ?? 0);
      return (await rolled(4)()) && Object.keys(await pods('app=web')).length === 4;
    });
    expect(fewest).toBeGreaterThanOrEqual(3);
    expect(Object.keys(await pods('app=web')).filter((name) => before.includes(name))).toEqual([]);
    expect(await api.read(web)).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
    });
  });

  it('schedules no pods on a cordoned node and reports why they are pending', async () => {
    const worker = { group: '', version: 'v1', plural: 'nodes', namespace: null, name: 'demo-worker' };
    await api.patch(worker, 'merge', { spec: { unschedulable: true } });
    await api.patch(web, 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' });
    await until('a pod without a node', async () => Object.values(await pods('app=web')).includes('Pending'));
    const events = await api.list(
      { group: '', version: 'v1', plural: 'events' },
      { namespace: 'shop', fieldSelector: 'reason=FailedScheduling' },
    );
    expect(events.map(({ message }) => message)).toContain(
      '0/2 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.',
    );
    await api.patch(worker, 'merge', { spec: { unschedulable: null } });
    await until('the pods', rolled(4));
  });

  it('refuses connections while no control plane runs, and restarts the pods afterwards', async () => {
    await until('the pods', rolled(3));
    const [control, worker] = nodes;
    if (!control || !worker) throw new Error('no nodes');
    const watch = api.watch(PODS, {
      resourceVersion: (await api.table(PODS)).resourceVersion,
      signal: AbortSignal.timeout(5000),
      onChanges: () => undefined,
    });
    nodes = [
      { ...control, state: 'exited' },
      { ...worker, state: 'exited' },
    ];
    for (const listener of listeners) listener();
    await expect(watch).rejects.toMatchObject({ code: 'cluster_unreachable' });
    await expect(api.types()).rejects.toMatchObject({ code: 'cluster_unreachable' });
    const stateSince = new Date().toISOString();
    nodes = [
      { ...control, stateSince },
      { ...worker, stateSince },
    ];
    await until('restarts', async () =>
      Object.values(await pods('app=web', 'Restarts')).every((restarts) =>
        /^1 \(\d+s ago\)$/.test(String(restarts)),
      ),
    );
    await until('the pods', rolled(3));
  });

  it('creates ten thousand unscheduled pods in 15 s of CPU time', async () => {
    const start = process.cpuUsage();
    for (let index = 0; index < 10_000; index += 1) {
      const name = `idle-${String(index).padStart(5, '0')}`;
      const { status } = await server.send({
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, namespace: 'default' },
          spec: { schedulerName: 'missing', containers: [{ name: 'idle', image: 'pause' }] },
        }),
      });
      if (status !== 201) throw new Error(`${name}: ${status}`);
    }
    const page = await api.table(PODS, { namespace: 'default', limit: 500 });
    expect(page.remaining).toBe(9_500);
    expect(page.rows[0]?.cells.slice(0, 4)).toEqual(['idle-00000', '0/1', 'Pending', '0']);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(15_000);
  });

  it('deletes the content of a deleted namespace', async () => {
    await api.remove({ group: '', version: 'v1', plural: 'namespaces', namespace: null, name: 'shop' });
    await until('the namespace to go', async () =>
      (await api.list({ group: '', version: 'v1', plural: 'namespaces' })).every(
        ({ metadata }) => metadata.name !== 'shop',
      ),
    );
    expect(await api.list(PODS, { namespace: 'shop' })).toEqual([]);
  });
});
