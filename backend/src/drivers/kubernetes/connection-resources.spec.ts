import { describe, expect, it, jest } from '@jest/globals';
import { NOTHING, PreparedConnection } from '../../../../test/support/prepared-connection.js';
import { ConnectionResources } from './connection-resources.js';
import type { KubernetesObject } from './object-fields.js';
import type { TableChange } from './resource-api.js';

const PODS = { group: '', version: 'v1', plural: 'pods' };
function reach(answers: Record<string, unknown>): {
  api: ConnectionResources;
  connection: PreparedConnection;
} {
  const connection = new PreparedConnection(answers);
  return { api: new ConnectionResources('demo', connection), connection };
}

function refused(code: number, reason: string, message: string, details: object = {}): object {
  return { status: code, kind: 'Status', reason, message, code, details };
}

describe('ConnectionResources with a server without tables', () => {
  const metadata = { name: 'tom', uid: 'u1', namespace: 'home', creationTimestamp: '2026-11-22T05:00:00Z' };
  const type = { group: 'cats.example', version: 'v2', plural: 'cats' };

  it('creates a table with name and age', async () => {
    const { api } = reach({
      'GET /apis/cats.example/v2/cats?limit=500&includeObject=Metadata': {
        kind: 'CatList',
        metadata: { resourceVersion: '7' },
        items: [{ kind: 'Cat', metadata }],
      },
    });
    expect(await api.table(type)).toMatchObject({
      columns: [{ name: 'Name' }, { name: 'Age', type: 'date' }],
      rows: [{ uid: 'u1', name: 'tom', namespace: 'home', cells: ['tom', metadata.creationTimestamp] }],
      continue: null,
      remaining: 0,
      resourceVersion: '7',
    });
  });

  it('watches objects', async () => {
    const { api, connection } = reach({});
    connection.lines = [
      { type: 'ADDED', object: { kind: 'Cat', metadata: { ...metadata, resourceVersion: '8' } } },
      { type: 'BOOKMARK', object: { kind: 'Cat', metadata: { resourceVersion: '9' } } },
    ].map((event) => JSON.stringify(event));
    const seen: [TableChange[], string][] = [];
    const signal = new AbortController().signal;
    const onChanges = (changes: TableChange[], version: string): void => void seen.push([changes, version]);
    expect(await api.watch(type, { resourceVersion: '7', signal, onChanges })).toBe('closed');
    expect(seen).toMatchObject([[[{ type: 'upsert', row: { uid: 'u1', name: 'tom' } }], '9']]);
  });
});

describe('ConnectionResources.table', () => {
  const path = (limit: number, token = ''): string =>
    `GET /api/v1/pods?limit=${limit}${token}&includeObject=Metadata`;
  const page = (from: number, count: number, remaining: number): object => ({
    kind: 'Table',
    metadata: {
      resourceVersion: '7',
      ...(remaining > 0 ? { continue: `after-${from + count}`, remainingItemCount: remaining } : {}),
    },
    columnDefinitions: [{ name: 'Name' }],
    rows: Array.from({ length: count }, (_, index) => ({
      cells: [from + index],
      object: { metadata: { name: `pod-${from + index}` } },
    })),
  });
  const answers = {
    [path(500)]: page(0, 500, 700),
    [path(500, '&continue=after-500')]: page(500, 500, 200),
    [path(500, '&continue=after-1000')]: page(1000, 200, 0),
    [path(100, '&continue=after-500')]: page(500, 100, 600),
  };

  it('combines all pages', async () => {
    const table = await reach(answers).api.table(PODS);
    expect(table).toMatchObject({ continue: null, remaining: 0, resourceVersion: '7' });
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(
      Array.from({ length: 1200 }, (_, index) => index),
    );
  });

  it('ends at the limit', async () => {
    const table = await reach(answers).api.table(PODS, { limit: 600 });
    expect(table.rows).toHaveLength(600);
    expect(table).toMatchObject({ continue: 'after-600', remaining: 600 });
  });
});

