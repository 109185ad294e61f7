import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JournalEntryDto } from '../../backend/src/modules/journal/index.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, signIn } from '../support/app/signed-in.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('the journal as an audit log', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_AUTH: 'required', APP_PASS: LOG_BOARD_PASSWORD } });
  });

  afterAll(() => app.stop());

  it('records who signed in and out, and tries that failed, without what was typed', async () => {
    for (let index = 0; index < 3; index += 1) await login(app, { password: 'no', username: 'somebody' });
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
    expect(answer.text).not.toContain('somebody');
  });
});

describe('what leaves the server', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'audited');
  });

  afterAll(() => app.stop());

  it.each([
    ['/api/v1/clusters/audited/kubeconfig', 'kubeconfig-download', 'audited'],
    ['/api/v1/clusters/audited/kubeconfig/docker', 'kubeconfig-download', 'audited'],
    ['/api/v1/clusters/audited/node-logs', 'node-logs', 'audited'],
    ['/api/v1/diagnostics/bundle', 'support-bundle', null],
  ])('has an entry: %s', async (path, kind, cluster) => {
    expect((await app.client.send('GET', path)).status).toBe(200);
    const [entry] = await journalOf(app.client, `?kind=${kind}`);
    expect(entry).toMatchObject({ kind, cluster, outcome: 'succeeded', actor: { kind: 'local' } });
  });
});
