import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PreparedConnection } from '../../../../test/support/prepared-connection.js';
import { ConnectionResources } from './connection-resources.js';

const PODS = { group: '', version: 'v1', plural: 'pods' };

function reach(answers: Record<string, unknown>): {
  api: ConnectionResources;
  connection: PreparedConnection;
} {
  const connection = new PreparedConnection(answers);
  return { api: new ConnectionResources('demo', connection), connection };
}

describe('Discovery', () => {
  const aggregated = {
    'GET /api': {
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: {},
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'pods',
                  responseKind: { kind: 'Pod' },
                  scope: 'Namespaced',
                  verbs: ['list'],
                  shortNames: ['po'],
                },
              ],
            },
          ],
        },
      ],
    },
    'GET /apis': {
      kind: 'APIGroupDiscoveryList',
      items: [
        // Its server is unavailable.
        { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
        {
          metadata: { name: 'cats.example' },
          versions: ['v2', 'v1'].map((version) => ({
            version,
            resources: [
              { resource: 'cats', responseKind: { kind: 'Cat' }, scope: 'Cluster', verbs: ['list'] },
            ],
          })),
        },
      ],
    },
  };
  const cat = { group: 'cats.example', plural: 'cats', kind: 'Cat', namespaced: false, custom: true };

  afterEach(() => {
    jest.useRealTimers();
  });

  it('uses aggregated discovery, and ignores stale groups', async () => {
    const { api, connection } = reach(aggregated);
    expect(await api.types()).toMatchObject([
      { ...PODS, kind: 'Pod', namespaced: true, shortNames: ['po'], custom: false },
      { ...cat, version: 'v2' },
    ]);
    expect(await api.type({ group: 'cats.example', version: 'v1', plural: 'cats' })).toMatchObject({
      ...cat,
      version: 'v1',
    });
    expect(connection.paths).toEqual(['/api', '/apis']);
  });

  const HOSTILE = ['..', 'a/../b', 'a%2fb', 'a?b', 'a b', '', 'A'];

  it('ignores types whose names cannot be parts of a path', async () => {
    const items = (group: string, version: string, resource: string): object => ({
      metadata: { name: group },
      versions: [{ version, resources: [{ resource, responseKind: { kind: 'X' } }] }],
    });
    const { api } = reach({
      'GET /api': aggregated['GET /api'],
      'GET /apis': {
        kind: 'APIGroupDiscoveryList',
        items: HOSTILE.flatMap((name) => [
          ...(name === '' ? [] : [items(name, 'v1', 'cats')]),
          items('cats.example', name, 'cats'),
          items('cats.example', 'v1', name),
        ]),
      },
    });
    expect((await api.types()).map(({ plural }) => plural)).toEqual(['pods']);
  });

  it('requests no group and version that cannot be parts of a path', async () => {
    const { api, connection } = reach({
      'GET /api': { kind: 'APIVersions', versions: HOSTILE },
      'GET /apis': {
        kind: 'APIGroupList',
        groups: HOSTILE.flatMap((name) => [
          { name, versions: [{ version: name }] },
          { name: 'cats.example', versions: [{ version: name }] },
        ]),
      },
    });
    expect(await api.types()).toEqual([]);
    expect(connection.paths).toEqual(['/api', '/apis']);
  });

  it('falls back to one request per group version, and ignores failing ones', async () => {
    const { api } = reach({
      'GET /api': { kind: 'APIVersions', versions: ['v1'] },
      'GET /api/v1': {
        kind: 'APIResourceList',
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list'], shortNames: ['po'] },
          { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
        ],
      },
      'GET /apis': {
        kind: 'APIGroupList',
        groups: [
          { name: 'metrics.k8s.io', versions: [{ version: 'v1beta1' }] },
          {
            name: 'cats.example',
            versions: [{ version: 'v1' }, { version: 'v2' }],
            preferredVersion: { version: 'v2' },
          },
        ],
      },
      'GET /apis/metrics.k8s.io/v1beta1': { status: 503 },
      'GET /apis/cats.example/v1': { resources: [{ name: 'cats', kind: 'Cat', verbs: ['list'] }] },
      'GET /apis/cats.example/v2': { resources: [{ name: 'cats', kind: 'Cat', verbs: ['list'] }] },
    });
    expect(await api.types()).toMatchObject([
      { ...PODS, kind: 'Pod', namespaced: true, shortNames: ['po'], custom: false },
      { ...cat, version: 'v2' },
    ]);
  });

  it('caches types for a minute, and refreshes them for an unknown type', async () => {
    jest.useFakeTimers({ now: 0 });
    const { api, connection } = reach(aggregated);
    const unknown = (): Promise<unknown> => api.type({ ...PODS, plural: 'dogs' }).catch(() => undefined);
    await api.types();
    await unknown();
    await unknown();
    expect(connection.requests).toHaveLength(2);
    jest.advanceTimersByTime(1500);
    await Promise.all([unknown(), unknown()]);
    expect(connection.requests).toHaveLength(4);
    jest.advanceTimersByTime(50_000);
    await api.types();
    expect(connection.requests).toHaveLength(4);
    jest.advanceTimersByTime(15_000);
    await api.types();
    expect(connection.requests).toHaveLength(6);
  });
});