describe('ConnectionResources.watch', () => {
  const event = (type: string, version: number): string =>
    JSON.stringify({
      type,
      object: {
        kind: 'Table',
        metadata: { resourceVersion: String(version) },
        rows: [{ cells: ['web'], object: { metadata: { name: 'web', uid: 'u1' } } }],
      },
    });
  const failure = (code: number): string =>
    JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, message: 'etcd is away' } });

  it('reports events that arrive together in one call', async () => {
    const { api, connection } = reach({});
    connection.lines = Array.from({ length: 1000 }, (_, index) => event('MODIFIED', index + 1));
    const calls: [number, string][] = [];
    const onChanges = ({ length }: TableChange[], version: string): void =>
      void calls.push([length, version]);
    await api.watch(PODS, { resourceVersion: '0', signal: new AbortController().signal, onChanges });
    expect(calls).toEqual([[1000, '1000']]);
  });

  it('reports pending changes and ends as expired if its version is too old', async () => {
    const { api, connection } = reach({});
    connection.lines = [event('ADDED', 3), failure(410), event('ADDED', 4)];
    const onChanges = jest.fn();
    const watch = { resourceVersion: '0', signal: new AbortController().signal, onChanges };
    expect(await api.watch(PODS, watch)).toBe('expired');
    expect(onChanges.mock.calls).toEqual([[[expect.objectContaining({ type: 'upsert' })], '3']]);
  });

  it('fails on an error event of the server', async () => {
    const { api, connection } = reach({});
    connection.lines = [failure(500)];
    const watch = { resourceVersion: '0', signal: new AbortController().signal, onChanges: () => undefined };
    await expect(api.watch(PODS, watch)).rejects.toMatchObject({
      code: 'cluster_unreachable',
      message: expect.stringContaining('etcd is away') as unknown,
    });
  });

  it('reports nothing after its signal aborts', async () => {
    const { api, connection } = reach({});
    connection.lines = [event('ADDED', 3)];
    const onChanges = jest.fn();
    expect(await api.watch(PODS, { resourceVersion: '0', signal: AbortSignal.abort(), onChanges })).toBe(
      'closed',
    );
    expect(onChanges).not.toHaveBeenCalled();
  });
});

