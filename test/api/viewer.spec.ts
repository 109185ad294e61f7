import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { routesOf } from '../support/app/routes.js';
import { ShellSocket } from '../support/app/shell-socket.js';
import { cookieAt, login, OWN_PAGE, signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';

const VIEWER = 'only for looking';
const PATH = '/api/auth/viewer-password';
/** Of a session, whatever it may do, or without one. */
const OPEN = ['login', 'link', 'logout', 'renewal', 'ticket', 'token'].map(
  (name) => `POST /api/auth/${name}`,
);
/** Routes that never change anything. */
const CHECKS = [
  'POST /api/alerts/preview',
  'POST /api/v1/clusters/check',
  'POST /api/v1/clusters/x/clone/check',
  'POST /api/v1/clusters/x/config/check',
  'POST /api/v1/clusters/x/resources/x/x/x/effects',
  'POST /api/v1/external-clusters/x/check',
];

describe('a session of the read-only password', () => {
  let folder: string;
  let board: TestApp;
  let dashboard: TestApp;
  let user: SignedIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-viewer-'));
    board = await startLogBoard({ dataDirectory: folder });
    dashboard = await startApp({
      environment: {
        APP_PASS: LOG_BOARD_PASSWORD,
        APP_AUTH: 'required',
        APP_LOG_BOARD_PUBLIC_URL: 'https://logs.example.org',
      },
      dataDirectory: folder,
    });
    user = await signIn(board);
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function setPassword(password: string | null): Promise<ApiResponse> {
    return await dashboard.client.send('PUT', PATH, { headers: user.bearer, body: { password } });
  }

  async function statusOf(app: TestApp, { bearer: headers }: SignedIn, path: string): Promise<number> {
    return (await app.client.send('GET', path, { headers })).status;
  }

  async function isSet(): Promise<unknown> {
    const { body } = await board.client.send('GET', '/api/auth/exemption', { headers: user.bearer });
    return (body as { viewer_password: boolean }).viewer_password;
  }

  it('reads both applications, and nothing else', async () => {
    expect(await isSet()).toBe(false);
    expectError(await login(board, { password: VIEWER, from: '127.0.0.41' }), 401, 'unauthorized');
    expect((await setPassword(VIEWER)).status).toBe(204);
    expect(await isSet()).toBe(true);
    const signedIn = await login(board, { password: VIEWER });
    expect(signedIn.body).toMatchObject({ user: { role: 'reader', username: 'admin' } });
    // A known browser would have a limit of its own for guesses of the other password.
    expect((signedIn.headers['set-cookie'] ?? []).filter((cookie) => cookie.includes('browser'))).toEqual([]);
    const viewer = await signIn(board, VIEWER);
    expect(await statusOf(board, viewer, '/api/sources')).toBe(200);
    expect(await statusOf(dashboard, viewer, '/api/v1/clusters')).toBe(200);
    expect(await statusOf(board, viewer, '/api/auth/me')).toBe(200);
    const listed = await board.client.send('GET', '/api/auth/sessions', { headers: user.bearer });
    expect(listed.body).toContainEqual(
      expect.objectContaining({ id: viewer.id, scope: 'read', access_token: null }),
    );
    const renewal = { headers: { ...OWN_PAGE, cookie: viewer.cookie } };
    const renewed = await board.client.send('POST', '/api/auth/renewal', renewal);
    expect(renewed.body).toMatchObject({ user: { role: 'reader' } });
  });

  it('may not use any route that needs the scope full or a session', async () => {
    const { bearer: headers } = await signIn(board, VIEWER);
    const open = new Set<string>();
    for (const app of [board, dashboard]) {
      for (const { method, path } of routesOf(app)) {
        if (method === 'GET' || OPEN.includes(`${method} ${path}`)) continue;
        const answer = await app.client.send(method, path, { headers });
        if (answer.status !== 403) open.add(`${method} ${path}`);
        else expectError(answer, 403, 'insufficient_scope');
      }
    }
    expect([...open].sort()).toEqual(CHECKS.sort());
    for (const path of [
      '/api/v1/clusters/x/kubeconfig',
      '/api/v1/diagnostics/bundle',
      '/api/v1/clusters/x/addons/releases/x',
      '/api/auth/sessions',
      '/api/auth/tokens',
    ]) {
      const answer = await dashboard.client.send('GET', path, { headers });
      expect(expectError(answer, 403, 'insufficient_scope').message).toMatch(/^This session is read-only, /);
    }
  });

  it('opens the sockets that read, by token and by ticket, and no shell', async () => {
    const viewer = await signIn(board, VIEWER);
    const { body } = await board.client.send('POST', '/api/auth/ticket', { headers: viewer.bearer });
    const { ticket } = body as { ticket: string };
    const socket = await EventSocket.open(board.port, {}, `/ws?token=${ticket}`);
    const shell = `ws://127.0.0.1:${dashboard.port}/api/v1/clusters/shop/shells?target=node&node=x`;
    await expect(ShellSocket.open(`${shell}&token=${viewer.token}`)).rejects.toThrow('403');
    const again = await dashboard.client.send('POST', '/api/auth/ticket', { headers: viewer.bearer });
    const other = (again.body as { ticket: string }).ticket;
    await expect(ShellSocket.open(`${shell}&token=${other}`)).rejects.toThrow('403');
    socket.close();
  });

  it('does not replace a session of the user, whose pages want the scope full', async () => {
    const { body } = await dashboard.client.send('POST', '/api/auth/tokens', {
      headers: user.bearer,
      body: { name: 'wall', scope: 'read', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    });
    const { token } = body as { token: string };
    for (const [password, what] of [
      [VIEWER, 'the read-only password'],
      [token, 'an access token'],
    ] as const) {
      const answer = await login(dashboard, { password, scope: 'full' });
      const { message } = expectError(answer, 403, 'insufficient_scope');
      expect(message).toBe(`This is ${what}. Enter the password of admin.`);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect((await login(dashboard, { password, scope: 'read' })).status).toBe(200);
    }
    expect((await login(dashboard, { scope: 'full' })).body).toMatchObject({ user: { role: 'admin' } });
  });

  it('gets no ticket for the other application', async () => {
    const viewer = await signIn(board, VIEWER);
    const headers = { cookie: cookieAt(dashboard, viewer), 'sec-fetch-site': 'same-origin' };
    const answer = await dashboard.client.send('GET', '/log-board', { headers });
    expect(answer.headers.location).toBe('https://logs.example.org/');
  });

  it('ends with its sockets when the password is changed or removed, and no other session does', async () => {
    const first = await signIn(board, VIEWER);
    const socket = await EventSocket.open(board.port, {}, `/ws?token=${first.token}`);
    expect((await setPassword('another for looking')).status).toBe(204);
    expect(await socket.untilClosed()).toMatchObject({ code: 4401 });
    expect(await statusOf(board, first, '/api/sources')).toBe(401);
    expectError(await login(board, { password: VIEWER, from: '127.0.0.42' }), 401, 'unauthorized');
    const second = await signIn(dashboard, 'another for looking');
    expect(await statusOf(board, second, '/api/sources')).toBe(200);
    expect((await setPassword(null)).status).toBe(204);
    expect(await statusOf(board, second, '/api/sources')).toBe(401);
    const renewal = { headers: { ...OWN_PAGE, cookie: second.cookie } };
    expectError(await dashboard.client.send('POST', '/api/auth/token', renewal), 401, 'unauthorized');
    expect(await statusOf(board, user, '/api/sources')).toBe(200);
    const journal = await dashboard.client.send('GET', '/api/v1/journal/recent', { headers: user.bearer });
    for (const message of ['Set a', 'Changed the', 'Removed the']) {
      expect(journal.text).toContain(`${message} read-only password.`);
    }
    expect(journal.text).toContain('Signed in with the read-only password.');
    const query = '/api/v1/journal/recent?actor=read-only';
    const own = await dashboard.client.send('GET', query, { headers: user.bearer });
    expect(own.body).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ kind: 'session-sign-in' })]),
    });
    expect(journal.text + board.log() + dashboard.log()).not.toContain(VIEWER);
  });

  it.each([
    [LOG_BOARD_PASSWORD, 'must differ from your own password'],
    ['short', 'must have at least 8 characters'],
    ['change-me', 'is a known placeholder'],
    ['', 'must have 1 to 1,024 characters'],
  ])('cannot be opened with %j, which is rejected as the read-only password', async (password, problem) => {
    expect(expectError(await setPassword(password), 400, 'invalid_input').message).toContain(problem);
  });

  it('does not reset the limits of failed sign-ins with the other password', async () => {
    await setPassword(VIEWER);
    const from = '127.0.0.43';
    const statuses = new Set<number>();
    // On a busy machine, the first waits are over before the next attempt.
    for (let round = 0; round < 12 && !statuses.has(429); round += 1) {
      for (const password of [VIEWER, 'a guess']) {
        statuses.add((await login(board, { password, from })).status);
      }
    }
    expect([...statuses].sort()).toEqual([200, 401, 429]);
    expectError(await login(board, { username: 'else', password: VIEWER }), 401, 'unauthorized');
  });
});
