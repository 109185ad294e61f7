import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPassword } from '../../backend/src/apps/new-password.js';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { Database } from '../../backend/src/core/storage/database.js';
import type { JournalEntryDto } from '../../backend/src/modules/journal/index.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';

describe('the journal as an audit log', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD } });
  });

  afterAll(() => app.stop());

  it('records sign-ins, sign-outs and failed attempts, without the entered user name', async () => {
    for (let index = 0; index < 3; index += 1) await login(app, { password: 'no', username: 'intruder' });
    const { bearer } = await signIn(app);
    await app.client.send('POST', '/api/auth/logout', { headers: bearer });
    const again = await signIn(app);
    const answer = await app.client.send('GET', '/api/v1/journal/recent?kind=session', {
      headers: again.bearer,
    });
    const { entries } = answer.body as { entries: JournalEntryDto[] };
    expect(entries.map(({ kind, outcome, message }) => [kind, outcome, message]).toReversed()).toEqual([
      ['session-sign-in', 'failed', 'A sign-in from 127.0.0.1 failed.'],
      ['session-sign-in', 'succeeded', 'Signed in.'],
      ['session-sign-out', 'succeeded', 'Signed out.'],
      ['session-sign-in', 'succeeded', 'Signed in.'],
    ]);
    expect(entries.map(({ actor }) => [actor?.kind, actor?.user, actor?.address])).toEqual([
      ['session', 'admin', '127.0.0.1'],
      ['session', 'admin', '127.0.0.1'],
      ['session', 'admin', '127.0.0.1'],
      ['anonymous', 'anonymous', '127.0.0.1'],
    ]);
    expect(answer.text).not.toContain('intruder');
  });
});

