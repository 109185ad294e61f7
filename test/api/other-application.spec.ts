import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { requestToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';
import { freePort } from '../support/free-port.js';

describe('links to the other application', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_LOG_BOARD_PORT: '9007' } });
  });

  afterAll(() => app.stop());

  it('have the host name of the request', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const answer = await app.client.send('GET', '/log-board', {
        headers: { host: `${name}:${app.port}` },
      });
      expect([answer.status, answer.headers.location]).toEqual([302, `http://${name}:9007/`]);
    }
    const query = '?cluster=a%26b&pod=%2F%2Fevil.example';
    const answer = await app.client.send('GET', `/log-board${query}`);
    expect(answer.headers.location).toBe(`http://localhost:9007/logs${query}`);
    expectError(
      await app.client.send('GET', '/log-board', { headers: { host: 'evil.example' } }),
      403,
      'forbidden_host',
    );
  });
});

describe('a link for a user who needs no sign-in', () => {
  const ticketOf = ({ headers }: ApiResponse): string | undefined =>
    /^http:\/\/localhost:9007\/login\?next=%2Flogs%3Fcluster%3Da#link=([\w-]+)$/.exec(
      headers.location ?? '',
    )?.[1];

  it('has a ticket for the log board, once, and only if the user followed a link of the dashboard', async () => {
    const app = await startApp({
      environment: { APP_LOG_BOARD_PORT: '9007' },
      applications: ['dashboard', 'log-board'],
    });
    const open = (headers: Record<string, string> = {}): Promise<ApiResponse> =>
      app.client.send('GET', '/log-board?cluster=a', { headers });
    try {
      const token = ticketOf(await open({ 'sec-fetch-site': 'same-origin' }));
      const redeem = (): Promise<ApiResponse> =>
        app.client.send('POST', '/api/auth/link', { body: { token } });
      const signedIn = await redeem();
      expect(signedIn.status).toBe(200);
      expectError(await redeem(), 401, 'unauthorized');
      // Its session is bound to the exemption.
      const { access_token } = signedIn.body as { access_token: string };
      const tried = await requestToken(app, {}, { authorization: `Bearer ${access_token}` });
      expectError(tried, 403, 'password_required');

      const cookie = (signedIn.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
      const page = 'http://localhost:9007/logs?cluster=a';
      expect((await open({ cookie })).headers.location).toBe(page);
      for (const site of ['cross-site', 'same-site']) {
        expect((await open({ 'sec-fetch-site': site })).headers.location).toBe(page);
      }
    } finally {
      await app.stop();
    }
  });
});

describe('both applications under one host name', () => {
  let dashboard: TestApp;
  let board: TestApp;

  beforeAll(async () => {
    const environment = {
      APP_AUTH: 'required',
      APP_PASS: LOG_BOARD_PASSWORD,
      APP_PORT: String(await freePort()),
      APP_LOG_BOARD_PORT: String(await freePort()),
      APP_LOG_INTAKE: 'off',
    };
    dashboard = await startApp({ environment });
    board = await startLogBoard({ environment, dataDirectory: dashboard.dataDirectory });
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
  });

  /** Cookies by name, without attributes. */
  const cookiesOf = ({ headers }: ApiResponse): Map<string, string> =>
    new Map(
      (headers['set-cookie'] ?? []).map((text) => {
        const [name = '', value = ''] = text.split(';')[0]?.split('=') ?? [];
        return [name, value];
      }),
    );

  it.each<[string, () => [TestApp, TestApp]]>([
    ['dashboard', () => [dashboard, board]],
    ['log board', () => [board, dashboard]],
  ])('share a sign-in and a sign-out at the %s', async (_name, apps) => {
    const [here, there] = apps();
    const signedIn = await login(here);
    const cookies = cookiesOf(signedIn);
    const ports = [dashboard.port, board.port];
    const session = ports.map((port) => `slipway_session_${port}`);
    expect([...cookies.keys()].sort()).toEqual(
      [...session, ...ports.map((port) => `slipway_browser_${port}`)].sort(),
    );

    const name = `slipway_session_${there.port}`;
    const headers = { ...OWN_PAGE, cookie: `${name}=${cookies.get(name) ?? ''}` };
    const again = await there.client.send('POST', '/api/auth/token', { headers });
    expect(again.status).toBe(200);
    const { access_token: token } = again.body as { access_token: string };

    const bearer = { authorization: `Bearer ${token}` };
    const out = await there.client.send('POST', '/api/auth/logout', { headers: bearer });
    expect([out.status, [...cookiesOf(out)].sort()]).toEqual([200, session.map((one) => [one, '']).sort()]);
    for (const text of out.headers['set-cookie'] ?? []) expect(text).toContain('Expires=Thu, 01 Jan 1970');
    for (const app of [here, there]) {
      const cookie = `slipway_session_${app.port}=${cookies.get(`slipway_session_${app.port}`) ?? ''}`;
      const answer = await app.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
      expectError(answer, 401, 'unauthorized');
    }
  });

  it('link to each other without a ticket, because they share the cookie', async () => {
    const cookie = [...cookiesOf(await login(dashboard))].map((pair) => pair.join('=')).join('; ');
    const answer = await dashboard.client.send('GET', '/log-board?cluster=a', { headers: { cookie } });
    expect(answer.headers.location).toBe(`http://localhost:${board.port}/logs?cluster=a`);
  });

  it('link to any page of the other, and to no other host', async () => {
    const cookie = [...cookiesOf(await login(board))].map((pair) => pair.join('=')).join('; ');
    const here = `http://localhost:${dashboard.port}`;
    const page = '/cluster/dev/resources/core/v1/pods?runtime=docker&object=shop%2Fapi-0';
    for (const path of [page, '//evil.example/', '/@evil.example']) {
      const answer = await board.client.send('GET', `/dashboard${path}`, { headers: { cookie } });
      expect(answer.headers.location).toBe(here + path);
    }
    const other = await board.client.send('GET', '/dashboards', { headers: { cookie } });
    expect(other.headers.location).toBeUndefined();
  });
});

