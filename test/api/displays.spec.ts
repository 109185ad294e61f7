import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createToken, type TestToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { claimsOf } from '../support/app/forged-tokens.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { cookieAt, login, OWN_PAGE, signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';

/** A display as its browser has it. */
interface Display {
  id: string;
  bearer: { authorization: string };
  cookie: string;
  token: string;
}

describe('a display that was opened with an access token', () => {
  let folder: string;
  let board: TestApp;
  let dashboard: TestApp;
  let user: SignedIn;
  const sockets: EventSocket[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-displays-'));
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

  afterEach(() => {
    jest.useRealTimers();
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function openDisplay({ token }: TestToken): Promise<Display> {
    const answer = await login(board, { username: 'wall', password: token });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ renewable: true, user: { role: 'reader' } });
    const { access_token: own, user: shown } = answer.body as {
      access_token: string;
      user: { session: { id: string } };
    };
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.filter((cookie) => cookie.includes('browser'))).toEqual([]);
    return {
      id: shown.session.id,
      bearer: { authorization: `Bearer ${own}` },
      cookie: cookies[0]?.split(';')[0] ?? '',
      token: own,
    };
  }

  async function readBy(headers: Record<string, string>): Promise<number> {
    return (await board.client.send('GET', '/api/sources', { headers })).status;
  }

  async function renew({ cookie }: Display): Promise<ApiResponse> {
    return await board.client.send('POST', '/api/auth/renewal', { headers: { ...OWN_PAGE, cookie } });
  }

  it('may read on both applications, and nothing else', async () => {
    const display = await openDisplay(await createToken(board, {}, user.bearer));
    const headers = display.bearer;
    expect(await readBy(headers)).toBe(200);
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers })).status).toBe(200);
    expect((await board.client.send('GET', '/api/auth/me', { headers })).body).toMatchObject({
      role: 'reader',
    });
    for (const [app, method, path] of [
      [board, 'GET', '/api/auth/sessions'],
      [board, 'DELETE', '/api/auth/sessions'],
      [board, 'GET', '/api/auth/tokens'],
      [board, 'POST', '/api/auth/tokens'],
      [board, 'POST', '/api/auth/links'],
      [board, 'POST', '/api/alerts'],
      [dashboard, 'POST', '/api/v1/clusters'],
      [dashboard, 'GET', '/api/v1/clusters/shop/kubeconfig'],
    ] as const) {
      expectError(await app.client.send(method, path, { headers, body: {} }), 403, 'insufficient_scope');
    }
  });

  it('gets no ticket for the other application', async () => {
    const display = await openDisplay(await createToken(board, {}, user.bearer));
    const targetOf = async (browser: Pick<SignedIn, 'cookie'>): Promise<string> => {
      const headers = { cookie: cookieAt(dashboard, browser), 'sec-fetch-site': 'same-origin' };
      const answer = await dashboard.client.send('GET', '/log-board', { headers });
      return String(answer.headers.location);
    };
    expect(await targetOf(user)).toContain('https://logs.example.org/login?next=%2F#link=');
    expect(await targetOf(display)).toBe('https://logs.example.org/');
  });

  it('lasts as long as its access token, with tokens that expire after SESSION_TIMEOUT', async () => {
    const display = await openDisplay(await createToken(board, {}, user.bearer));
    const { exp, iat } = claimsOf(display.token);
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(3600);
    beLater(2 * 24 * 3600);
    expect(await readBy(display.bearer)).toBe(401);
    const { access_token: later } = (await renew(display)).body as { access_token: string };
    expect(await readBy({ authorization: `Bearer ${later}` })).toBe(200);
    beLater(6 * 24 * 3600);
    expectError(await renew(display), 401, 'unauthorized');
  });

  it('ends with its sockets when the access token is revoked, or its session is ended', async () => {
    const token = await createToken(board, { name: 'wall' }, user.bearer);
    const displays = [await openDisplay(token), await openDisplay(token)];
    const closed = await Promise.all(
      displays.map(async ({ bearer }) => {
        const { body } = await board.client.send('POST', '/api/auth/ticket', { headers: bearer });
        const { ticket } = body as { ticket: string };
        const socket = await EventSocket.open(board.port, {}, `/ws?token=${ticket}`);
        sockets.push(socket);
        return socket;
      }),
    );
    const listed = await board.client.send('GET', '/api/auth/sessions', { headers: user.bearer });
    expect(
      (listed.body as { id: string; access_token: string | null }[]).filter(
        (one) => one.access_token === 'wall',
      ),
    ).toHaveLength(2);
    const [first, second] = displays;
    const headers = user.bearer;
    await board.client.send('DELETE', `/api/auth/sessions/${first?.id}`, { headers });
    expect(await closed[0]?.untilClosed()).toMatchObject({ code: 4401 });
    expect([await readBy(first?.bearer ?? {}), await readBy(second?.bearer ?? {})]).toEqual([401, 200]);
    await board.client.send('DELETE', `/api/auth/tokens/${token.id}`, { headers });
    expect(await closed[1]?.untilClosed()).toMatchObject({ code: 4401 });
    expect(await readBy(second?.bearer ?? {})).toBe(401);
    expectError(await login(board, { password: token.token }), 401, 'unauthorized');
  });

  it('ends an old display of the token beyond 20, no session of a user, and writes one journal entry', async () => {
    const other = await openDisplay(await createToken(board, {}, user.bearer));
    const token = await createToken(board, { name: 'many walls' }, user.bearer);
    const displays: Display[] = [];
    for (let count = 0; count < 21; count += 1) displays.push(await openDisplay(token));
    const states: number[] = [];
    for (const display of displays) states.push(await readBy(display.bearer));
    // Of those of the same second, any is the oldest.
    expect(states.sort()).toEqual([...Array<number>(20).fill(200), 401]);
    expect(await readBy(displays.at(-1)?.bearer ?? {})).toBe(200);
    expect(await readBy(other.bearer)).toBe(200);
    expect(await readBy(user.bearer)).toBe(200);
    const headers = (await signIn(dashboard)).bearer;
    const journal = await dashboard.client.send('GET', '/api/v1/journal/recent', { headers });
    expect(journal.text.split('Opened a display with the access token many walls.')).toHaveLength(2);
  });

  it('can sign out', async () => {
    const display = await openDisplay(await createToken(board, {}, user.bearer));
    const { status } = await board.client.send('POST', '/api/auth/logout', { headers: display.bearer });
    expect([status, (await renew(display)).status]).toEqual([200, 401]);
  });

  it('is not opened with the scope full, and no token is in the log or the journal', async () => {
    const full = await createToken(board, { scope: 'full' }, user.bearer);
    expectError(await login(board, { password: full.token, from: '127.0.0.9' }), 401, 'unauthorized');
    const read = await createToken(board, { name: 'kept secret' }, user.bearer);
    await openDisplay(read);
    const headers = (await signIn(dashboard)).bearer;
    const journal = await dashboard.client.send('GET', '/api/v1/journal/recent', { headers });
    expect(journal.text).toContain('Opened a display with the access token kept secret.');
    for (const { token } of [full, read]) expect(board.log() + journal.text).not.toContain(token);
  });
});