describe('journal of both applications', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
  let board: TestApp;
  let app: TestApp;
  let own: SignedIn;

  beforeAll(async () => {
    const environment = { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD };
    app = await startApp({ environment, dataDirectory: folder });
    board = await startLogBoard({ dataDirectory: folder });
    own = await signIn(app);
  });

  afterAll(async () => {
    await board.stop();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const entries = async (query: string): Promise<JournalEntryDto[]> => {
    const answer = await app.client.send('GET', `/api/v1/journal/recent?${query}`, { headers: own.bearer });
    return (answer.body as { entries: JournalEntryDto[] }).entries;
  };

  it('records changes on the log board with their actor', async () => {
    await login(board, { password: 'no', from: '127.0.0.9' });
    const there = await signIn(board);
    expect((await board.client.send('GET', '/api/export', { headers: there.bearer })).status).toBe(200);
    const actor = { kind: 'session', user: 'admin', id: there.id.slice(0, 6), address: '127.0.0.1' };
    expect(await entries('kind=log-export')).toMatchObject([
      {
        outcome: 'succeeded',
        message: expect.stringMatching(/^Log lines of \d+ sources were downloaded\.$/),
        actor,
      },
    ]);
    expect(await entries('kind=session-sign-in&actor=127.0.0.9')).toMatchObject([
      { outcome: 'failed', actor: { kind: 'anonymous' } },
    ]);
  });

  it('records a used or unknown sign-in link as a failed sign-in', async () => {
    const body = { token: 'x'.repeat(32) };
    const answer = await app.client.send('POST', '/api/auth/link', { body, from: '127.0.0.8' });
    expect(answer.status).toBe(401);
    expect(await entries('actor=127.0.0.8')).toMatchObject([{ kind: 'session-sign-in', outcome: 'failed' }]);
  });

  it('records a session that another session ended', async () => {
    const [one, two, three] = [await signIn(app), await signIn(board), await signIn(board)];
    await app.client.send('DELETE', `/api/auth/sessions/${one.id}`, { headers: own.bearer });
    const short = (session: SignedIn): string => session.id.slice(0, 6);
    expect(await entries('kind=session-end')).toMatchObject([
      { message: `Ended session ${short(one)} from 127.0.0.1.`, actor: { id: short(own) } },
    ]);
    await app.client.send('DELETE', '/api/auth/sessions', { headers: own.bearer });
    const [entry] = await entries('kind=session-end');
    expect(entry?.message).toMatch(/^Ended \d+ sessions: /);
    for (const ended of [two, three]) expect(entry?.message).toContain(`${short(ended)} from 127.0.0.1`);
    await app.client.send('DELETE', `/api/auth/sessions/${one.id}`, { headers: own.bearer });
    await app.client.send('DELETE', '/api/auth/sessions', { headers: own.bearer });
    expect(await entries('kind=session-end')).toHaveLength(2);
  });
});

describe('password changes', () => {
  it('are recorded, by new-password and by APP_PASS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
    const changes = async (environment: Record<string, string> = {}): Promise<(string | undefined)[][]> => {
      const app = await startApp({ environment, dataDirectory: folder });
      const entries = await journalOf(app.client, '?kind=password-change');
      await app.stop();
      return entries.map(({ message, actor }) => [message, actor?.user]);
    };
    expect(await changes()).toEqual([]);
    expect(await changes()).toEqual([]);
    await newPassword(readConfiguration({ APP_DATA_DIR: folder }));
    const byCommand = [
      'Created a new password on the command line. It ends all sessions.',
      userInfo().username,
    ];
    expect(await changes()).toEqual([byCommand]);
    const atStart = [
      'The password changed at this start: APP_PASS sets another. It ended all sessions.',
      'system',
    ];
    expect(await changes({ APP_PASS: LOG_BOARD_PASSWORD })).toEqual([atStart, byCommand]);
    expect(await changes({ APP_PASS: LOG_BOARD_PASSWORD })).toHaveLength(2);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('disclosures', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({
      prepare: (folder) => {
        mkdirSync(join(folder, '.kube'));
      },
    });
    await createCluster(app.client, 'audited');
    const yaml = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\nstringData:\n  key: value\n';
    await app.client.send('POST', '/api/v1/clusters/audited/resources/apply', { body: { yaml } });
  });

  afterAll(() => app.stop());

  const SECRET = '/api/v1/clusters/audited/resources/core/v1/secrets/kept/reveal?namespace=default';

  it.each([
    ['GET', '/api/v1/clusters/audited/kubeconfig', 'kubeconfig-download', 'audited'],
    ['GET', '/api/v1/clusters/audited/kubeconfig/docker', 'kubeconfig-download', 'audited'],
    ['POST', '/api/v1/clusters/audited/kubeconfig/merge', 'kubeconfig-added', 'audited'],
    ['DELETE', '/api/v1/clusters/audited/kubeconfig/merge', 'kubeconfig-removed', 'audited'],
    ['GET', '/api/v1/clusters/audited/node-logs', 'node-logs', 'audited'],
    ['POST', SECRET, 'secret-reveal', 'audited'],
    ['GET', '/api/v1/diagnostics/bundle', 'support-bundle', null],
    ['GET', '/api/v1/journal/export', 'journal-export', null],
  ])('has an entry: %s %s', async (method, path, kind, cluster) => {
    const before = await journalOf(app.client, `?kind=${kind}`);
    const body = method === 'POST' ? { body: path === SECRET ? { key: 'key' } : {} } : {};
    expect((await app.client.send(method, path, body)).status).toBe(200);
    const entries = await journalOf(app.client, `?kind=${kind}`);
    expect(entries).toHaveLength(before.length + 1);
    const actor = { kind: 'local', user: userInfo().username, address: '127.0.0.1' };
    expect(entries[0]).toMatchObject({ kind, cluster, outcome: 'succeeded', actor });
  });

  it.each(['/api/v1/clusters/audited/kubeconfig', '/api/v1/journal/export', '/api/v1/diagnostics/bundle'])(
    'are rejected if they cannot be recorded: %s',
    async (path) => {
      const database = app.nest.get(Database);
      database.run("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'full'); END");
      try {
        const answer = await app.client.send('GET', path);
        expect([answer.status, answer.text]).toEqual([500, expect.not.stringContaining('kind:')]);
      } finally {
        database.run('DROP TRIGGER full');
      }
    },
  );
});

describe('GET /journal/export', () => {
  const USER = '=HYPERLINK("x")';
  let app: TestApp;
  let bearer: SignedIn['bearer'];

  beforeAll(async () => {
    app = await startApp({
      environment: { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD, APP_USER: USER },
    });
    await login(app, { password: 'no' });
    const answer = await login(app, { username: USER });
    bearer = { authorization: `Bearer ${(answer.body as { access_token: string }).access_token}` };
  });

  afterAll(() => app.stop());

  const exported = async (query: string, headers = bearer): Promise<ApiResponse> =>
    await app.client.send('GET', `/api/v1/journal/export${query}`, { headers });

  it('returns NDJSON, oldest first, with all fields of /journal/recent', async () => {
    const answer = await exported('');
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="slipway-journal-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.ndjson"$/,
    );
    const entries = ndjson(answer);
    expect(entries.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['session-sign-in', 'failed'],
      ['session-sign-in', 'succeeded'],
    ]);
    const shown = await app.client.send('GET', '/api/v1/journal/recent?kind=session', { headers: bearer });
    expect((shown.body as { entries: JournalEntryDto[] }).entries.toReversed()).toMatchObject(entries);
  });

  it('returns CSV without formulas', async () => {
    const answer = await exported('?format=csv&outcome=succeeded&kind=session-sign-in');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toMatch(/\.csv"$/);
    const [header, row, ...rest] = answer.text.split('\r\n');
    expect(header).toMatch(/^id,time,kind,.*,actor_kind,actor_user,actor_id,actor_name,actor_address$/);
    expect(row).toMatch(
      /^2,[^,]+,session-sign-in,,,,succeeded,Signed in\.,,,session,"'=HYPERLINK\(""x""\)",[\w\'-]+,,127\.0\.0\.1$/,
    );
    expect(rest).toEqual(['']);
  });

  it.each([
    ['?actor=anonymous', 1],
    ['?actor=127.0.0.1&kind=session', 2],
    [`?actor=${encodeURIComponent(USER)}&kind=session`, 1],
    ['?kind=session&until=2026-01-01T00:00:00Z', 0],
    ['?kind=session&since=2020-01-01T00:00:00Z', 2],
    ['?kind=session&since=2999-01-01T00:00:00Z', 0],
    ['?text=failed&kind=session', 1],
    ['?outcome=cancelled', 0],
    ['?cluster=no-such', 0],
    ['?kind=session&runtime=docker', 2],
  ])('holds what fits %s', async (query, count) => {
    expect(ndjson(await exported(query))).toHaveLength(count);
  });

  it.each([
    ['?format=xml', 'format'],
    ['?limit=3', 'limit'],
    ['?since=yesterday', 'since'],
  ])('rejects %s', async (query, field) => {
    const answer = await exported(query);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_input', details: [{ field }] },
    ]);
  });

  it('requires sign-in', async () => {
    expect((await exported('', { authorization: '' })).status).toBe(401);
  });
});

function ndjson({ text }: ApiResponse): JournalEntryDto[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JournalEntryDto);
}
