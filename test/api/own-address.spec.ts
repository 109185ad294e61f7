import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** A loopback address that is not allowed by default. */
const ADDRESS = '127.8.9.1';

describe('a server with APP_HOST', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_HOST: ADDRESS } });
  });

  afterAll(() => app.stop());

  const statusOf = async (method: string, headers: Record<string, string>): Promise<number | undefined> =>
    await new Promise((resolve, reject) => {
      request({ host: ADDRESS, port: app.port, path: '/api/v1/jobs', method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('accepts only that address as Host', async () => {
    expect(await statusOf('GET', { host: `${ADDRESS}:${app.port}` })).toBe(200);
    for (const host of [
      ADDRESS,
      `${ADDRESS}:${app.port + 1}`,
      `127.8.9.2:${app.port}`,
      `${ADDRESS}.evil.example:${app.port}`,
      'evil.example',
    ]) {
      expect([host, await statusOf('GET', { host })]).toEqual([host, 403]);
    }
  });

  it('accepts changes only from same-origin pages', async () => {
    const host = `${ADDRESS}:${app.port}`;
    expect(await statusOf('DELETE', { host, origin: `http://${host}` })).toBe(200);
    for (const origin of [`http://127.8.9.2:${app.port}`, `http://${ADDRESS}`, 'http://evil.example']) {
      expect([origin, await statusOf('DELETE', { host, origin })]).toEqual([origin, 403]);
    }
  });
});