describe('both applications under host names of their own', () => {
  let dashboard: TestApp;
  let board: TestApp;

  beforeAll(async () => {
    const environment = {
      APP_PASS: LOG_BOARD_PASSWORD,
      APP_PUBLIC_URL: 'http://slipway.test',
      APP_LOG_BOARD_PUBLIC_URL: 'http://logs.test',
      SESSION_TIMEOUT: '100',
      SESSION_MAX: '250',
    };
    dashboard = await startApp({ environment });
    board = await startLogBoard({ environment, dataDirectory: dashboard.dataDirectory });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
  });

  interface Held {
    cookie: string;
    bearer: { authorization: string };
    session: { id: string; created_at: string; expires_at: string };
  }

  const hostOf = (app: TestApp): string => (app === dashboard ? 'slipway.test' : 'logs.test');

  async function ticketAt(app: TestApp, cookie: string): Promise<string> {
    const path = app === dashboard ? '/log-board' : '/dashboard';
    const headers = { host: hostOf(app), cookie };
    const { location = '' } = (await app.client.send('GET', path, { headers })).headers;
    return /#link=([\w-]+)$/.exec(location)?.[1] ?? '';
  }

  async function redeem(app: TestApp, token: string, from?: string): Promise<ApiResponse> {
    const headers = { ...OWN_PAGE, host: hostOf(app) };
    return await app.client.send('POST', '/api/auth/link', { headers, body: { token }, from });
  }

  async function byCookie(app: TestApp, path: 'token' | 'renewal', cookie: string): Promise<ApiResponse> {
    const headers = { ...OWN_PAGE, host: hostOf(app), cookie };
    return await app.client.send('POST', `/api/auth/${path}`, { headers });
  }

  function heldOf({ status, headers, body }: ApiResponse): Held {
    expect(status).toBe(200);
    const { access_token, user } = body as { access_token: string; user: { session: Held['session'] } };
    return {
      cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
      bearer: { authorization: `Bearer ${access_token}` },
      session: user.session,
    };
  }

  it('continue one session, whose end no number of tickets postpones', async () => {
    const first = heldOf(await login(dashboard));
    beLater(60);
    const atBoard = heldOf(await redeem(board, await ticketAt(dashboard, first.cookie)));
    expect(atBoard.session).toEqual(first.session);
    beLater(30);
    const back = heldOf(await redeem(dashboard, await ticketAt(board, atBoard.cookie), '127.0.0.52'));
    expect(back.session).toEqual(first.session);

    // The password of the sign-in counts, and no later one.
    const links = { headers: { ...back.bearer, host: 'slipway.test' } };
    expect((await dashboard.client.send('POST', '/api/auth/links', links)).status).toBe(201);
    const { body } = await board.client.send('GET', '/api/auth/sessions', { headers: back.bearer });
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual([first.session.id]);

    const journal = await dashboard.client.send('GET', '/api/v1/journal/recent', { headers: back.bearer });
    expect(journal.body).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({
          kind: 'session-sign-in',
          actor: expect.objectContaining({ address: '127.0.0.52' }),
        }),
      ]),
    });

    for (const [app, { cookie }] of [
      [board, atBoard],
      [dashboard, back],
      [board, atBoard],
    ] as const) {
      expect((await byCookie(app, 'renewal', cookie)).status).toBe(200);
      beLater(75);
    }
    const late = { headers: { host: 'slipway.test', cookie: back.cookie } };
    expect((await dashboard.client.send('GET', '/log-board', late)).headers.location).toBe(
      'http://logs.test/',
    );
    for (const [app, { cookie }] of [
      [dashboard, first],
      [board, atBoard],
      [dashboard, back],
    ] as const) {
      expectError(await byCookie(app, 'token', cookie), 401, 'unauthorized');
    }
  });

  it.each(['a sign-out', 'its end on the page Sessions'])(
    'end together by %s, with unused tickets',
    async (what) => {
      const first = heldOf(await login(dashboard));
      const atBoard = heldOf(await redeem(board, await ticketAt(dashboard, first.cookie)));
      const unused = await ticketAt(dashboard, first.cookie);
      const other = await signIn(dashboard);
      const ended =
        what === 'a sign-out'
          ? await dashboard.client.send('POST', '/api/auth/logout', { headers: first.bearer })
          : await dashboard.client.send('DELETE', `/api/auth/sessions/${first.session.id}`, {
              headers: other.bearer,
            });
      expect(ended.status).toBe(200);
      const me = { headers: atBoard.bearer };
      expectError(await board.client.send('GET', '/api/auth/me', me), 401, 'unauthorized');
      expectError(await byCookie(board, 'token', atBoard.cookie), 401, 'unauthorized');
      expectError(await redeem(board, unused), 401, 'unauthorized');
      const kept = { headers: other.bearer };
      expect((await board.client.send('GET', '/api/auth/me', kept)).status).toBe(200);
    },
  );
});
