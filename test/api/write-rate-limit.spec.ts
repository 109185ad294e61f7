import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { OTHER_UID, sendAs } from '../support/app/other-user.js';
import { login } from '../support/app/signed-in.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';

const LIMIT = 3;
const PROXY = '127.0.0.5';
const PROXIED = { APP_TRUSTED_PROXIES: PROXY, APP_PASS: LOG_BOARD_PASSWORD };

describe('the rate limit of changes', () => {
  let app: TestApp;

  afterEach(async () => {
    jest.useRealTimers();
    await app.stop();
  });

  /** Uses up the limit of a client behind the proxy. */
  const useUp = async (client: string): Promise<void> => {
    for (let index = 0; index < LIMIT; index += 1) await change(client);
    expect(await change(client)).toBe(429);
  };
  const change = async (client: string, cookie = ''): Promise<number> => {
    const headers = { 'x-forwarded-for': client, ...(cookie === '' ? {} : { cookie }) };
    return (await app.client.send('DELETE', '/api/v1/jobs', { from: PROXY, headers })).status;
  };

  it('returns 429, and counts only changes', async () => {
    app = await startApp({ writesPerMinute: LIMIT });
    for (let index = 0; index < 5; index += 1) await app.client.get('/api/v1/health');
    for (let index = 0; index < LIMIT; index += 1) {
      expect((await app.client.send('DELETE', '/api/v1/jobs')).status).toBe(200);
    }
    expectError(await app.client.send('DELETE', '/api/v1/jobs'), 429, 'too_many_requests');
    expect((await app.client.send('GET', '/api/v1/jobs')).status).toBe(200);
  });

  it('does not hold longer if the clock is set back by an hour', async () => {
    app = await startApp({ writesPerMinute: LIMIT });
    const send = async (): Promise<number> => (await app.client.send('DELETE', '/api/v1/jobs')).status;
    for (let index = 0; index < LIMIT; index += 1) await send();
    expect(await send()).toBe(429);
    beLater(-3600);
    expect(await send()).toBe(200);
  });

  it('counts the changes of one batch once, and only those of clusters', async () => {
    app = await startApp({ writesPerMinute: LIMIT });
    const send = async (path: string, batch: string): Promise<number> =>
      (await app.client.send('DELETE', path, { headers: { 'slipway-batch': batch } })).status;
    for (let index = 0; index < 2 * LIMIT; index += 1) {
      expect(await send('/api/v1/clusters/none', 'batch-one')).toBe(404);
    }
    expect(await send('/api/v1/clusters/none', 'batch-two')).toBe(404);
    expect(await send('/api/v1/jobs', 'batch-two')).toBe(200);
    expect(await send('/api/v1/clusters/none', 'batch-six')).toBe(429);
    expect(await send('/api/v1/clusters/none', 'batch-six')).toBe(429);
    expect(await send('/api/v1/clusters/none', 'batch-one')).toBe(404);
    expect(await send('/api/v1/jobs', 'batch-one')).toBe(429);
    expect(await send('/api/v1/clusters/none', 'short')).toBe(429);
  });

  it('counts another system user separately', async () => {
    app = await startApp({ writesPerMinute: LIMIT });
    const status = (): Promise<number> => sendAs(OTHER_UID, app.port, '/api/v1/jobs', { method: 'DELETE' });
    for (let index = 0; index < LIMIT; index += 1) expect(await status()).toBe(401);
    expect(await status()).toBe(429);
    expect((await app.client.send('DELETE', '/api/v1/jobs')).status).toBe(200);
  });

  it('counts each client behind a trusted proxy separately', async () => {
    app = await startApp({ writesPerMinute: LIMIT, environment: PROXIED });
    await useUp('192.0.2.66');
    expect(await change('192.0.2.67')).toBe(401);
  });

  it('counts a known browser separately from others with its address', async () => {
    app = await startApp({ writesPerMinute: LIMIT, environment: PROXIED });
    const [, browser = ''] = (await login(app)).headers['set-cookie'] ?? [];
    await useUp('192.0.2.7');
    expect(await change('192.0.2.7', browser.split(';')[0])).toBe(401);
    expect(await change('192.0.2.7', browser.replace('.', '.x').split(';')[0])).toBe(429);
  });
});
