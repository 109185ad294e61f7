import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { createToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const READS = [
  'sources',
  'lines',
  'search',
  'histogram',
  'patterns',
  'fields?name=x',
  'completions',
  'export',
];

describe('stored lines on the dashboard', () => {
  let dashboard: TestApp;
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    dashboard = await startApp({
      environment: { APP_PASS: LOG_BOARD_PASSWORD, APP_DEMO_SPEED: '20' },
      applications: ['dashboard', 'log-board'],
    });
    board = await startLogBoard({ beside: dashboard });
    session = await signIn(board);
    await createCluster(dashboard.client, 'shop');
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
  });

  async function get(path: string, headers: object = session.bearer, of = dashboard): Promise<ApiResponse> {
    return await of.client.send('GET', path, { headers: { accept: 'application/json', ...headers } });
  }

  async function sources(): Promise<LogSourceDto[]> {
    return (await get('/api/v1/logs/sources')).body as LogSourceDto[];
  }

  it('are the same as on the log board, also those of deleted Pods', async () => {
    const isFilled = (one: LogSourceDto): boolean => one.workload === 'Deployment/web' && one.next_seq > 5;
    await waitFor(async () => (await sources()).some(isFilled), 'lines of web');
    const [source] = (await sources()).filter(isFilled);
    const { id, name } = source ?? { id: 0, name: '' };
    await dashboard.client.send(
      'DELETE',
      `/api/v1/clusters/shop/resources/core/v1/pods/${name}?namespace=shop`,
      { headers: session.bearer },
    );
    await waitFor(
      async () => (await sources()).find((one) => one.id === id)?.state === 'gone',
      'the Pod to be deleted',
    );
    const query = `sources=${id}&to=${encodeURIComponent(new Date().toISOString())}`;
    const here = await get(`/api/v1/logs/search?${query}`);
    expect((here.body as SearchResultDto).matches.length).toBeGreaterThan(4);
    expect(here.body).toEqual((await get(`/api/search?${query}`, session.bearer, board)).body);
    for (const path of ['histogram', 'patterns', 'export']) {
      const one = await get(`/api/v1/logs/${path}?${query}`);
      expect([path, one.status, one.text]).toEqual([path, 200, expect.stringMatching(/\d/)]);
    }
    const journal = await get('/api/v1/journal/recent?kind=log-export');
    expect(journal.text).toContain(`Log lines of ${name}`);
  });

  it('need a session or a token that reads, and reject what the log board rejects', async () => {
    const { bearer } = await createToken(dashboard, { scope: 'read' }, session.bearer);
    for (const path of READS) {
      expectError(await get(`/api/v1/logs/${path}`, { authorization: 'Bearer none' }), 401, 'unauthorized');
      expect([path, (await get(`/api/v1/logs/${path}`, bearer)).status]).toEqual([path, 200]);
    }
    expectError(await get('/api/v1/logs/search?q=(&regex=true'), 400, 'search_invalid');
    expectError(await get('/api/v1/logs/sources/99999'), 404, 'source_not_found');
  });

  it('cannot be changed here', async () => {
    const headers = session.bearer;
    for (const [method, path] of [
      ['DELETE', 'sources/1/history'],
      ['PUT', 'sources/1/intake'],
      ['GET', 'saved-searches'],
    ] as const) {
      const answer = await dashboard.client.send(method, `/api/v1/logs/${path}`, { headers });
      expectError(answer, 404, 'route_not_found');
    }
  });

  it('are not read by a dashboard without the log board, which says what to do', async () => {
    const alone = await startApp();
    for (const path of READS) {
      const answer = await get(`/api/v1/logs/${path}`, {}, alone);
      expectError(answer, 503, 'log_board_not_running');
      expect(answer.text).toContain('slipway serve');
    }
    await alone.stop();
  });
});
