import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/app/error-answer.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('the application beside this one', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_LOG_BOARD_PORT: '9007' } });
  });

  afterAll(() => app.stop());

  it('is led to under the name by which this one was asked', async () => {
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
