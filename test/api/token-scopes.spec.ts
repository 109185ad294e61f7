import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createToken, inDays } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, clusterSpec } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { routesOf } from '../support/app/routes.js';
import { signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';

type Bearer = { authorization: string };

const OF = '/api/v1/clusters/scoped';
const CONFIG_MAP = `${OF}/resources/core/v1/configmaps/settings?namespace=default`;
const YAML =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\ndata:\n  color: blue\n';
const TOKEN = { name: 'x', scope: 'read', expires_at: inDays(1) };

/** Sign-in routes, which need no token. */
const PUBLIC = new Set(['login', 'link', 'token', 'renewal'].map((name) => `POST /api/auth/${name}`));
/** Routes that never change anything. */
const CHECKS = new Set([
  'POST /api/alerts/preview',
  'POST /api/auth/ticket',
  'POST /api/v1/clusters/check',
  'POST /api/v1/clusters/x/clone/check',
  'POST /api/v1/clusters/x/config/check',
  'POST /api/v1/clusters/x/resources/x/x/x/effects',
  'POST /api/v1/external-clusters/x/check',
]);

describe('the scope of an access token', () => {
  let folder: string;
  let board: TestApp;
  /** On loopback, where the local user needs no sign-in. A token that is sent still applies. */
  let dashboard: TestApp;
  let read: Bearer;
  let full: Bearer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-scopes-'));
    board = await startLogBoard({ dataDirectory: folder });
    const environment = { APP_PASS: LOG_BOARD_PASSWORD };
    dashboard = await startApp({ environment, dataDirectory: folder });
    const session = await signIn(board);
    read = (await createToken(board, { scope: 'read' }, session.bearer)).bearer;
    full = (await createToken(board, { scope: 'full' }, session.bearer)).bearer;
    await createCluster(dashboard.client, 'scoped');
    await send('POST', `${OF}/resources/apply`, full, { yaml: YAML });
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function send(method: string, path: string, headers: Bearer, body?: unknown): Promise<ApiResponse> {
    return await dashboard.client.send(method, path, { headers: { ...headers }, body });
  }

  it('read: every changing route of both applications returns 403', async () => {
    const changes = [board, dashboard].flatMap((app) =>
      routesOf(app)
        .filter(({ method, path }) => method !== 'GET' && !PUBLIC.has(`${method} ${path}`))
        .map((route) => ({ ...route, app })),
    );
    expect(changes.length).toBeGreaterThan(50);
    const open = new Set<string>();
    for (const { app, method, path } of changes) {
      const answer = await app.client.send(method, path, { headers: read });
      if (answer.status !== 403) open.add(`${method} ${path}`);
      else expectError(answer, 403, 'insufficient_scope');
    }
    expect([...open].sort()).toEqual([...CHECKS].sort());
  });

  it('read: allows checks and dry runs', async () => {
    const tries: [string, string, object, number][] = [
      ['POST', '/api/v1/clusters/check', clusterSpec('other'), 200],
      ['POST', `${OF}/clone/check`, { name: 'other' }, 200],
      ['POST', `${OF}/resources/apply`, { yaml: YAML, dry_run: true }, 200],
      ['PUT', `${CONFIG_MAP}&dry_run=true`, { yaml: YAML }, 200],
      ['DELETE', `${CONFIG_MAP}&dry_run=true`, {}, 200],
      ['POST', `${OF}/pods/restart`, { namespace: 'default', name: 'x', dry_run: true }, 404],
      ['POST', `${OF}/addons`, { addon: 'kiali', dry_run: true }, 200],
      ['PUT', `${OF}/addons/releases/x`, { dry_run: true }, 404],
      ['POST', `${OF}/addons/releases/x/rollback`, { revision: 1, dry_run: true }, 404],
    ];
    for (const [method, path, body, status] of tries) {
      const answer = await send(method, path, read, method === 'DELETE' ? undefined : body);
      expect([method, path, answer.status]).toEqual([method, path, status]);
    }
    const { text } = await send('GET', CONFIG_MAP, read);
    expect(text).toContain('settings');
  });

  it.each<[string, string, string, unknown]>([
    ['false', 'POST', `${OF}/resources/apply`, { yaml: YAML, dry_run: false }],
    ['text', 'POST', `${OF}/resources/apply`, { yaml: YAML, dry_run: 'true' }],
    ['a number', 'POST', `${OF}/addons`, { addon: 'metrics-server', dry_run: 1 }],
    ['in the address of a route that has it in its body', 'POST', `${OF}/addons?dry_run=true`, {}],
    ['in the body of a route that has it in its address', 'DELETE', CONFIG_MAP, { dry_run: true }],
    ['given twice', 'DELETE', `${CONFIG_MAP}&dry_run=true&dry_run=false`, undefined],
    ['empty', 'PUT', `${CONFIG_MAP}&dry_run=`, { yaml: YAML }],
  ])('read: rejects %s as a dry run', async (_what, method, path, body) => {
    expectError(await send(method, path, read, body), 403, 'insufficient_scope');
  });

  it.each([
    `${OF}/kubeconfig`,
    `${OF}/kubeconfig/docker`,
    `${OF}/kubeconfig/docker?variant=network`,
    `${OF}/addons/releases/metrics-server`,
    '/api/v1/diagnostics/bundle',
  ])('read: cannot get %s', async (path) => {
    const answer = await send('GET', path, read);
    const { message } = expectError(answer, 403, 'insufficient_scope');
    expect(message).toBe(
      'The access token has the scope read, and this request needs the scope full. Use an access token with the scope full, or sign in.',
    );
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="Slipway", error="insufficient_scope"');
    expect((await send('HEAD', path, read)).status).toBe(403);
    expect((await send('GET', path, full)).status).not.toBe(403);
  });

  it('read: cannot reveal a Secret', async () => {
    const path = `${OF}/resources/core/v1/secrets/x/reveal?namespace=default`;
    expectError(await send('POST', path, read, { key: 'password' }), 403, 'insufficient_scope');
  });

  it('full: can change everything except sessions and access tokens', async () => {
    const path = `${OF}/resources/apply`;
    expect((await send('POST', path, full, { yaml: YAML })).status).toBe(200);
    expect((await board.client.send('GET', '/api/sources', { headers: full })).status).toBe(200);
  });

  it.each([
    ['GET', '/api/auth/tokens'],
    ['POST', '/api/auth/tokens'],
    ['DELETE', '/api/auth/tokens/x'],
    ['GET', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions/x'],
    ['GET', '/api/auth/me'],
    ['POST', '/api/auth/logout'],
    ['PUT', '/api/auth/viewer-password'],
  ])('no scope allows %s %s', async (method, path) => {
    for (const app of [board, dashboard]) {
      for (const headers of [read, full]) {
        const body = method === 'POST' && path.endsWith('tokens') ? TOKEN : undefined;
        const answer = await app.client.send(method, path, { headers, body });
        expectError(answer, 403, 'insufficient_scope');
      }
    }
  });
});
