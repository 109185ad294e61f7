import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LINK_MINUTES } from '../../backend/src/modules/auth/sign-in-links.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { UPGRADE } from '../support/app/upgrade.js';
import { beLater } from '../support/clock.js';

const PROXY = '127.0.0.5';
const PROXIED = {
  APP_TRUSTED_PROXIES: PROXY,
  APP_PUBLIC_URL: 'https://slipway.test',
  APP_LOG_BOARD_PUBLIC_URL: 'https://logs.test:8443',
  APP_PASS: LOG_BOARD_PASSWORD,
};

describe('requests of an untrusted proxy', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it.each(['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'])(
    'are rejected by the header %s, including pages and upgrades',
    async (header) => {
      const headers = { [header]: '192.0.2.7' };
      for (const [path, more] of [
        ['/api/v1/clusters', {}],
        ['/clusters', {}],
        ['/events', UPGRADE],
      ] as const) {
        const answer = await app.client.send('GET', path, { headers: { ...headers, ...more } });
        expectError(answer, 403, 'forbidden_proxy');
        expect(answer.text).toContain('APP_TRUSTED_PROXIES');
      }
    },
  );
});

describe('behind a trusted proxy', () => {
  let dashboard: TestApp;
  let board: TestApp;

  beforeAll(async () => {
    dashboard = await startApp({ environment: PROXIED });
    const { dataDirectory } = dashboard;
    board = await startLogBoard({ environment: PROXIED, dataDirectory });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
  });

  const through = (host: string, client = '192.0.2.7'): Record<string, string> => ({
    host,
    'x-forwarded-for': `203.0.113.9, ${client}`,
    'x-forwarded-proto': 'https',
  });
  const wrong = async (client: string, cookie = ''): Promise<ApiResponse> =>
    await dashboard.client.send('POST', '/api/auth/login', {
      from: PROXY,
      headers: { ...through('slipway.test', client), ...(cookie === '' ? {} : { cookie }) },
      body: { username: 'admin', password: 'no' },
    });

  it('responses require HTTPS for the public host, on pages and errors, and not for localhost', async () => {
    for (const path of ['/login', '/api/v1/clusters']) {
      const answer = await dashboard.client.send('GET', path, {
        from: PROXY,
        headers: through('slipway.test'),
      });
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
      const local = await dashboard.client.send('GET', path);
      expect(local.headers).not.toHaveProperty('strict-transport-security');
    }
  });

  it('requires sign-in, also on loopback', async () => {
    expectError(await dashboard.client.send('GET', '/api/v1/clusters'), 401, 'unauthorized');
  });

  it('sets Secure, host-bound session cookies that the log board accepts', async () => {
    const answer = await dashboard.client.send('POST', '/api/auth/login', {
      from: PROXY,
      headers: through('slipway.test'),
      body: { username: 'admin', password: LOG_BOARD_PASSWORD },
    });
    expect(answer.status).toBe(200);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-slipway_(session|browser)_\d+=/);
      expect(cookie).toContain('; Secure');
    }
  });

  it('limits sign-ins per client, not per proxy', async () => {
    const tries = await Promise.all(Array.from({ length: 8 }, () => wrong('192.0.2.66')));
    expect(tries.some(({ status }) => status === 429)).toBe(true);
    expect((await wrong('192.0.2.67')).status).toBe(401);
    expect((await login(dashboard)).status).toBe(200);
  });

  it('redirects to the public URL of the dashboard', async () => {
    const answer = await board.client.send('GET', '/dashboard', {
      from: PROXY,
      headers: through('logs.test:8443'),
    });
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://slipway.test/']);
  });

  it('transfers the session to the other host name once', async () => {
    const { cookie } = await signIn(dashboard);
    const value = cookie.split('=')[1] ?? '';
    const asked = async (headers: Record<string, string>): Promise<string> => {
      const answer = await dashboard.client.send('GET', '/log-board?cluster=a', {
        from: PROXY,
        headers: { ...through('slipway.test'), ...headers },
      });
      expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
      return answer.headers.location ?? '';
    };
    expect(await asked({})).toBe('https://logs.test:8443/logs?cluster=a');
    const location = await asked({ cookie: `__Host-slipway_session_${dashboard.port}=${value}` });
    const [, token = ''] =
      /^https:\/\/logs\.test:8443\/login\?next=%2Flogs%3Fcluster%3Da#link=([\w-]+)$/.exec(location) ?? [];
    const redeem = async (given = token): Promise<number> => {
      const headers = { ...through('logs.test:8443'), ...OWN_PAGE };
      const answer = await board.client.send('POST', '/api/auth/link', {
        from: PROXY,
        headers,
        body: { token: given },
      });
      return answer.status;
    };
    expect([await redeem(), await redeem()]).toEqual([200, 401]);
    for (const app of [dashboard, board]) expect(app.log()).not.toContain(token);

    const late = (await asked({ cookie: `__Host-slipway_session_${dashboard.port}=${value}` }))
      .split('=')
      .at(-1);
    beLater(LINK_MINUTES * 60 + 1);
    expect(await redeem(late)).toBe(401);
  });
});
