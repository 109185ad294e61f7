import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExposeDto, ExposedDto } from '../../backend/src/modules/expose/expose.dto.js';
import type { ForwardDto } from '../../backend/src/modules/forwards/forwards.dto.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, journalOf, lastDiff } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { openForward } from '../support/forward-page.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const CLUSTER = '/api/v1/clusters/staging';
const RESOURCES = `${CLUSTER}/resources`;
const SERVICE = `${RESOURCES}/core/v1/services/web?namespace=default`;

const deployment = (name: string, ports: string, spec = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: default}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}, app.kubernetes.io/name: ${name}}}
    spec:
      ${spec}
      containers: [{name: main, image: "nginx:1.27", ports: ${ports}}]
`;
const OBJECTS = [
  deployment('web', '[{name: http, containerPort: 80}, {name: dns, containerPort: 53, protocol: UDP}]'),
  deployment('db', '[{containerPort: 5432}]'),
  deployment('later', '[{containerPort: 80}]').replace('spec:', 'spec:\n  replicas: 0'),
].join('---\n');
/** An ingress controller behind the published port. */
const CONTROLLER = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: traefik, labels: {app.kubernetes.io/name: traefik}}
spec: {controller: traefik.io/ingress-controller}
---
${deployment('traefik', '[{name: web, containerPort: 8000, hostPort: 80}]', 'nodeName: staging-control-plane')}`;

describe('POST /clusters/{name}/resources/{group}/{version}/{plural}/{object}/expose', () => {
  let app: TestApp;
  const send = (
    name: string,
    body: ExposeDto = {},
    query = '',
    type = 'apps/v1/deployments',
  ): Promise<ApiResponse> =>
    app.client.send('POST', `${RESOURCES}/${type}/${name}/expose?namespace=default${query}`, { body });
  const expose = async (name: string, body: ExposeDto = {}, query = ''): Promise<ExposedDto> => {
    const response = await send(name, body, query);
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return response.body as ExposedDto;
  };
  const apply = (yaml: string): Promise<ApiResponse> =>
    app.client.send('POST', `${RESOURCES}/apply`, { body: { yaml } });
  const isReady = (name: string): Promise<unknown> =>
    app.client.until(`${RESOURCES}/apps/v1/deployments/${name}?namespace=default`, (object) =>
      JSON.stringify(object).includes('readyReplicas'),
    );

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'staging', {
      port_mappings: [{ container_port: 80, host_port: 18_080 }],
    });
    await apply(OBJECTS);
    await isReady('web');
    await isReady('db');
  });

  afterAll(() => app.stop());

  it('shows in a dry run what would be created, and creates nothing', async () => {
    expect(await expose('web', {}, '&dry_run=true')).toEqual({
      objects: [
        {
          group: 'core',
          version: 'v1',
          plural: 'services',
          kind: 'Service',
          namespace: 'default',
          name: 'web',
          outcome: 'created',
          yaml: expect.stringContaining('targetPort: http') as unknown,
        },
      ],
      port: 'http',
      service_port: 80,
      protocol: 'http',
      ingress_class: null,
      host: null,
      way: 'forward',
      link: null,
      local_address: null,
      access: null,
      message: 'Created Service default/web.',
      warnings: [],
      dry_run: true,
    });
    expectError(await app.client.send('GET', SERVICE), 404, 'resource_not_found');
    expect(await app.client.get<ForwardDto[]>(`${CLUSTER}/forwards`)).toEqual([]);
  });

  it('creates a Service and a link to its page', async () => {
    const exposed = await expose('web');
    expect(exposed).toMatchObject({ way: 'forward', warnings: [], message: 'Created Service default/web.' });
    const page = await openForward(exposed.link ?? '');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('demo Pod')]);
    expect(await journalOf(app.client, '?kind=resource-expose')).toMatchObject([
      {
        subject: 'deployments/default/web',
        outcome: 'succeeded',
        message: 'Exposed deployment default/web: created Service default/web.',
      },
    ]);
    expect(await lastDiff(app.client, 'resource-expose')).toMatchObject({
      before: null,
      after: expect.stringContaining('kind: Service\n'),
    });
  });

  it('uses the Service and the port-forward that exist', async () => {
    const again = await expose('web');
    expect(again).toMatchObject({ objects: [{ outcome: 'unchanged' }], message: 'It is already exposed.' });
    expect(await app.client.get<ForwardDto[]>(`${CLUSTER}/forwards`)).toMatchObject([
      { local_address: again.local_address },
    ]);
    expect(await journalOf(app.client, '?kind=resource-expose')).toHaveLength(1);
  });

  it('gives a database an address', async () => {
    expect(await expose('db')).toMatchObject({
      protocol: 'tcp',
      way: 'forward',
      link: null,
      local_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as unknown,
    });
  });

  it('says why a link does not work yet', async () => {
    const warnings = ['Service default/later has no ready Pod. The link works once one is ready.'];
    expect(await expose('later')).toMatchObject({
      link: expect.stringMatching(/^http:\/\/[a-z]{12}\.localhost:\d+\/\?slipway_key=/),
      warnings,
    });
  });

  it('creates a Service without a link for UDP', async () => {
    expect(await expose('web', { port: 'dns', name: 'web-dns' })).toMatchObject({
      protocol: 'udp',
      way: null,
      link: null,
      warnings: ['Port-forwards and browsers use TCP, so there is no link to a UDP port.'],
    });
  });

  it('creates an Ingress, and a link by a port that its controller has', async () => {
    await apply(CONTROLLER);
    await isReady('traefik');
    expect(await expose('web')).toMatchObject({
      objects: [
        { kind: 'Service', outcome: 'unchanged' },
        { kind: 'Ingress', outcome: 'created' },
      ],
      ingress_class: 'traefik',
      host: 'web.localhost',
      way: 'published_port',
      link: 'http://web.localhost:18080/',
      local_address: null,
      access: 'Every user and program of this machine can open it.',
      warnings: [],
    });
    expect(await expose('db')).toMatchObject({ ingress_class: 'traefik', host: null, objects: [{}] });
    expect(await expose('later', { host: 'later.example.test' })).toMatchObject({
      way: 'forward',
      warnings: [
        'Slipway does not know whether later.example.test leads to this machine.',
        expect.stringContaining('no ready Pod'),
      ],
    });
  });

  it.each<[string, ExposeDto, string]>([
    ['web', { port: '0' }, 'port must be a port number'],
    ['web', { port: 'grpc' }, 'Available: 80 (http), 53 (dns)'],
    ['web', { name: 'Web' }, 'name must be a valid Service name'],
    ['web', { host: 'https://web' }, 'host must be a host name'],
    ['db', { name: 'web' }, 'name must be another: Service web already exists and selects other Pods'],
    ['db', { ingress: true }, 'an Ingress needs a port that speaks HTTP'],
  ])('rejects %s with %j', async (name, body, message) => {
    const response = await send(name, body);
    expectError(response, 400, 'invalid_input');
    expect((response.body as { message: string }).message).toContain(message);
  });

  it('rejects other kinds', async () => {
    const response = await send('web', {}, '', 'core/v1/services');
    expectError(response, 422, 'resource_refused');
    expect((response.body as { message: string }).message).toBe(
      'A service cannot be exposed. Deployments, StatefulSets, DaemonSets, ReplicaSets and Pods can.',
    );
  });
});
