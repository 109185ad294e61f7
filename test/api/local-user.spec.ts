import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/app/error-answer.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { OTHER_UID, sendAs } from '../support/app/other-user.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';

const CLUSTERS = '/api/v1/clusters';
const CREATION = { method: 'POST', body: { name: 'theirs', workers: 0, node_image_tag: 'v1.34.0' } };

describe('the local user', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it('needs no sign-in for reads, pages and changes', async () => {
    expect(await sendAs(undefined, app.port, CLUSTERS)).toBe(200);
    expect(await sendAs(undefined, app.port, '/openapi.json')).toBe(200);
    expect(await sendAs(undefined, app.port, CLUSTERS, { ...CREATION, body: { name: '-' } })).toBe(400);
  });

  it('is the only exempt one: another system user gets 401', async () => {
    expect(await sendAs(OTHER_UID, app.port, CLUSTERS)).toBe(401);
    expect(await sendAs(OTHER_UID, app.port, CLUSTERS, CREATION)).toBe(401);
    expect(await sendAs(OTHER_UID, app.port, '/openapi.json')).toBe(401);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    for (const path of ['/events', '/api/v1/clusters/shop/shells?target=node&node=n']) {
      expect(await sendAs(OTHER_UID, app.port, path, { headers: upgrade })).toBe(401);
    }
    expect(await app.client.get(CLUSTERS)).toEqual([]);
  });
});

describe.each<[string, Record<string, string>]>([
  ['APP_AUTH=required', { APP_AUTH: 'required' }],
  ['APP_ALLOWED_HOSTS', { APP_ALLOWED_HOSTS: 'slipway.test' }],
])('with %s', (_what, environment) => {
  it('the local user must sign in under every host name', async () => {
    const app = await startApp({ environment: { APP_PASS: LOG_BOARD_PASSWORD, ...environment } });
    try {
      expectError(await app.client.send('GET', CLUSTERS), 401, 'unauthorized');
      expectError(await app.client.send('POST', CLUSTERS, { body: CREATION.body }), 401, 'unauthorized');
    } finally {
      await app.stop();
    }
  });
});

describe('the log board', () => {
  it('requires a session from the local user', async () => {
    const board = await startLogBoard();
    try {
      expectError(await board.client.send('GET', '/api/sources'), 401, 'unauthorized');
    } finally {
      await board.stop();
    }
  });
});
