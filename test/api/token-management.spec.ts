import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../backend/src/core/storage/database.js';
import type { JournalEntryDto } from '../../backend/src/modules/journal/index.js';
import { createToken, inDays, requestToken } from '../support/app/access-tokens.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { requestCluster } from '../support/app/clusters.js';
import { expectError, problemsOf } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';

const ENDED = { code: 4401, reason: 'the access token has ended' };

describe('access tokens', () => {
  let folder: string;
  let board: TestApp;
  /** On loopback, where the local user needs no sign-in. */
  let dashboard: TestApp;
  let session: SignedIn;
  const sockets: EventSocket[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-tokens-'));
    board = await startLogBoard({ dataDirectory: folder });
    const environment = { APP_PASS: LOG_BOARD_PASSWORD };
    dashboard = await startApp({ environment, dataDirectory: folder });
    session = await signIn(board);
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(async () => {
    await board.stop();
    await dashboard.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Reads from each application with a token. */
  async function read(headers: Record<string, string>): Promise<number[]> {
    const answers = [
      await board.client.send('GET', '/api/sources', { headers }),
      await dashboard.client.send('GET', '/api/v1/clusters', { headers }),
      await dashboard.client.send('GET', '/openapi.json', { headers }),
    ];
    return answers.map(({ status }) => status);
  }

  /** Opens a socket of each application. @param tokenFor the token in the URL for each socket */
  async function open(tokenFor: (app: TestApp) => Promise<string> | string): Promise<EventSocket[]> {
    for (const [app, path] of [
      [board, '/ws'],
      [dashboard, '/events'],
    ] as const) {
      sockets.push(await EventSocket.open(app.port, {}, `${path}?token=${await tokenFor(app)}`));
    }
    return sockets;
  }

  async function ticketBy(headers: Record<string, string>, app: TestApp): Promise<string> {
    const answer = await app.client.send('POST', '/api/auth/ticket', { headers });
    return (answer.body as { ticket: string }).ticket;
  }

  async function list(): Promise<ApiResponse> {
    return await board.client.send('GET', '/api/auth/tokens', { headers: session.bearer });
  }

  it('are created by a session with a password, shown once, and accepted by both applications', async () => {
    const bySession = await createToken(board, { name: ' nightly  report ' }, session.bearer);
    const byUser = await createToken(dashboard, { name: 'backup', scope: 'full' }, session.bearer);
    for (const { token, bearer } of [bySession, byUser]) {
      expect(token).toMatch(/^slipway_[\w-]{43}$/);
      expect(await read(bearer)).toEqual([200, 200, 200]);
    }
    const { body, text } = await list();
    expect(body).toMatchObject([
      { id: byUser.id, name: 'backup', scope: 'full', last_used_at: expect.any(String) },
      { id: bySession.id, name: 'nightly  report', scope: 'read', created_by: 'admin' },
    ]);
    expect((await dashboard.client.send('GET', '/api/auth/tokens')).body).toEqual(body);
    for (const { token } of [bySession, byUser]) {
      expect(text + board.log() + dashboard.log()).not.toContain(token);
      for (const file of await readdir(folder)) {
        // All files of the data folder, including the database and its WAL.
        const content = await readFile(join(folder, file)).catch(() => Buffer.alloc(0));
        expect([file, content.includes(token)]).toEqual([file, false]);
      }
    }
  });

  it('must be complete and expire within a year', async () => {
    const send = async (wanted: object): Promise<Record<string, string>> =>
      problemsOf(await requestToken(dashboard, wanted));
    const empty = await dashboard.client.send('POST', '/api/auth/tokens', {
      body: {},
      headers: session.bearer,
    });
    expect(Object.keys(problemsOf(empty)).sort()).toEqual(['expires_at', 'name', 'scope']);
    expect(await send({ name: ' ' })).toEqual({ name: 'must have 1 to 64 characters' });
    expect(await send({ name: 'x'.repeat(65) })).toEqual({ name: 'must have 1 to 64 characters' });
    expect(await send({ name: 'a\u202eb' })).toEqual({ name: 'must have printable characters only' });
    expect(await send({ scope: 'admin' })).toEqual({ scope: 'must be read or full' });
    for (const expires_at of [inDays(-1), inDays(367), 'tomorrow', '2026-12-22', '']) {
      expect(await send({ expires_at })).toHaveProperty('expires_at');
    }
    expect((await requestToken(dashboard, { name: 'a year', expires_at: inDays(366) })).status).toBe(201);
    const { name: taken } = await send({ name: 'a year' });
    expect(taken).toMatch(/^already exists/);
  });

  it('are recorded as actors in the journal, as are their creation and revocation', async () => {
    const { id, bearer } = await createToken(dashboard, { name: 'pipeline', scope: 'full' });
    await requestCluster(
      {
        send: (method: string, path: string, more: object) =>
          dashboard.client.send(method, path, { ...more, headers: bearer }),
      } as never,
      'by-token',
    );
    await board.client.send('DELETE', `/api/auth/tokens/${id}`, { headers: session.bearer });
    const { entries } = await dashboard.client.get<{ entries: JournalEntryDto[] }>(
      '/api/v1/journal/recent?text=by-token',
    );
    expect(entries.at(-1)?.actor).toMatchObject({
      kind: 'token',
      id,
      name: 'pipeline',
      address: '127.0.0.1',
    });
    const changes = await dashboard.client.get<{ entries: JournalEntryDto[] }>(
      '/api/v1/journal/recent?kind=token&text=pipeline',
    );
    expect(changes.entries.map(({ kind, subject, actor }) => [kind, subject, actor?.kind])).toEqual([
      ['token-revoke', 'pipeline', 'session'],
      ['token-create', 'pipeline', 'session'],
    ]);
  });

  it('are rejected immediately after revocation, and their sockets are closed', async () => {
    const { id, token, bearer } = await createToken(dashboard);
    const byToken = [...(await open(() => token))];
    await open((app) => ticketBy(bearer, app));
    const ticket = await ticketBy(bearer, dashboard);
    const answer = await board.client.send('DELETE', `/api/auth/tokens/${id}`, { headers: session.bearer });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await read(bearer)).toEqual([401, 401, 401]);
    expect(byToken).toHaveLength(2);
    expect(sockets).toHaveLength(4);
    for (const socket of sockets) expect(await socket.untilClosed()).toEqual(ENDED);
    for (const shown of [token, ticket]) {
      await expect(EventSocket.open(dashboard.port, {}, `/events?token=${shown}`)).rejects.toThrow('401');
    }
    const again = await board.client.send('DELETE', `/api/auth/tokens/${id}`, { headers: session.bearer });
    expectError(again, 404, 'access_token_not_found');
    expect((await list()).text).not.toContain(id);
  });

  it('are rejected when they expire, and their sockets are closed', async () => {
    const { id, token, bearer } = await createToken(dashboard);
    await open(() => token);
    // If the clock were set, the demo would write the logs of the skipped time.
    dashboard.nest
      .get(Database)
      .run('UPDATE access_tokens SET expires_at = ? WHERE id = ?', new Date().toISOString(), id);
    for (const socket of sockets) expect(await socket.untilClosed()).toEqual(ENDED);
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers: bearer })).status).toBe(401);
    expect((await dashboard.client.send('GET', '/api/auth/tokens')).text).not.toContain(id);
  });

  it('are checked if sent, even for an exempt user', async () => {
    const never = `slipway_${'A'.repeat(43)}`;
    for (const authorization of [`Bearer ${never}`, 'Bearer x', 'bearer', ['Bearer x', 'Basic eA==']]) {
      for (const path of ['/api/v1/clusters', '/openapi.json']) {
        const answer = await dashboard.client.send('GET', path, { headers: { authorization } });
        expectError(answer, 401, 'unauthorized');
      }
    }
    const headers = { authorization: `Bearer ${never}` };
    for (const [options, path] of [
      [{}, `/events?token=${never}`],
      [{ headers }, '/events'],
    ] as const) {
      await expect(EventSocket.open(dashboard.port, options, path)).rejects.toThrow('401');
    }
    // Other schemes are ignored.
    const basic = { authorization: 'Basic eA==' };
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers: basic })).status).toBe(200);
  });
});
