import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { OTHER_UID, sendAs } from '../support/app/other-user.js';
import { requestToken } from '../support/app/access-tokens.js';
import { signIn } from '../support/app/signed-in.js';
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

  it('creates no access token and no sign-in link without the password', async () => {
    expectError(await requestToken(app, {}, {}), 403, 'password_required');
    expectError(await app.client.send('POST', '/api/auth/links'), 403, 'password_required');
    const { bearer } = await signIn(app);
    expect((await requestToken(app, {}, bearer)).status).toBe(201);
    const link = await app.client.send('POST', '/api/auth/links', { headers: bearer });
    expect(link.status).toBe(201);
    const { entries } = await app.client.get<{ entries: unknown[] }>(
      '/api/v1/journal/recent?kind=session-link',
    );
    expect(entries).toMatchObject([
      { message: 'Created a one-time sign-in link.', actor: { kind: 'session' } },
    ]);
  });

  it('can read why it needs no password', async () => {
    expect(await app.client.get('/api/auth/exemption')).toEqual({
      exempt: true,
      reason: expect.stringMatching(/^No password is needed: this request is from your own user, and .+\.$/),
      viewer_password: false,
    });
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

describe('root', () => {
  it('needs a sign-in where Slipway runs as another user: its connection can be a relay', async () => {
    const app = await startApp();
    const effective = jest.spyOn(process, 'geteuid').mockReturnValue(OTHER_UID);
    try {
      expect(await sendAs(OTHER_UID, app.port, CLUSTERS)).toBe(200);
      expect(await sendAs(0, app.port, CLUSTERS)).toBe(401);
    } finally {
      effective.mockRestore();
      await app.stop();
    }
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
