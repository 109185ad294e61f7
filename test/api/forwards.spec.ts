import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SocketOwners } from '../../backend/src/core/security/socket-owner.js';
import type { ForwardDto, StartForwardDto } from '../../backend/src/modules/forwards/forwards.dto.js';
import { createCluster, jobEnded, journalOf } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { getPage, openForward } from '../support/forward-page.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const FORWARDS = '/api/v1/clusters/staging/forwards';
const RESOURCES = '/api/v1/clusters/staging/resources';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: main
          image: "nginx:1.27"
          ports: [{name: http, containerPort: 80}, {name: dns, containerPort: 53, protocol: UDP}, {name: db, containerPort: 5432}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec:
  selector: {app: web}
  ports: [{name: web, port: 8000, targetPort: http}]
`;
const SERVICE: StartForwardDto = { plural: 'services', namespace: 'default', object: 'web', port: '8000' };

/** The response of a local address to an HTTP request. */
async function pageAt({ local_port }: ForwardDto, host = `localhost:${local_port}`): Promise<string> {
  const socket = connect(local_port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return await text(socket).catch(() => 'closed');
}

describe('port-forwards', () => {
  let app: TestApp;
  let folder: string;
  const start = async (changes: Partial<StartForwardDto> = {}): Promise<ForwardDto> => {
    const { status, body } = await app.client.send('POST', FORWARDS, { body: { ...SERVICE, ...changes } });
    expect(status).toBe(201);
    return body as ForwardDto;
  };
  const list = (): Promise<ForwardDto[]> => app.client.get<ForwardDto[]>(FORWARDS);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-forwards-'));
    app = await startApp({ dataDirectory: folder });
    await createCluster(app.client, 'staging');
    await app.client.send('POST', `${RESOURCES}/apply`, { body: { yaml: WEB } });
    await app.client.until<ForwardDto>(`${RESOURCES}/apps/v1/deployments/web?namespace=default`, (object) =>
      JSON.stringify(object).includes('readyReplicas'),
    );
  });

  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  it('forward TCP to a ready Pod of a Service, and its page to a browser with the link', async () => {
    const forward = await start();
    expect(forward).toMatchObject({ state: 'ready', protocol: 'http', pod_port: 80, notice: null });
    expect(await pageAt(forward)).toContain(`<title>${forward.pod ?? ''}</title>`);
    const opened = await openForward(forward.url ?? '');
    expect(opened.text).toContain('demo Pod');
    const { origin, port } = new URL(forward.url ?? '');
    expect(origin).toMatch(/^http:\/\/[a-z]{12}\.localhost:/);
    expect(port).toBe(String(forward.local_port));
    expect((await getPage(origin)).status).toBe(403);
    const [listed] = await list();
    expect(listed).toMatchObject({ id: forward.id, url: origin, state_reason: null });
    expect(listed?.bytes_from_pod).toBeGreaterThan(1000);
    // Starting it once more returns it.
    expect(await start()).toMatchObject({
      id: forward.id,
      url: expect.stringContaining('slipway_key') as unknown,
    });
  });

  it('keeps forwarding after its Pod is deleted', async () => {
    const forward = await start();
    await app.client.send('DELETE', `${RESOURCES}/core/v1/pods/${forward.pod ?? ''}?namespace=default`);
    await app.client.until<ForwardDto[]>(
      FORWARDS,
      ([now]) => now?.state === 'ready' && now.pod !== forward.pod,
    );
    expect(await pageAt(forward)).toContain('demo Pod');
  });

  it('reject HTTP requests by a foreign host, unless the user has added it', async () => {
    const forward = await start();
    expect(await pageAt(forward, 'shop.example')).toContain('add the host to its hosts');
    expect((await start({ hosts: ['shop.example'] })).hosts).toEqual(['shop.example']);
    expect(await pageAt(forward, 'shop.example')).toContain('demo Pod');
    expect((await start({ hosts: [] })).hosts).toEqual([]);
    expect(await pageAt(forward, 'shop.example')).toContain('403 Forbidden');
  });

  it('give Safari a link that it can resolve', async () => {
    const { status, body } = await app.client.send('POST', FORWARDS, {
      body: SERVICE,
      headers: { 'User-Agent': 'Mozilla/5.0 (Macintosh) Version/18.5 Safari/605.1.15' },
    });
    expect([status, body]).toMatchObject([
      201,
      { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?slipway_key=/) },
    ]);
  });

  it('reject connections of other system users', async () => {
    const forward = await start();
    const uid = jest.spyOn(SocketOwners.prototype, 'uidOf').mockReturnValue(12_345);
    expect(await pageAt(forward)).toBe('closed');
    uid.mockRestore();
    expect((await list())[0]?.state_reason).toMatch('not of your own user');
  });

  it.each([
    [{ plural: 'nodes' }, 'plural must be one of pods, services'],
    [{ port: '0' }, 'port must be a port number'],
    [{ port: '-p' }, 'port must be a port number'],
    [{ port: '81' }, 'port must be a port of Service default/web. Available: 8000'],
    [{ plural: 'deployments', port: 'dns' }, 'Kubernetes forwards no UDP'],
    [{ plural: 'deployments', port: 'none' }, 'Available: 80, 5432'],
    [{ hosts: ['shop.example:80'] }, 'hosts must be host names'],
    [{ hosts: ['*'] }, 'hosts must be host names'],
    [{ namespace: '../x' }, 'namespace must be a valid namespace name'],
    [{ local_port: 70_000 }, 'local_port must be a whole number'],
  ])('rejects %j', async (changes, message) => {
    const response = await app.client.send('POST', FORWARDS, { body: { ...SERVICE, ...changes } });
    expectError(response, 400, 'invalid_input');
    expect((response.body as { message: string }).message).toContain(message);
  });

  it('says who uses a local port', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const response = await app.client.send('POST', FORWARDS, { body: { ...SERVICE, local_port: port } });
    expectError(response, 409, 'port_taken');
    expect((response.body as { message: string }).message).toContain('in use by Slipway');
    taken.close();
    const { local_port } = await start();
    const again = await app.client.send('POST', FORWARDS, {
      body: { ...SERVICE, plural: 'deployments', port: 'db', local_port },
    });
    expect((again.body as { message: string }).message).toContain('Service default/web port 8000');
  });

  it('are kept over a restart and a stop of the cluster, and stop with it', async () => {
    const db = await start({ plural: 'deployments', port: 'db' });
    expect(db).toMatchObject({ protocol: 'tcp', url: null, pod_port: 5432 });
    const { body } = await app.client.send('POST', '/api/v1/clusters/staging/stop');
    await jobEnded(app.client, (body as { job_id: number }).job_id);
    const reason = 'staging is stopped. Start it first.';
    await app.client.until<ForwardDto[]>(FORWARDS, (all) =>
      all.every((one) => one.state === 'waiting' && one.state_reason === reason),
    );
    expect(await pageAt(db)).toBe('closed');
    const started = await app.client.send('POST', '/api/v1/clusters/staging/start');
    await jobEnded(app.client, (started.body as { job_id: number }).job_id);
    await waitFor(async () => (await pageAt(db)).includes('Port 5432'), 'the port of the database');

    const before = await list();
    await app.stop();
    app = await startApp({ dataDirectory: folder });
    const summary = ({ id, local_address, url }: ForwardDto): object => ({ id, local_address, url });
    expect((await list()).map(summary)).toEqual(before.map(summary));

    const left = await app.client.send('DELETE', `${FORWARDS}/${before[0]?.id ?? ''}`);
    expect(left.body).toMatchObject([{ id: db.id }]);
    expectError(
      await app.client.send('DELETE', `${FORWARDS}/${before[0]?.id ?? ''}`),
      404,
      'forward_not_found',
    );
    const removal = await app.client.send('DELETE', '/api/v1/clusters/staging');
    await jobEnded(app.client, (removal.body as { job_id: number }).job_id);
    expect(await pageAt(db)).toBe('closed');
    expect(await journalOf(app.client, '?kind=forward-close')).toMatchObject([
      { message: expect.stringContaining('the cluster was deleted') as unknown },
      {
        message: expect.stringMatching(
          /^Stopped the port-forward from 127\.0\.0\.1:\d+ to Service default\/web port 8000\. /,
        ) as unknown,
      },
    ]);
  });

  it('have limits for port-forwards and open connections', async () => {
    await createCluster(app.client, 'staging');
    await app.client.send('POST', `${RESOURCES}/apply`, { body: { yaml: WEB } });
    const deployment = { plural: 'deployments' } as const;
    await app.client.until<ForwardDto>(`${RESOURCES}/apps/v1/deployments/web?namespace=default`, (object) =>
      JSON.stringify(object).includes('readyReplicas'),
    );
    const first = await start({ ...deployment, port: '1' });
    for (let port = 2; port <= 50; port += 1) await start({ ...deployment, port: String(port) });
    const more = await app.client.send('POST', FORWARDS, { body: { ...SERVICE, ...deployment, port: '51' } });
    expectError(more, 400, 'invalid_input');
    expect((more.body as { message: string }).message).toContain('50 port-forwards exist, the maximum');

    const sockets = Array.from({ length: 501 }, () => connect(first.local_port, '127.0.0.1'));
    const reset: unknown[] = [];
    for (const socket of sockets) socket.on('error', (error) => reset.push(error));
    await waitFor(() => reset.length > 0, 'a rejected connection');
    const rejected = (await list()).find(({ id }) => id === first.id);
    expect([reset.length, rejected?.connections]).toEqual([1, 500]);
    for (const socket of sockets) socket.destroy();
    await waitFor(async () => (await pageAt(first)).includes('Port 1 '), 'a connection below the limit');
  });
});
