import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OwnerToken } from '../../backend/src/core/security/owner-token.js';
import { SignInLinks } from '../../backend/src/modules/auth/sign-in-links.js';
import { createToken, requestToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';

type Headers = Record<string, string>;

const REVEAL = '/api/v1/clusters/shop/resources/core/v1/secrets/none/reveal?namespace=default';
const CONFIG = '/api/v1/clusters/shop/config';

/** Each protected request, with the status that it has after the check. */
const PROTECTED: [what: string, method: string, path: string, body: unknown, status: number][] = [
  ['an access token of the scope full', 'POST', '/api/auth/tokens', { scope: 'full' }, 400],
  ['an access token without a valid scope', 'POST', '/api/auth/tokens', { scope: ['read', 'full'] }, 400],
  ['a sign-in link', 'POST', '/api/auth/links', undefined, 201],
  ['a revealed Secret', 'POST', REVEAL, { key: 'password' }, 404],
  ['a cluster with access to the host', 'POST', '/api/v1/clusters', { accept_host_access: true }, 400],
  ['a config with access to the host', 'PUT', CONFIG, { config: 'x', accept_host_access: true }, 422],
  ['a config in YAML with access to the host', 'PUT', `${CONFIG}?accept_host_access=true`, 'a: 1', 422],
  ['the flag given twice', 'PUT', `${CONFIG}?accept_host_access=true&accept_host_access=false`, 'a: 1', 400],
  ['a kubeconfig', 'GET', '/api/v1/clusters/shop/kubeconfig', undefined, 200],
  ['a kubeconfig for containers', 'GET', '/api/v1/clusters/shop/kubeconfig/docker', undefined, 200],
  ['consent to a plugin', 'POST', '/api/v1/external-clusters/x/consent', { fingerprint: '9d1c' }, 404],
  ['a clone with access to the host', 'POST', '/api/v1/clusters/mounts/clone', { name: 'mounts' }, 409],
  ['the read-only password', 'PUT', '/api/auth/viewer-password', { password: 'short' }, 400],
];

describe('reauthentication', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({
      environment: { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD, SESSION_MAX: '7200' },
    });
    app.client.headers = (await signIn(app)).bearer;
    await createCluster(app.client, 'shop');
    const config = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
- role: control-plane
  extraMounts:
  - hostPath: /srv/shop
    containerPath: /data
`;
    await createCluster(app.client, 'mounts', { config, workers: undefined, accept_host_access: true });
    app.client.headers = {};
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  afterAll(async () => {
    await app.stop();
  });

  async function send(method: string, path: string, headers: Headers, body: unknown): Promise<ApiResponse> {
    if (typeof body !== 'string') return await app.client.send(method, path, { headers, body });
    const yaml = { ...headers, 'content-type': 'application/yaml' };
    return await app.client.send(method, path, { headers: yaml, text: body });
  }

  it.each(PROTECTED)(
    'of a session is needed 15 minutes after the password for %s',
    async (_what, ...request) => {
      const [method, path, body, status] = request;
      const { bearer } = await signIn(app);
      beLater(14 * 60);
      expect((await send(method, path, bearer, body)).status).toBe(status);
      beLater(2 * 60);
      const { message } = expectError(
        await send(method, path, bearer, body),
        403,
        'reauthentication_required',
      );
      expect(message).toContain('Nothing was done.');
      const again = await signIn(app);
      expect((await send(method, path, again.bearer, body)).status).toBe(status);
      // The session before, whose token may have been stolen, gains nothing.
      expectError(await send(method, path, bearer, body), 403, 'reauthentication_required');
    },
  );

  it('is not satisfied by a renewal of the session', async () => {
    const { cookie } = await signIn(app);
    beLater(50 * 60);
    const renewed = await app.client.send('POST', '/api/auth/renewal', { headers: { ...OWN_PAGE, cookie } });
    const { access_token: token } = renewed.body as { access_token: string };
    const answer = await requestToken(app, { scope: 'full' }, { authorization: `Bearer ${token}` });
    expectError(answer, 403, 'reauthentication_required');
  });

  it('is needed at once after the clock was set back', async () => {
    beLater(3600);
    const { cookie } = await signIn(app);
    jest.useRealTimers();
    const again = await app.client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
    const { access_token: token } = again.body as { access_token: string };
    const answer = await requestToken(app, { scope: 'full' }, { authorization: `Bearer ${token}` });
    expectError(answer, 403, 'reauthentication_required');
  });

  it('is needed at once after a sign-in with a link', async () => {
    const link = await app.client.send('POST', '/api/auth/link', {
      body: { token: app.nest.get(SignInLinks).issue() },
    });
    const { access_token: token } = link.body as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    expectError(await requestToken(app, { scope: 'full' }, headers), 403, 'reauthentication_required');
    expect((await requestToken(app, { scope: 'read' }, headers)).status).toBe(201);
  });

  it('is not needed for an access token of the scope read, nor without access to the host', async () => {
    const { bearer } = await signIn(app);
    beLater(16 * 60);
    const clone = await send('POST', '/api/v1/clusters/shop/clone', bearer, { name: 'shop' });
    expectError(clone, 409, 'cluster_exists');
    expect((await requestToken(app, { scope: 'read' }, bearer)).status).toBe(201);
    for (const flag of [false, undefined]) {
      const body = { accept_host_access: flag };
      expect((await send('POST', '/api/v1/clusters', bearer, body)).status).toBe(400);
    }
  });

  it('is not needed with an access token or the owner token', async () => {
    const { bearer: full } = await createToken(app, { scope: 'full' });
    const owner = { authorization: `Bearer ${app.nest.get(OwnerToken).value}` };
    beLater(16 * 60);
    for (const headers of [full, owner]) {
      expect((await send('POST', REVEAL, headers, { key: 'password' })).status).toBe(404);
      const body = { accept_host_access: true };
      expect((await send('POST', '/api/v1/clusters', headers, body)).status).toBe(400);
    }
    expect((await requestToken(app, { scope: 'full' }, owner)).status).toBe(201);
  });

  it('is a sign-in: the journal records a failed one, and the limits count it', async () => {
    const { bearer } = await signIn(app);
    const from = '127.0.0.31';
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expectError(await login(app, { password: 'wrong', from }), 401, 'unauthorized');
    }
    expectError(await login(app, { from }), 429, 'too_many_requests');
    const journal = await app.client.send('GET', '/api/v1/journal/recent', { headers: bearer });
    expect(journal.text).toContain(`A sign-in from ${from} failed.`);
  });
});

describe('reauthentication of the local user', () => {
  it('is not needed where no sign-in is required', async () => {
    const app = await startApp({ environment: { APP_PASS: LOG_BOARD_PASSWORD } });
    const body = { accept_host_access: true };
    expect((await app.client.send('POST', '/api/v1/clusters', { body })).status).toBe(400);
    expect((await app.client.send('POST', REVEAL, { body: { key: 'a' } })).status).toBe(404);
    await app.stop();
  });
});
