import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LINK_MINUTES, SignInLinks } from '../../backend/src/modules/auth/sign-in-links.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { claimsOf } from '../support/app/forged-tokens.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { hashesOf } from '../support/app/scrypt-calls.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';

const HTML = { accept: 'text/html,*/*;q=0.8' };

/** Headers that differ in every response. */
const OF_THE_REQUEST = ['date', 'etag', 'ratelimit', 'x-request-id'];

/** The parts of a response that a client can compare. */
function comparable({ status, headers, body }: ApiResponse): object {
  const kept = Object.entries(headers)
    .filter(([name]) => !OF_THE_REQUEST.includes(name))
    .map(([name, value]) => [name, String(value).replace(/nonce-[^']+/, 'nonce')]);
  return { status, headers: kept, body: { ...(body as object), request_id: '' } };
}

describe('sign-in of the log board', () => {
  let board: TestApp;

  beforeAll(async () => {
    board = await startLogBoard();
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  afterAll(() => board.stop());

  async function me(bearer: { authorization: string }): Promise<ApiResponse> {
    return await board.client.send('GET', '/api/auth/me', { headers: bearer });
  }

  async function tokenBy(cookie: string): Promise<ApiResponse> {
    return await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
  }

  it('returns a Bearer token and an HttpOnly cookie', async () => {
    const answer = await login(board);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      user: { username: 'admin', role: 'admin', session: { id: expect.any(String) } },
    });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(new RegExp(`^slipway_session_${board.port}=[\\w-]{32}; `));
    for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Strict', 'Expires=']) {
      expect(cookie).toContain(attribute);
    }
    const { access_token: token } = answer.body as { access_token: string };
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const claims = claimsOf(token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'jti', 'sub']);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBeGreaterThanOrEqual(3599);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    for (const secret of [token, /=([\w-]{32})/.exec(cookie)?.[1] ?? '']) {
      expect(board.log()).not.toContain(secret);
    }
  });

  it('returns the same response for a wrong name, a wrong password and both, and hashes once for each', async () => {
    const answers: ApiResponse[] = [];
    for (const wrong of [
      { password: 'wrong' },
      { username: 'unknown' },
      { username: 'unknown', password: 'wrong' },
      { username: 'admin\u0000' },
      { username: 'ADMIN' },
    ]) {
      // A new address for each attempt, because the wait is part of the response.
      const hashes = await hashesOf(async () =>
        answers.push(await login(board, { ...wrong, from: '127.0.0.3' })),
      );
      expect((await login(board, { from: '127.0.0.3' })).status).toBe(200);
      expect([wrong, hashes]).toEqual([wrong, 1]);
    }
    for (const answer of answers) {
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(comparable(answer)).toEqual(comparable(answers[0] ?? answer));
    }
    expect(await hashesOf(() => login(board))).toBe(1);
    expect(board.log()).not.toContain('unknown');
  });

  describe('with a one-time link', () => {
    const follow = (token: string): Promise<ApiResponse> =>
      board.client.send('POST', '/api/auth/link', { body: { token } });

    it('works once, without a password, and leaves no trace in the log', async () => {
      const token = board.nest.get(SignInLinks).issue();
      const answer = await follow(token);
      expect(answer.status).toBe(200);
      const { access_token: access } = answer.body as { access_token: string };
      expect((await me({ authorization: `Bearer ${access}` })).status).toBe(200);
      expect((await tokenBy(answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '')).status).toBe(200);
      expectError(await follow(token), 401, 'unauthorized');
      expect(board.log()).not.toContain(token);
    });

    it('rejects expired and guessed links', async () => {
      const token = board.nest.get(SignInLinks).issue();
      beLater(LINK_MINUTES * 60 + 1);
      for (const wrong of [token, 'x'.repeat(32)]) {
        expectError(await follow(wrong), 401, 'unauthorized');
      }
    });
  });

  it('accepts a known browser although other clients of its address are limited', async () => {
    const from = '127.0.0.77';
    const [, browser = ''] = (await login(board, { from })).headers['set-cookie'] ?? [];
    const [cookie = ''] = browser.split(';');
    expect(cookie).toMatch(new RegExp(`^slipway_browser_${board.port}=`));
    expect((await me({ authorization: 'x', cookie } as { authorization: string })).status).toBe(401);
    // The wait is short, and a busy machine takes longer for the next requests.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (let time = 0; time < 6; time += 1) await login(board, { password: 'wrong', from });
    expectError(await login(board, { from }), 429, 'too_many_requests');
    const body = { username: 'admin', password: LOG_BOARD_PASSWORD };
    const forged = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
    for (const [own, status] of [
      [forged, 429],
      [cookie, 200],
    ] as const) {
      const answer = await board.client.send('POST', '/api/auth/login', {
        body,
        from,
        headers: { cookie: own },
      });
      expect(answer.status).toBe(status);
    }
  });

  it.each([
    ['no body', undefined],
    ['no password', { username: 'admin' }],
    ['a password that is no text', { username: 'admin', password: ['a'] }],
    ['a password too long to hash', { username: 'admin', password: 'x'.repeat(1025) }],
    ['a field more', { username: 'admin', password: 'x', role: 'root' }],
  ])('rejects %s before hashing', async (_what, body) => {
    const hashes = await hashesOf(async () => {
      const answer = await board.client.send('POST', '/api/auth/login', body === undefined ? {} : { body });
      expectError(answer, 400, 'invalid_input');
    });
    expect(hashes).toBe(0);
  });

  it('invalidates the token, the cookie and tickets at sign-out', async () => {
    const { bearer, cookie, token } = await signIn(board);
    const other = await signIn(board);
    const again = await tokenBy(cookie);
    const { access_token: second } = again.body as { access_token: string };
    expect(again.status).toBe(200);
    const out = await board.client.send('POST', '/api/auth/logout', { headers: bearer });
    expect(out.status).toBe(200);
    expect(out.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^slipway_session_${board.port}=; .*Expires=Thu, 01 Jan 1970`),
    );
    for (const worthless of [token, second]) {
      expectError(await me({ authorization: `Bearer ${worthless}` }), 401, 'unauthorized');
    }
    expectError(await tokenBy(cookie), 401, 'unauthorized');
    expect((await me(other.bearer)).status).toBe(200);
  });

  it('expires at a fixed time, which new tokens do not extend', async () => {
    const { bearer, cookie, expiresAt } = await signIn(board);
    beLater(1800);
    const again = await tokenBy(cookie);
    expect(again.body).toMatchObject({ user: { session: { expires_at: expiresAt } } });
    const { access_token: second, expires_in: left } = again.body as {
      access_token: string;
      expires_in: number;
    };
    expect(claimsOf(second)['exp']).toBe(Date.parse(expiresAt) / 1000);
    expect(left).toBeLessThanOrEqual(1800);
    expect((await me(bearer)).status).toBe(200);
    beLater(1801);
    for (const token of [bearer.authorization, `Bearer ${second}`]) {
      expectError(await me({ authorization: token }), 401, 'unauthorized');
    }
    expectError(await tokenBy(cookie), 401, 'unauthorized');
    const page = await board.client.send('GET', '/logs', { headers: { ...HTML, cookie } });
    expect(page.headers.location).toBe('/login?next=%2Flogs');
  });

  it('lists sessions and ends one of them', async () => {
    const mine = await signIn(board);
    const other = await signIn(board);
    const list = await board.client.send('GET', '/api/auth/sessions', { headers: mine.bearer });
    const shown = list.body as { id: string; current: boolean }[];
    expect(shown.filter(({ current }) => current).map(({ id }) => id)).toEqual([mine.id]);
    expect(shown.map(({ id }) => id)).toContain(other.id);
    expect(list.text).not.toMatch(/hash|generation|eyJ/);
    const path = `/api/auth/sessions/${other.id}`;
    expect((await board.client.send('DELETE', path, { headers: mine.bearer })).status).toBe(200);
    expectError(await me(other.bearer), 401, 'unauthorized');
    const twice = await board.client.send('DELETE', path, { headers: mine.bearer });
    expectError(twice, 404, 'session_not_found');
  });

  it('ends all other sessions', async () => {
    const mine = await signIn(board);
    const endOthers = (): Promise<ApiResponse> =>
      board.client.send('DELETE', '/api/auth/sessions', { headers: mine.bearer });
    // Sessions of the previous tests.
    expect((await endOthers()).status).toBe(200);
    const others = [await signIn(board), await signIn(board)];
    expect((await endOthers()).body).toEqual({ ended: 2 });
    for (const { bearer } of others) expectError(await me(bearer), 401, 'unauthorized');
    expect((await me(mine.bearer)).status).toBe(200);
    expect((await endOthers()).body).toEqual({ ended: 0 });
  });

  it('redirects pages to /login with a return URL without a session', async () => {
    for (const [path, target] of [
      ['/', '/login'],
      ['/logs', '/login?next=%2Flogs'],
      ['/logs?source=a%20b', '/login?next=%2Flogs%3Fsource%3Da%2520b'],
      ['/no-such-page', '/login?next=%2Fno-such-page'],
      ['/docs', '/login?next=%2Fdocs'],
    ] as const) {
      const answer = await board.client.send('GET', path, { headers: HTML });
      expect([path, answer.status, answer.headers.location]).toEqual([path, 302, target]);
    }
    expect((await board.client.send('GET', '/login', { headers: HTML })).status).not.toBe(302);
    const { cookie } = await signIn(board);
    expect((await board.client.send('GET', '/logs', { headers: { ...HTML, cookie } })).status).not.toBe(302);
    const root = await board.client.send('GET', '/', { headers: { ...HTML, cookie } });
    expect([root.status, root.headers.location]).toEqual([302, '/logs']);
  });

  it('serves the API document only with a session', async () => {
    const { cookie, bearer } = await signIn(board);
    for (const headers of [{ cookie }, bearer]) {
      const document = await board.client.send('GET', '/openapi.json', { headers });
      expect(document.body).toMatchObject({
        info: { version: '2.0.0' },
        components: { securitySchemes: { bearer: { scheme: 'bearer' } } },
      });
    }
  });
});

describe('APP_USER and the session duration', () => {
  it('appear in GET /api/auth/me', async () => {
    const board = await startLogBoard({
      environment: { SESSION_TIMEOUT: '120', APP_USER: 'me@example.org' },
    });
    expect((await login(board)).status).toBe(401);
    const answer = await login(board, { username: 'me@example.org' });
    const { access_token: token } = answer.body as { access_token: string };
    const me = await board.client.send('GET', '/api/auth/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    const { username, session } = me.body as {
      username: string;
      session: { created_at: string; expires_at: string };
    };
    expect([me.status, username]).toEqual([200, 'me@example.org']);
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(120_000);
    // The default of SESSION_MAX: no page renews it.
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const renewal = await board.client.send('POST', '/api/auth/renewal', {
      headers: { ...OWN_PAGE, cookie },
    });
    expect(renewal.body).toMatchObject({
      renewable: false,
      user: { session: { expires_at: session.expires_at } },
    });
    await board.stop();
  });
});

describe.each([
  ['dashboard', startApp],
  ['log board', startLogBoard],
] as const)('SESSION_MAX above SESSION_TIMEOUT on the %s', (_name, start) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await start({
      environment: {
        APP_AUTH: 'required',
        APP_PASS: LOG_BOARD_PASSWORD,
        SESSION_TIMEOUT: '100',
        SESSION_MAX: '250',
      },
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  afterAll(() => app.stop());

  async function renew(cookie: string, headers: Record<string, string> = OWN_PAGE): Promise<ApiResponse> {
    return await app.client.send('POST', '/api/auth/renewal', { headers: { ...headers, cookie } });
  }

  async function isAdmitted(token: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` };
    return (await app.client.send('GET', '/api/auth/me', { headers })).status === 200;
  }

  it('renews the session of a page by SESSION_TIMEOUT each time, until SESSION_MAX', async () => {
    const { token: first, cookie, id } = await signIn(app);
    const tokens = [first];
    for (const [lived, left] of [
      [0, 100],
      [60, 100],
      [120, 100],
      [180, 70],
    ] as const) {
      if (lived > 0) beLater(60);
      const answer = await renew(cookie);
      const body = answer.body as {
        access_token: string;
        expires_in: number;
        user: { session: { id: string } };
      };
      expect(answer.status).toBe(200);
      expect(body).toMatchObject({ renewable: left === 100, user: { session: { id } } });
      expect(body.expires_in).toBeGreaterThan(left - 15);
      expect(body.expires_in).toBeLessThanOrEqual(left);
      expect(answer.headers['set-cookie']?.[0]).toContain(cookie);
      tokens.push(body.access_token);
    }
    // Each token keeps its own expiry, and none lives beyond SESSION_MAX.
    expect(await Promise.all(tokens.map(isAdmitted))).toEqual([false, false, false, true, true]);
    beLater(71);
    expect(await Promise.all(tokens.map(isAdmitted))).toEqual([false, false, false, false, false]);
    expectError(await renew(cookie), 401, 'unauthorized');
  });

  it('rejects renewals of other clients than own pages, and of ended sessions', async () => {
    const { cookie, bearer } = await signIn(app);
    expectError(await renew(cookie, {}), 401, 'unauthorized');
    expectError(await renew(cookie, { 'sec-fetch-site': 'cross-site' }), 403, 'forbidden_origin');
    expectError(await renew('', { ...OWN_PAGE, ...bearer }), 401, 'unauthorized');
    await app.client.send('POST', '/api/auth/logout', { headers: bearer });
    expectError(await renew(cookie), 401, 'unauthorized');
  });
});
