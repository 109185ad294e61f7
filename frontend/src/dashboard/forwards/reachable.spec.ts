import { describe, expect, it } from '@jest/globals';
import type { ForwardDto } from '../../shared/api/api-types';
import { fakeApi } from '../../shared/testing/fake-api';
import { aCluster } from '../../shared/testing/records';
import { aColumn, anObject, aRow, aTable, aType } from '../../shared/testing/resource-records';
import { findReach } from './reachable';

const forward = (change: Partial<ForwardDto>): ForwardDto =>
  ({ plural: 'services', namespace: 'shop', object: 'web', hosts: [], url: null, ...change }) as ForwardDto;

const FORWARDS = [
  forward({ local_address: '127.0.0.1:8080', url: 'http://abc.localhost:8080' }),
  forward({ object: 'db', local_address: '127.0.0.1:5432' }),
  forward({ plural: 'deployments', local_address: '127.0.0.1:9090' }),
];
const SERVICES = aTable(
  [
    aRow({ name: 'web', cells: ['web', 'app=web'] }),
    aRow({ name: 'db', cells: ['db', 'app=db'] }),
    aRow({ name: 'external', cells: ['external', '<none>'] }),
  ],
  { columns: [aColumn('Name'), aColumn('Selector')] },
);
const INGRESS = anObject({
  type: aType({ group: 'networking.k8s.io', plural: 'ingresses', kind: 'Ingress' }),
  name: 'web',
  spec: {
    rules: [
      { host: 'web.localhost', http: { paths: [{ backend: { service: { name: 'web' } } }] } },
      { host: 'db.localhost', http: { paths: [{ backend: { service: { name: 'db' } } }] } },
      { host: 'web.example.com', http: { paths: [{ backend: { service: { name: 'web' } } }] } },
    ],
  },
});
const API = fakeApi({
  'GET /api/v1/clusters/{name}/forwards': () => FORWARDS,
  'GET /api/v1/clusters/{name}/resources/{group}/{version}/{plural}': ({ plural }) =>
    plural === 'services' ? SERVICES : aTable([aRow({ name: 'web' })]),
  'GET /api/v1/clusters/{name}/resources/{group}/{version}/{plural}/{object}': () => INGRESS,
});
const CLUSTER = aCluster({
  ports: [{ listen_address: '127.0.0.1', host_port: 8180, container_port: 80, protocol: 'TCP' }],
});

describe('findReach', () => {
  const of = async (
    object: Parameters<typeof findReach>[2],
    labels: Record<string, string> = {},
  ): Promise<string[]> => (await findReach(API, CLUSTER, object, labels)).map(({ address }) => address);

  it('finds the port-forwards to a Deployment and its Service, and the local hosts of its Ingress', async () => {
    const deployment = anObject({
      type: aType({ group: 'apps', plural: 'deployments', kind: 'Deployment' }),
      name: 'web',
      spec: { template: { metadata: { labels: { app: 'web', tier: 'front' } } } },
    });
    expect(await of(deployment)).toEqual([
      'http://127.0.0.1:8080',
      '127.0.0.1:9090',
      'http://web.localhost:8180/',
    ]);
  });

  it('finds those of a Pod, a Service and an Ingress', async () => {
    const pod = anObject({ type: aType({ group: 'core', plural: 'pods', kind: 'Pod' }), name: 'db-0' });
    expect(await of(pod, { app: 'db' })).toEqual(['127.0.0.1:5432', 'http://db.localhost:8180/']);
    const service = anObject({
      type: aType({ group: 'core', plural: 'services', kind: 'Service' }),
      name: 'db',
    });
    expect(await of(service)).toEqual(['127.0.0.1:5432', 'http://db.localhost:8180/']);
    expect(await of(INGRESS)).toEqual(['http://web.localhost:8180/', 'http://db.localhost:8180/']);
  });

  it('finds nothing for other kinds', async () => {
    expect(await of(anObject())).toEqual([]);
  });
});
