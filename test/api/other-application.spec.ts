import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, OWN_PAGE } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
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
