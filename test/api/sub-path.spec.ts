import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { request as plainRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { readProject } from '../../backend/src/core/config/project.js';
import type { ForwardDto } from '../../backend/src/modules/forwards/forwards.dto.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { openForward } from '../support/forward-page.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { freePort } from '../support/free-port.js';
import { hasNginx, startNginx } from '../support/server/nginx.js';
import { PathProxy } from '../support/server/path-proxy.js';
import { waitFor } from '../support/wait-for.js';

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const ca = readFileSync(join(readProject().root, 'test', 'fixtures', 'tls', 'first.crt'));

const PROXIES = [
  ['a proxy that passes the path on', 'http', false],
  ['a proxy that removes the path', 'http', true],
  ...(hasNginx
    ? ([
        ['nginx that passes the path on', 'https', false],
        ['nginx that removes the path', 'https', true],
      ] as const)
    : []),
] as const;

describe.each(PROXIES)('below paths of one host, behind %s', (_name, scheme, removesPath) => {
  let dashboard: TestApp;
  let board: TestApp;
  let proxy: { port: number; stop: () => Promise<void> };
  let origin: string;
  let cookies: string[];

  beforeAll(async () => {
    const [port, boardPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
    const paths = [
      { path: '/slipway', port },
      { path: '/slipway/logs', port: boardPort },
    ] as const;
    proxy =
      scheme === 'https'
        ? await startNginx(paths, removesPath)
        : await PathProxy.start([...paths].reverse(), removesPath, proxyPort);
    origin = `${scheme}://localhost:${proxy.port}`;
    const environment = {
      APP_PORT: String(port),
      APP_LOG_BOARD_PORT: String(boardPort),
      APP_PUBLIC_URL: `${origin}/slipway/`,
      APP_LOG_BOARD_PUBLIC_URL: `${origin}/slipway/logs`,
      APP_TRUSTED_PROXIES: '127.0.0.1',
      APP_PASS: LOG_BOARD_PASSWORD,
    };
    dashboard = await startApp({ environment });
    board = await startLogBoard({ environment, dataDirectory: dashboard.dataDirectory });
    const signedIn = await ask('POST', '/slipway/api/auth/login', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: LOG_BOARD_PASSWORD }),
    });
    expect(signedIn.status).toBe(200);
    cookies = signedIn.headers['set-cookie'] ?? [];
    const { access_token } = JSON.parse(signedIn.text) as { access_token: string };
    bearer = { authorization: `Bearer ${access_token}` };
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await proxy.stop();
  });

  let bearer: { authorization: string };

  async function ask(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Seen> {
    const url = new URL(path, origin);
    const options = { host: '127.0.0.1', port: url.port, path: url.pathname + url.search, method };
    const host = { host: url.host, ...headers };
    const sent = await new Promise<Seen>((resolve, reject) => {
      const outgoing = (scheme === 'https' ? request : plainRequest)({ ...options, headers: host, ca });
      outgoing.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        text(response).then((content) => resolve({ status, headers: received, text: content }), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    return sent;
  }

  /** The cookies that a browser sends to a path. */
  function cookieFor(path: string): { cookie: string } {
    const sent = cookies.filter((cookie) => {
      const [, below = ''] = /; Path=([^;]+)/.exec(cookie) ?? [];
      return path === below || path.startsWith(`${below}/`);
    });
    return { cookie: sent.map((cookie) => cookie.split(';')[0]).join('; ') };
  }

  it('sets cookies for the paths of Slipway only', () => {
    const prefix = scheme === 'https' ? '__Secure-' : '';
    const found = cookies.map((cookie) => {
      const [name] = cookie.split('=');
      return [name, /; Path=([^;]+)/.exec(cookie)?.[1], /; Secure/.test(cookie)];
    });
    const expected = ['session', 'browser'].flatMap((kind) => [
      [`${prefix}slipway_${kind}_${dashboard.port}_path`, '/slipway', scheme === 'https'],
      [`${prefix}slipway_${kind}_${board.port}_path`, '/slipway/logs', scheme === 'https'],
    ]);
    expect(found).toEqual(expected);
  });

  it('redirects below the path: to the sign-in, and to the first page', async () => {
    const away = async (path: string, headers = {}): Promise<unknown> => {
      const answer = await ask('GET', path, { headers: { accept: 'text/html', ...headers } });
      return [answer.status, answer.headers.location];
    };
    expect(await away('/slipway/')).toEqual([302, '/slipway/login']);
    expect(await away('/slipway/jobs?a=1')).toEqual([302, '/slipway/login?next=%2Fjobs%3Fa%3D1']);
    expect(await away('/slipway/docs')).toEqual([302, '/slipway/login?next=%2Fdocs']);
    expect(await away('/slipway/logs/')).toEqual([302, '/slipway/logs/login']);
    expect(await away('/slipway/', cookieFor('/slipway/'))).toEqual([302, '/slipway/clusters']);
    expect(await away('/slipway/logs/', cookieFor('/slipway/logs/'))).toEqual([302, '/slipway/logs/logs']);
  });

  it.each([
    ['/slipway/clusters', '/slipway/'],
    ['/slipway/cluster/a/resources/core/v1/pods', '/slipway/'],
    ['/slipway/logs/logs', '/slipway/logs/'],
    ['/slipway/docs', '/slipway/docs'],
    ['/slipway/logs/docs', '/slipway/logs/docs'],
    ['/slipway/redoc', '/slipway/redoc'],
  ])('serves the page %s and its files', async (path, base) => {
    const headers = { accept: 'text/html', ...cookieFor(path) };
    const page = await ask('GET', path, { headers });
    expect(page.status).toBe(200);
    const links = [...page.text.matchAll(/ (?:src|href|spec-url)=["']([^"'$]+)["']/g)].map(
      ([, link = '']) => link,
    );
    if (base.endsWith('/')) expect(links.filter((link) => link.startsWith('/'))).toEqual([base]);
    const root = new URL(base, origin);
    const files = links.filter((link) => link !== base).map((link) => new URL(link, root));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const answer = await ask('GET', file.pathname, { headers: cookieFor(path) });
      expect([file.pathname, answer.status]).toEqual([file.pathname, 200]);
      expect(answer.headers['content-type']).not.toContain('text/html');
    }
  });

  it('names the path in the OpenAPI document, in Location and in status_url', async () => {
    const document = await ask('GET', '/slipway/openapi.json', { headers: cookieFor('/slipway/') });
    expect(JSON.parse(document.text)).toMatchObject({ servers: [{ url: '/slipway' }] });
    const created = await ask('POST', '/slipway/api/v1/clusters', {
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'below', workers: 0, node_image_tag: 'v1.34.4', runtime: 'demo' }),
    });
    expect([created.status, created.text]).toEqual([202, expect.stringContaining('"cluster":"below"')]);
    const { job_id, status_url } = JSON.parse(created.text) as { job_id: number; status_url: string };
    expect(status_url).toBe(`/slipway/api/v1/jobs/${job_id}`);
    expect(created.headers.location).toBe(status_url);
    expect((await ask('GET', status_url, { headers: bearer })).status).toBe(200);
    const former = await ask('PUT', '/slipway/api/v1/clusters/below/addons/x', { headers: bearer });
    expect([former.status, former.headers.location]).toEqual([
      308,
      '/slipway/api/v1/clusters/below/addons/releases/x',
    ]);
  });

  it('starts a port-forward, whose page has an origin of its own without the path', async () => {
    const api = '/slipway/api/v1/clusters';
    const send = async (method: string, path: string, body?: object): Promise<Seen> =>
      await ask(method, path, {
        headers: { ...bearer, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    const spec = { name: 'forwarded', workers: 0, node_image_tag: 'v1.34.4', runtime: 'demo' };
    const { status_url } = JSON.parse((await send('POST', api, spec)).text) as { status_url: string };
    const stateOf = ({ text: job }: Seen): string => (JSON.parse(job) as { state: string }).state;
    await waitFor(async () => stateOf(await send('GET', status_url)) === 'succeeded', 'the cluster');
    const pods = await send('GET', `${api}/forwarded/resources/core/v1/pods?namespace=shop`);
    const { rows } = JSON.parse(pods.text) as { rows: { name: string }[] };
    const target = { plural: 'pods', namespace: 'shop', object: rows[0]?.name, port: '80', protocol: 'http' };
    const started = await send('POST', `${api}/forwarded/forwards`, target);
    expect([started.status, started.text]).toEqual([201, expect.stringContaining('"state":"ready"')]);
    const { url, local_port, local_address, notice } = JSON.parse(started.text) as ForwardDto;
    expect(local_address).toBe(`127.0.0.1:${local_port}`);
    expect(url).toMatch(new RegExp(`^http://[a-z]{12}\\.localhost:${local_port}/\\?slipway_key=[\\w-]+$`));
    expect(notice).toContain('can be reached only on the machine that runs Slipway');
    const page = await openForward(url ?? '');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('demo Pod')]);
  });

  it('leads from one application to the other, and signs in there', async () => {
    const headers = { accept: 'text/html', ...cookieFor('/slipway/') };
    const answer = await ask('GET', '/slipway/log-board?cluster=a', { headers });
    expect([answer.status, answer.headers.location]).toEqual([302, `${origin}/slipway/logs/logs?cluster=a`]);
    const back = await ask('GET', '/slipway/logs/dashboard/cluster/a', {
      headers: { accept: 'text/html', ...cookieFor('/slipway/logs/') },
    });
    expect(back.headers.location).toBe(`${origin}/slipway/cluster/a`);
  });

  it.each(['/slipway/events', '/slipway/logs/ws'])('opens the WebSocket %s', async (path) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, {
      headers: { origin, ...bearer },
      ca,
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.terminate();
  });

  it('still serves the local addresses, with and without the path', async () => {
    for (const path of ['/api/v1/health', '/slipway/api/v1/health', '/slipway/theme.js', '/theme.js']) {
      expect((await dashboard.client.send('GET', path)).status).toBe(200);
    }
    const { headers } = await dashboard.client.send('GET', '/clusters', { headers: { accept: 'text/html' } });
    expect(headers.location).toBe('/slipway/login?next=%2Fclusters');
  });

  it('does not serve a path that only begins with its own', async () => {
    expect((await dashboard.client.send('GET', '/slipways/api/v1/health')).status).toBe(401);
  });
});
