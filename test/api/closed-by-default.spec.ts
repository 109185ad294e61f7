import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { cookieAt, signIn } from '../support/app/signed-in.js';
import { routesOf } from '../support/app/routes.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { UPGRADE } from '../support/app/upgrade.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ANYTHING = { accept: '*/*' };

/** Routes without sign-in, but those of health checks, which have no session. */
const OPEN = [
  // An empty body is not a sign-in.
  'POST /api/auth/login 400',
  'POST /api/auth/link 400',
  // The icon of the sign-in page.
  'GET /favicon.ico 200',
];

describe('requests without a session', () => {
  let folder: string;
  let board: TestApp;
  /** Listens beyond loopback. */
  let dashboard: TestApp;
  /** On loopback, with an additional host name. */
  let behindProxy: TestApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-closed-'));
    const environment = { APP_PASS: LOG_BOARD_PASSWORD };
    board = await startLogBoard({ dataDirectory: folder });
    dashboard = await startApp({
      environment: { ...environment, APP_HOST: '0.0.0.0' },
      dataDirectory: folder,
    });
    behindProxy = await startApp({ environment: { ...environment, APP_ALLOWED_HOSTS: 'slipway.test' } });
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await behindProxy.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each<[string, number, string[], () => TestApp]>([
    ['the log board', 10, ['/api/health'], () => board],
    ['the dashboard beyond loopback', 50, ['/api/v1/health', '/api/v1/health/status'], () => dashboard],
  ])('get 401 from every route of %s except sign-in', async (_what, least, health, app) => {
    const routes = routesOf(app());
    expect(routes.length).toBeGreaterThan(least);
    const open: string[] = [];
    for (const { method, path } of routes) {
      const { status } = await app().client.send(method, path, { headers: ANYTHING });
      const viewer = status === 302 && /^\/(docs|redoc)\/?$/.test(path);
      if (status !== 401 && !viewer) open.push(`${method} ${path} ${status}`);
    }
    expect(open.sort()).toEqual([...OPEN, ...health.map((route) => `GET ${route} 200`)].sort());
  });

  it('get 404 for other methods of sign-in routes', async () => {
    for (const app of [board, dashboard]) {
      for (const path of ['/api/auth/login', '/api/auth/nothing']) {
        expectError(await app.client.send('PUT', path), 404, 'route_not_found');
      }
    }
  });

  it.each([
    '/docs/swagger-ui-init.js',
    '/docs/swagger-ui.css',
    '/docs/redoc.standalone.js',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi.json/',
    '/readme/docs/screenshots/clusters-light.png',
    '/nothing',
    '/..%2fopenapi.json',
    '//openapi.json',
  ])('cannot read %s in any spelling that Express accepts', async (path) => {
    const spellings = [path, path.toUpperCase(), path.replace(/[a-z]/, (letter) => letter.toUpperCase())];
    for (const app of [board, dashboard]) {
      for (const spelling of spellings) {
        expectError(await app.client.send('GET', spelling), 401, 'unauthorized');
        expect((await app.client.send('HEAD', spelling)).status).toBe(401);
      }
    }
  });

  it.each(['/docs', '/DOCS', '/Docs/', '/redoc', '/REDOC'])('of programs cannot read %s', async (path) => {
    for (const app of [board, dashboard]) {
      const headers = { accept: 'application/json' };
      expectError(await app.client.send('GET', path, { headers }), 401, 'unauthorized');
      expect((await app.client.send('GET', path, { headers: HTML })).status).toBe(302);
    }
  });

  it('for dashboard pages are redirected to sign-in with a return URL', async () => {
    for (const [path, target] of [
      ['/', '/login'],
      ['/clusters?state=running', '/login?next=%2Fclusters%3Fstate%3Drunning'],
      ['/cluster/staging/config', '/login?next=%2Fcluster%2Fstaging%2Fconfig'],
      ['/docs', '/login?next=%2Fdocs'],
      ['/redoc', '/login?next=%2Fredoc'],
    ] as const) {
      const answer = await dashboard.client.send('GET', path, { headers: HTML });
      expect([path, answer.status, answer.headers.location]).toEqual([path, 302, target]);
    }
    const signedIn = await signIn(board);
    const { bearer } = signedIn;
    const cookie = cookieAt(dashboard, signedIn);
    const page = await dashboard.client.send('GET', '/clusters', { headers: { ...HTML, cookie } });
    expect(page.status).not.toBe(302);
    expect((await dashboard.client.send('GET', '/openapi.json', { headers: { cookie } })).status).toBe(200);
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers: bearer })).status).toBe(200);
  });

  it.each([
    '//evil.example/',
    '///evil.example',
    '/.//evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/%2f/evil.example',
    '/%09/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/https:evil.example',
    '/@evil.example',
    '/logs//evil.example',
    '/logs?next=https://evil.example',
    '/login/../..//evil.example',
    'http://evil.example/',
    'https://evil.example/logs',
    '/%E2%80%AE',
    '/%ff',
    '/%',
  ])('are never redirected to another site: %s', async (path) => {
    for (const app of [board, dashboard]) {
      const answer = await app.client.send('GET', path, { headers: HTML });
      const { location } = answer.headers;
      if (location === undefined) {
        expect([400, 401, 404]).toContain(answer.status);
        continue;
      }
      expect(location).toMatch(/^\/login(\?next=[\w%.~*+-]+)?$/);
      expect(new URL(location, `http://localhost:${app.port}`).origin).toBe(`http://localhost:${app.port}`);
    }
  });

  it('are rejected under every host name of APP_ALLOWED_HOSTS', async () => {
    const { client, port } = behindProxy;
    for (const host of ['slipway.test', `localhost:${port}`, `127.0.0.1:${port}`]) {
      const headers = { host };
      expectError(await client.send('GET', '/api/v1/clusters', { headers }), 401, 'unauthorized');
      expectError(await client.send('GET', '/openapi.json', { headers }), 401, 'unauthorized');
      expectError(
        await client.send('GET', '/events', { headers: { ...UPGRADE, host } }),
        401,
        'unauthorized',
      );
      const page = await client.send('GET', '/clusters', { headers: { ...HTML, host } });
      expect([page.status, page.headers.location]).toEqual([302, '/login?next=%2Fclusters']);
    }
    const { bearer, token } = await signIn(behindProxy);
    const other = { host: 'slipway.test' };
    const answer = await client.send('GET', '/api/v1/clusters', { headers: { ...other, ...bearer } });
    expect(answer.status).toBe(200);
    (await EventSocket.open(port, { headers: other }, `/events?token=${token}`)).close();
  });
});