describe('requests of ConnectionResources', () => {
  const role = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'clusterroles',
    namespace: null,
    name: 'system:aggregate-to-view?',
  };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aaggregate-to-view%3F';

  it('encode the path of an object', async () => {
    const { api, connection } = reach({ [`GET ${path}`]: { metadata: { name: role.name } } });
    await api.read(role);
    expect(connection.paths).toEqual([path]);
  });

  it('have the delete options in the body, including a dry run', async () => {
    const { api, connection } = reach({ [`DELETE ${path}`]: { kind: 'Status' } });
    await api.remove(role, { propagation: 'Foreground', gracePeriodSeconds: 0, uid: 'u1', dryRun: true });
    expect(JSON.parse(connection.requests[0]?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u1' },
      dryRun: ['All'],
    });
  });

  it('apply with the field manager slipway and without managedFields', async () => {
    const { api, connection } = reach({});
    const object: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'X',
      metadata: { name: 'x', managedFields: [{}] },
    };
    await api.apply(role, object, { dryRun: true, force: true }).catch(() => undefined);
    expect(connection.requests).toMatchObject([
      {
        method: 'PATCH',
        path: `${path}?fieldManager=slipway&dryRun=All&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: '{"apiVersion":"v1","kind":"X","metadata":{"name":"x"}}',
      },
    ]);
  });
});

describe('errors of ConnectionResources', () => {
  const pod = { namespace: 'shop', name: 'web' };
  const eviction = 'POST /api/v1/namespaces/shop/pods/web/eviction';
  const list = 'GET /api/v1/pods?limit=500&includeObject=Metadata';

  it.each([
    [
      'a refused connection',
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      'cluster_unreachable',
      /no program listens on its port/,
    ],
    [
      'a timeout',
      Object.assign(new Error('aborted'), { name: 'TimeoutError' }),
      'cluster_unreachable',
      /took too long/,
    ],
    [
      'an overloaded server',
      refused(429, 'TooManyRequests', 'slow down'),
      'cluster_unreachable',
      /slow down/,
    ],
    ['an unavailable etcd', refused(500, 'InternalError', 'no leader'), 'cluster_unreachable', /no leader/],
    [
      'invalid credentials',
      refused(401, 'Unauthorized', 'Unauthorized'),
      'resource_forbidden',
      /credentials/,
    ],
    [
      'a missing permission',
      refused(403, 'Forbidden', 'pods is forbidden'),
      'resource_forbidden',
      /pods is forbidden/,
    ],
    ['an expired page', refused(410, 'Expired', 'too old'), 'page_expired', /Reload it/],
    [
      'an object that etcd does not take',
      refused(500, 'InternalError', 'etcdserver: request is too large'),
      'payload_too_large',
      /request is too large\. By default, etcd takes 1\.5 MB/,
    ],
    [
      'a request that the API server does not take',
      refused(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
      'payload_too_large',
      /limit is 3145728/,
    ],
    ['a type that is not served', NOTHING, 'resource_type_not_found', /does not serve pods/],
  ])('explain %s', async (_what, response, code, message) => {
    const { api } = reach({ [list]: response === NOTHING ? undefined : response });
    await expect(api.table(PODS)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('are resource_refused for a rejecting webhook, although the server responds with 500', async () => {
    const path = 'PATCH /api/v1/namespaces/shop/pods/web?fieldManager=slipway';
    const { api } = reach({ [path]: refused(500, 'InternalError', 'failed calling webhook "policy"') });
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
    await expect(api.apply({ ...PODS, ...pod }, object)).rejects.toMatchObject({ code: 'resource_refused' });
  });

  it('distinguish disruption budgets from an overloaded server', async () => {
    const budgets = refused(429, 'TooManyRequests', 'Cannot evict pod', {
      causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods' }],
    });
    expect(await reach({ [eviction]: budgets }).api.evict(pod)).toEqual({
      blocked: 'The disruption budget web needs 2 healthy pods',
    });
    const several = refused(500, 'InternalError', 'This pod has more than one PodDisruptionBudget');
    expect(await reach({ [eviction]: several }).api.evict(pod)).toEqual({
      blocked: 'This pod has more than one PodDisruptionBudget',
    });
    const overloaded = refused(429, 'TooManyRequests', 'slow down');
    await expect(reach({ [eviction]: overloaded }).api.evict(pod)).rejects.toMatchObject({
      code: 'cluster_unreachable',
    });
  });
});

describe('ConnectionResources.usage', () => {
  it('sums the containers of a Pod', async () => {
    const { api } = reach({
      'GET /apis/metrics.k8s.io/v1beta1/pods': {
        items: [
          {
            metadata: { name: 'web', namespace: 'shop' },
            containers: [
              { name: 'app', usage: { cpu: '1500000n', memory: '2Mi' } },
              { name: 'proxy', usage: { cpu: '10m', memory: '1048576' } },
            ],
          },
        ],
      },
      'GET /apis/metrics.k8s.io/v1beta1/nodes': {
        items: [{ metadata: { name: 'node' }, usage: { cpu: '1.5', memory: '3Gi' } }],
      },
    });
    expect(await api.usage()).toEqual({
      pods: [
        {
          namespace: 'shop',
          name: 'web',
          cpuMillicores: 12,
          memoryBytes: 3 * 2 ** 20,
          containers: [
            { name: 'app', cpuMillicores: 2, memoryBytes: 2 * 2 ** 20 },
            { name: 'proxy', cpuMillicores: 10, memoryBytes: 2 ** 20 },
          ],
        },
      ],
      nodes: [{ name: 'node', cpuMillicores: 1500, memoryBytes: 3 * 2 ** 30 }],
    });
  });

  it('is null without metrics-server', async () => {
    expect(await reach({}).api.usage()).toBeNull();
  });
});
