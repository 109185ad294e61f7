import { afterEach, describe, expect, it } from '@jest/globals';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startLogBoard, type AppOptions, type TestApp } from '../support/app/start-app.js';

const HTML = { accept: 'text/html,*/*;q=0.8' };

describe('signing in to the log board', () => {
  let board: TestApp;

  async function start(options: AppOptions = {}): Promise<TestApp> {
    return (board = await startLogBoard(options));
  }

  afterEach(async () => {
    await board.stop();
  });

  it('gives a Bearer token, and a cookie that scripts cannot read', async () => {
    await start();
    const answer = await login(board);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      user: { username: 'admin', role: 'admin', session: { id: expect.any(String) } },
    });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^slipway_session=[\w-]{32}; /);
    for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Strict', 'Expires='])
      expect(cookie).toContain(attribute);
    const { access_token: token } = answer.body as { access_token: string };
    const [header = '', claims = ''] = token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const parsed = JSON.parse(claims) as Record<string, unknown>;
    expect(Object.keys(parsed).sort()).toEqual(['aud', 'exp', 'iat', 'jti', 'sub']);
    expect(Number(parsed['exp']) - Number(parsed['iat'])).toBeGreaterThanOrEqual(3599);
    expect(board.log()).not.toContain(token);
  });

  it('tells who is signed in, and until when', async () => {
    await start({ environment: { SESSION_TIMEOUT: '120', APP_USER: 'me@example.org' } });
    const answer = await login(board, { username: 'me@example.org' });
    const { access_token: token } = answer.body as { access_token: string };
    const me = await board.client.send('GET', '/api/auth/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(me.status).toBe(200);
    const { username, session } = me.body as {
      username: string;
      session: { created_at: string; expires_at: string };
    };
    expect(username).toBe('me@example.org');
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(120_000);
  });

  it('answers a wrong name and a wrong password alike', async () => {
    await start();
    const wrong = await login(board, { password: 'wrong' });
    const unknown = await login(board, { username: 'nobody' });
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        error: 'Unauthorized',
        message: 'Unauthorized',
        code: 'unauthorized',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect({ ...(wrong.body as object), request_id: '' }).toEqual({
      ...(unknown.body as object),
      request_id: '',
    });
  });

  it('ends with the session: the token, the cookie and what else it gave are worth nothing afterwards', async () => {
    await start();
    const { bearer, cookie, token } = await signIn(board);
    const other = await signIn(board);
    const again = await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
    const { access_token: second } = again.body as { access_token: string };
    expect(again.status).toBe(200);
    expect((await board.client.send('POST', '/api/auth/logout', { headers: bearer })).status).toBe(200);
    for (const worthless of [token, second]) {
      const headers = { authorization: `Bearer ${worthless}` };
      expect((await board.client.send('GET', '/api/auth/me', { headers })).status).toBe(401);
    }
    const refused = await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
    expect(refused.status).toBe(401);
    expect((await board.client.send('GET', '/api/auth/me', { headers: other.bearer })).status).toBe(200);
  });

  it('is over when its time is, and no later token moves that', async () => {
    await start({ environment: { SESSION_TIMEOUT: '2' } });
    const { bearer, cookie, expiresAt } = await signIn(board);
    const again = await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
    expect(again.body).toMatchObject({ user: { session: { expires_at: expiresAt } } });
    await board.client.send('GET', '/api/auth/me', { headers: bearer });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(expiresAt) - Date.now()) + 50));
    expect((await board.client.send('GET', '/api/auth/me', { headers: bearer })).status).toBe(401);
    expect(
      (await board.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } })).status,
    ).toBe(401);
  });

  it.each([
    ['no word of where it comes from', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an origin that is not ours', { origin: 'http://evil.example' }],
  ])('gives no token for the cookie with %s', async (_what, headers) => {
    await start();
    const { cookie } = await signIn(board);
    const answer = await board.client.send('POST', '/api/auth/token', { headers: { ...headers, cookie } });
    expect([401, 403]).toContain(answer.status);
    expect(answer.text).not.toContain('access_token');
  });

  it('shows the sessions, and ends one of them', async () => {
    await start();
    const mine = await signIn(board);
    const other = await signIn(board);
    const list = await board.client.send('GET', '/api/auth/sessions', { headers: mine.bearer });
    expect(
      (list.body as { id: string; current: boolean }[]).map(({ id, current }) => [id, current]).sort(),
    ).toEqual(
      [
        [mine.id, true],
        [other.id, false],
      ].sort(),
    );
    const path = `/api/auth/sessions/${other.id}`;
    expect((await board.client.send('DELETE', path, { headers: mine.bearer })).status).toBe(200);
    expect((await board.client.send('GET', '/api/auth/me', { headers: other.bearer })).status).toBe(401);
    const twice = await board.client.send('DELETE', path, { headers: mine.bearer });
    expect([twice.status, (twice.body as { code: string }).code]).toEqual([404, 'session_not_found']);
  });

  it('sends whoever asks for a page without a session to /login, with the way back', async () => {
    await start();
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

  it('keeps the API document for who is signed in', async () => {
    await start();
    expect((await board.client.send('GET', '/openapi.json')).status).toBe(401);
    const { cookie, bearer } = await signIn(board);
    for (const headers of [{ cookie }, bearer]) {
      const document = await board.client.send('GET', '/openapi.json', { headers });
      expect(document.body).toMatchObject({
        info: { version: '2.0.0' },
        components: { securitySchemes: { bearer: { scheme: 'bearer' } } },
      });
    }
  });

  it('lets an address wait longer after each wrong try, and says how long', async () => {
    await start();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await login(board, { password: 'no' })).status).toBe(401);
    const refused = await login(board);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await login(board)).status).toBe(200);
    expect((await login(board)).status).toBe(200);
  });

  it.each([
    ['no body', undefined],
    ['no password', { username: 'admin' }],
    ['a password that is no text', { username: 'admin', password: ['a'] }],
    ['a password too long to hash', { username: 'admin', password: 'x'.repeat(1025) }],
    ['a field more', { username: 'admin', password: 'x', role: 'root' }],
  ])('refuses %s before any hash', async (_what, body) => {
    await start();
    const answer = await board.client.send('POST', '/api/auth/login', body === undefined ? {} : { body });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'invalid_input']);
  });
});
