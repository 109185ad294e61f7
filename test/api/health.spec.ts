import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootstrap } from '../../backend/src/apps/bootstrap.js';
import { DASHBOARD_DOCUMENT } from '../../backend/src/apps/dashboard/document.js';
import { DashboardModule } from '../../backend/src/apps/dashboard/dashboard.module.js';
import { createApplication } from '../../backend/src/apps/http/application.js';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { readProject } from '../../backend/src/core/config/project.js';
import { AppLogger } from '../../backend/src/core/logging/app-logger.js';
import { createToken } from '../support/app/access-tokens.js';
import { ApiClient } from '../support/app/api-client.js';
import { requestCluster, stepRuns } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { cookieAt, signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const DASHBOARD = '/api/v1/health';
const LOG_BOARD = '/api/health';
const PUBLIC_FIELDS = ['status', 'version'];
const ALL_FIELDS = ['checks', 'status', 'uptime_seconds', 'version'];

const fieldsOf = (body: unknown): string[] => Object.keys(body as object).sort();

describe('GET /api/v1/health and GET /api/health', () => {
  let folder: string;
  /** Requires a sign-in. */
  let dashboard: TestApp;
  let board: TestApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-health-'));
    board = await startLogBoard({ dataDirectory: folder });
    const environment = { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD };
    dashboard = await startApp({ environment, dataDirectory: folder });
  });

  afterAll(async () => {
    await dashboard.stop();
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('return status and version to clients without a session', async () => {
    for (const [app, path] of [
      [board, LOG_BOARD],
      [dashboard, DASHBOARD],
    ] as const) {
      const answer = await app.client.send('GET', path);
      expect(answer.status).toBe(200);
      expect(fieldsOf(answer.body)).toEqual(PUBLIC_FIELDS);
      expect(answer.body).toMatchObject({ version: readProject().version });
    }
    expect(await dashboard.client.get(DASHBOARD)).toMatchObject({ status: 'ok' });
    const opened = async (): Promise<boolean> =>
      (await board.client.get<{ status: string }>(LOG_BOARD)).status === 'ok';
    await waitFor(opened, 'the log store');
  });

  it('return uptime_seconds and checks with a token, or the cookie of a session', async () => {
    const session = await signIn(board);
    const { token } = await createToken(board, { scope: 'read' }, session.bearer);
    for (const headers of [
      session.bearer,
      { authorization: `Bearer ${token}` },
      { cookie: cookieAt(dashboard, session) },
    ]) {
      const { body } = await dashboard.client.send('GET', DASHBOARD, { headers });
      expect(fieldsOf(body)).toEqual(ALL_FIELDS);
    }
    await board.client.send('POST', '/api/auth/logout', { headers: session.bearer });
    for (const headers of [session.bearer, { cookie: cookieAt(dashboard, session) }]) {
      const { status, body } = await dashboard.client.send('GET', DASHBOARD, { headers });
      expect([status, fieldsOf(body)]).toEqual([200, PUBLIC_FIELDS]);
    }
  });

  it('return 503 storage_unavailable while the database cannot be read', async () => {
    const database = join(folder, 'slipway.db');
    await rename(database, `${database}.away`);
    try {
      for (const [app, path] of [
        [board, LOG_BOARD],
        [dashboard, DASHBOARD],
        [dashboard, `${DASHBOARD}/status`],
      ] as const) {
        const { message } = expectError(await app.client.send('GET', path), 503, 'storage_unavailable');
        expect(message).not.toContain(folder);
      }
    } finally {
      await rename(`${database}.away`, database);
    }
    expect((await dashboard.client.send('GET', DASHBOARD)).status).toBe(200);
  });

  it('have the deprecated alias /api/v1/health/status, with Deprecation and Sunset', async () => {
    const { body, headers } = await dashboard.client.send('GET', `${DASHBOARD}/status`);
    expect(fieldsOf(body)).toEqual(PUBLIC_FIELDS);
    // RFC 9745 and RFC 8594.
    expect(headers['deprecation']).toMatch(/^@\d{10}$/);
    const deprecated = Number(String(headers['deprecation']).slice(1)) * 1000;
    expect(Date.parse(String(headers['sunset']))).toBeGreaterThan(deprecated);
    expect(headers['link']).toBe(`<${DASHBOARD}>; rel="successor-version"`);
    const others = await dashboard.client.send('GET', DASHBOARD);
    expect(others.headers).not.toHaveProperty('deprecation');
  });
});

describe('GET /api/v1/health of an application that starts or stops', () => {
  it('returns 503 starting until the work of the last run is recovered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-health-'));
    const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_RUNTIME: 'demo', HOME: folder });
    const logger = AppLogger.create(configuration, { write: () => undefined });
    const foundation = await bootstrap(configuration, { logger });
    const recovery = Promise.withResolvers<null>();
    const listening = Promise.withResolvers<number>();
    const { app, listen } = await createApplication(foundation, {
      module: DashboardModule.with(foundation),
      port: 0,
      publicUrl: '',
      frontend: 'dashboard',
      home: '/clusters',
      pages: [],
      beside: { path: '/log-board', port: 0, publicUrl: '', landing: '/logs', isHere: false },
      globalPrefix: { prefix: 'api/v1', exclude: ['api/auth/{*route}'] },
      document: DASHBOARD_DOCUMENT,
      begin: async (listener) => {
        listening.resolve((listener.getHttpServer().address() as { port: number }).port);
        await recovery.promise;
      },
    });
    const started = listen();
    const client = new ApiClient(await listening.promise);
    try {
      expectError(await client.send('GET', DASHBOARD), 503, 'starting');
      recovery.resolve(null);
      await started;
      expect((await client.send('GET', DASHBOARD)).status).toBe(200);
    } finally {
      client.close();
      await app.close();
      foundation.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('returns 503 shutting_down while jobs are rolled back', async () => {
    const app = await startApp({ environment: { APP_DEMO_SPEED: '5' } });
    const id = await requestCluster(app.client, 'stopped');
    await stepRuns(app.client, id, 'starting-control-plane');
    const closed = app.nest.close();
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    expectError(await app.client.send('GET', DASHBOARD), 503, 'shutting_down');
    expect(isClosed).toBe(false);
    await closed;
    await app.stop();
  });
});
