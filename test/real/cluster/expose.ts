import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from '@jest/globals';
import type { ExposeDto, ExposedDto } from '../../../backend/src/modules/expose/expose.dto.js';
import type { ForwardDto } from '../../../backend/src/modules/forwards/forwards.dto.js';
import { openForward } from '../../support/forward-page.js';
import { waitFor } from '../../support/wait-for.js';
import { NODE_PORT, type RealCluster } from '../support/real-cluster.js';

/** A web server whose page is its name. */
const server = (name: string, port: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: default}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}, app.kubernetes.io/name: ${name}}}
    spec:
      terminationGracePeriodSeconds: 0
      ${more}
      containers:
        - name: main
          image: busybox:1.36
          imagePullPolicy: IfNotPresent
          command: [sh, -c, "echo page of ${name} > /tmp/index.html; exec httpd -f -p 8080 -h /tmp"]
          ports: [${port}]
`;
const SITE = server('site', '{name: http, containerPort: 8080}');
/** A web server in place of an ingress controller: only its published port is tested here, not what it routes. */
const CONTROLLER = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: router, labels: {app.kubernetes.io/name: router}}
spec: {controller: example.test/router}
---
${server(
  'router',
  `{name: web, containerPort: 8080, hostPort: ${NODE_PORT}}`,
  'nodeSelector: {node-role.kubernetes.io/control-plane: ""}\n      tolerations: [{key: node-role.kubernetes.io/control-plane}]',
)}`;

/** Fetches a page by the host name in its URL, which not every resolver knows as this machine. */
async function pageAt(url: string): Promise<{ status: number | undefined; page: string }> {
  const { host, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, headers: { host } }, (response) => {
      text(response).then((page) => resolve({ status: response.statusCode, page }), reject);
    });
    asked.on('error', reject).end();
  });
}

export function testExpose(cluster: RealCluster): void {
  const forwards = `/clusters/${cluster.name}/forwards`;
  const deploy = async (name: string, yaml: string): Promise<void> => {
    await cluster.product.call('POST', `/clusters/${cluster.name}/resources/apply`, { yaml });
    await cluster.kubectl('rollout', 'status', `deployment/${name}`, '--timeout=90s');
  };
  const expose = async (body: ExposeDto, query = ''): Promise<ExposedDto> => {
    const path = `/clusters/${cluster.name}/resources/apps/v1/deployments/site/expose?namespace=default${query}`;
    const response = await cluster.product.call<ExposedDto>('POST', path, body);
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return response.body;
  };

  beforeAll(async () => {
    await cluster.serviceAccount();
    await deploy('site', SITE);
  });

  it('creates a Service, and serves its page through a port-forward', async () => {
    expect(await expose({}, '&dry_run=true')).toMatchObject({ way: 'forward', link: null, warnings: [] });
    expect(await cluster.kubectl('get', 'services', '--output=name')).not.toContain('site');
    const { link, way, local_address, message } = await expose({});
    expect([way, message]).toEqual(['forward', 'Created Service default/site.']);
    const opened = await openForward(link ?? '');
    expect([opened.status, opened.text]).toEqual([200, 'page of site\n']);
    expect(await pageAt(`http://${local_address}/`)).toEqual({ status: 200, page: 'page of site\n' });
  });

  it('creates an Ingress, with a link by the published port of its controller', async () => {
    await deploy('router', CONTROLLER);
    const { link, way, message } = await expose({});
    expect([way, link, message]).toEqual([
      'published_port',
      `http://site.localhost:${cluster.port}/`,
      'Created Ingress default/site.',
    ]);
    const isServed = (): Promise<boolean> =>
      pageAt(link ?? '').then(
        ({ status, page }) => status === 200 && page === 'page of router\n',
        () => false,
      );
    await waitFor(isServed, 'the published port', 10_000);
    const jsonpath = '{.spec.ingressClassName} {.spec.rules[0].host} {.spec.rules[0].http.paths[0].backend}';
    expect(await cluster.kubectl('get', 'ingress', 'site', `--output=jsonpath=${jsonpath}`)).toBe(
      'router site.localhost {"service":{"name":"site","port":{"number":8080}}}',
    );
    expect(await expose({})).toMatchObject({ message: 'It is already exposed.', link });
  });

  it('leaves nothing that other parts use', async () => {
    const { body } = await cluster.product.call<ForwardDto[]>('GET', forwards);
    for (const { id } of body) await cluster.product.call('DELETE', `${forwards}/${id}`);
    await cluster.kubectl('delete', 'deployment,service,ingress', '--ignore-not-found', 'site', 'router');
    expect(await cluster.kubectl('delete', 'ingressclass', 'router')).toContain('deleted');
  });
}
