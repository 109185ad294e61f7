import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { claimsOf, forgedTokens, signed } from '../support/app/forged-tokens.js';
import { OWN_PAGE, signIn, type SignedIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { UPGRADE } from '../support/app/upgrade.js';

const SECRET_KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const BASIC = Buffer.from(`admin:${LOG_BOARD_PASSWORD}`).toString('base64');
const HTML = { accept: 'text/html' };

type Headers = Record<string, string | string[]>;

/** One refusal for whatever is wrong, which says nothing of what it was. */
function expectUnauthorized(answer: ApiResponse): void {
  const { message, details } = expectError(answer, 401, 'unauthorized');
  expect([message, details]).toEqual(['Unauthorized', null]);
  expect(answer.headers).toMatchObject({
    'www-authenticate': 'Bearer realm="Slipway"',
    'cache-control': 'no-store',
  });
  expect(answer.headers['set-cookie']).toBeUndefined();
}

describe('access tokens', () => {
  let folder: string;
  /** Both applications, which share the sessions; the dashboard where others reach it. */
  let board: TestApp;
  let dashboard: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-tokens-'));
    const environment = {
      SECRET_KEY,
      APP_PASS: LOG_BOARD_PASSWORD,
      APP_HOST: '0.0.0.0',
      APP_LOG_INTAKE: 'off',
    };
    board = await startLogBoard({ environment, dataDirectory: folder });
    dashboard = await startApp({ environment, dataDirectory: folder });
    session = await signIn(board);
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A request to each application. */
  async function request(headers: Headers, query = ''): Promise<ApiResponse[]> {
    return [
      await board.client.send('GET', `/api/auth/me${query}`, { headers }),
      await dashboard.client.send('GET', `/api/v1/clusters${query}`, { headers }),
    ];
  }

  /** An upgrade at the socket of each application. @throws Error when one opens. */
  async function upgrade(query: string, headers: Headers = {}): Promise<ApiResponse[]> {
    return [
      await board.client.send('GET', `/ws${query}`, { headers: { ...UPGRADE, ...headers } }),
      await dashboard.client.send('GET', `/events${query}`, { headers: { ...UPGRADE, ...headers } }),
    ];
  }

  it('with the correct key and claims are accepted, so each forgery below fails for its own reason', async () => {
    const made = signed(claimsOf(session.token), SECRET_KEY);
    for (const authorization of [`Bearer ${made}`, `bearer ${session.token}`, `Bearer   ${made}`]) {
      expect((await request({ authorization })).map(({ status }) => status)).toEqual([200, 200]);
    }
    for (const [port, path] of [
      [board.port, '/ws'],
      [dashboard.port, '/events'],
    ] as const) {
      const socket = await EventSocket.open(port, {}, `${path}?token=${made}`);
      await socket.settled();
      socket.close();
    }
  });

  it('that are forged are rejected by both applications and their sockets', async () => {
    const forgeries = forgedTokens(session.token, SECRET_KEY);
    expect(forgeries.length).toBeGreaterThan(45);
    for (const [what, token] of forgeries) {
      const query = `?${new URLSearchParams({ token }).toString()}`;
      const answers = [...(await request({ authorization: `Bearer ${token}` })), ...(await upgrade(query))];
      expect([what, answers.map(({ status }) => status)]).toEqual([what, [401, 401, 401, 401]]);
      answers.forEach(expectUnauthorized);
    }
  });

  it('that were revoked, and their tickets, are rejected everywhere', async () => {
    const ended = await signIn(board);
    const answer = await board.client.send('POST', '/api/auth/ticket', { headers: ended.bearer });
    const { ticket } = answer.body as { ticket: string };
    await board.client.send('POST', '/api/auth/logout', { headers: ended.bearer });
    const { token } = ended;
    for (const refused of [...(await request(ended.bearer)), ...(await upgrade(`?token=${token}`))]) {
      expectUnauthorized(refused);
    }
    (await upgrade(`?token=${ticket}`)).forEach(expectUnauthorized);
  });

  it.each<[string, () => Headers]>([
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['nothing but the scheme', () => ({ authorization: 'Bearer ' })],
    ['HTTP Basic', () => ({ authorization: `Basic ${BASIC}` })],
    ['the old scheme’s base64', () => ({ authorization: `Bearer ${BASIC}` })],
    ['another scheme', () => ({ authorization: `JWT ${session.token}` })],
    ['the token alone', () => ({ authorization: session.token })],
    ['a token and more', () => ({ authorization: `Bearer ${session.token} x` })],
    ['two tokens', () => ({ authorization: `Bearer ${session.token}, Bearer ${session.token}` })],
    ['the header twice', () => ({ authorization: [`Bearer ${session.token}`, `Bearer ${session.token}`] })],
    ['a good header before a bad one', () => ({ authorization: [`Bearer ${session.token}`, 'Bearer x'] })],
    ['a bad header before a good one', () => ({ authorization: ['Bearer x', `Bearer ${session.token}`] })],
    ['a ticket', () => ({ authorization: `Bearer ${'A'.repeat(32)}` })],
    ['the cookie alone', () => ({ ...OWN_PAGE, cookie: session.cookie })],
    [
      'the token in a cookie',
      () => ({ cookie: `slipway_session_${board.port}=${session.token}; token=${session.token}` }),
    ],
    ['headers of other names', () => ({ 'x-access-token': session.token, 'x-auth-token': session.token })],
  ])('are rejected as %s', async (_what, headers) => {
    (await request(headers())).forEach(expectUnauthorized);
  });

  it.each(['token', 'access_token', 'jwt'])('are rejected in the query as ?%s=', async (name) => {
    const query = `?${name}=${session.token}`;
    (await request({}, query)).forEach((answer) => {
      expectUnauthorized(answer);
      expect(answer.text).not.toContain(session.token);
    });
    for (const [app, page] of [
      [board, '/logs'],
      [dashboard, '/clusters'],
    ] as const) {
      expect((await app.client.send('GET', page + query, { headers: HTML })).status).toBe(302);
      expect(app.log()).not.toContain(session.token);
    }
  });

  it.each<[string, string, () => Headers]>([
    ['no token', '', () => ({})],
    ['an empty token', '?token=', () => ({})],
    ['another name for it', '?access_token=TOKEN', () => ({})],
    ['two tokens', '?token=TOKEN&token=TOKEN', () => ({})],
    ['one behind a second question mark', '?x=1?token=TOKEN', () => ({})],
    ['one with a null byte', '?token=TOKEN%00', () => ({})],
    ['the old scheme’s base64', `?token=${encodeURIComponent(BASIC)}`, () => ({})],
    ['an unknown ticket', `?token=${'A'.repeat(32)}`, () => ({})],
    ['the cookie in its place', '', () => ({ ...OWN_PAGE, cookie: session.cookie })],
    ['the protocol in its place', '', () => ({ 'sec-websocket-protocol': `bearer, ${session.token}` })],
  ])('do not open a socket with %s', async (_what, query, headers) => {
    const given = query.replaceAll('TOKEN', session.token);
    (await upgrade(given, headers())).forEach(expectUnauthorized);
  });

  it('do not open a socket for a foreign Origin or Host', async () => {
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Headers[]) {
      for (const answer of await upgrade(`?token=${session.token}`, headers)) {
        expectError(answer, 403, 'forbidden_origin');
      }
    }
    for (const answer of await upgrade(`?token=${session.token}`, { host: 'evil.example' })) {
      expectError(answer, 403, 'forbidden_host');
    }
  });

  describe('from the session cookie', () => {
    const tossed = (): string => `slipway_session_${board.port}=${'A'.repeat(32)}`;

    it('are issued only to same-origin pages', async () => {
      const send = async (headers: Headers): Promise<ApiResponse> =>
        await board.client.send('POST', '/api/auth/token', {
          headers: { ...headers, cookie: session.cookie },
        });
      expect((await send(OWN_PAGE)).status).toBe(200);
      expect((await send({ origin: `http://localhost:${board.port}` })).status).toBe(200);
      // No browser leaves both out of such a request, and a program has the header.
      expectUnauthorized(await send({}));
      for (const foreign of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { origin: `http://localhost:${dashboard.port}` },
      ] as Headers[]) {
        expectError(await send(foreign), 403, 'forbidden_origin');
      }
    });

    it.each([
      ['before ours', () => `${tossed()}; ${session.cookie}`],
      ['behind ours', () => `${session.cookie}; ${tossed()}`],
      ['that is ours again', () => `${session.cookie}; ${session.cookie}`],
      ['that is empty', () => `slipway_session_${board.port}=; ${session.cookie}`],
    ])('are not issued with a second session cookie %s', async (_what, cookie) => {
      const headers = { cookie: cookie() };
      expectUnauthorized(
        await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, ...headers } }),
      );
      expect((await board.client.send('GET', '/logs', { headers: { ...HTML, ...headers } })).status).toBe(
        302,
      );
    });

    it('are issued with cookies of other names', async () => {
      const cookie = `theme=dark; my_slipway_session=x; ${session.cookie}; slipway_session_1=y`;
      const answer = await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
      expect(answer.status).toBe(200);
    });

    it('do not authorize changes from any origin', async () => {
      const cookie = { cookie: session.cookie };
      for (const [app, method, path] of [
        [board, 'POST', '/api/auth/logout'],
        [board, 'POST', '/api/auth/ticket'],
        [board, 'DELETE', `/api/auth/sessions/${session.id}`],
        [dashboard, 'POST', '/api/v1/clusters'],
        [dashboard, 'DELETE', '/api/v1/jobs'],
      ] as const) {
        expectUnauthorized(await app.client.send(method, path, { headers: { ...OWN_PAGE, ...cookie } }));
        const foreign = { ...cookie, origin: 'http://evil.example' };
        expectError(await app.client.send(method, path, { headers: foreign }), 403, 'forbidden_origin');
      }
      expect((await request(session.bearer)).map(({ status }) => status)).toEqual([200, 200]);
    });
  });
});
