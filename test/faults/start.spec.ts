import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { login, signIn } from '../support/app/signed-in.js';
import { BUILT_SERVER } from '../support/server/built-server.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

let folder: string;
let remove: () => Promise<void>;
const running: ServerProcess[] = [];

beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
  await remove();
});

/** The environment of a demo in the data folder of this test. */
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: folder,
  APP_DATA_DIR: join(folder, 'data'),
  APP_RUNTIME: 'demo',
  APP_DEMO_SPEED: '1000',
  ...more,
});

async function start(more?: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start(environment(more));
  running.push(server);
  return server;
}

/** Launches a server that must not start. @returns its output */
async function refused(more: Record<string, string>): Promise<string> {
  const server = ServerProcess.launch(environment(more));
  running.push(server);
  expect(await server.ended()).toEqual({ code: 1, signal: null });
  // The message has no stack trace.
  expect(server.log).not.toMatch(/^\s+at /m);
  return server.log;
}

describe('a start', () => {
  it('serves health on 127.0.0.1 only', async () => {
    const server = await start();
    expect(await server.client.get('/api/v1/health')).toMatchObject({ status: 'ok' });
    const port = server.client.port.toString(16).toUpperCase().padStart(4, '0');
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(`:${port}`) && state === '0A')
      .map(([, local]) => local);
    expect(listening).toEqual([`0100007F:${port}`]);
  });

  it('prints a sign-in link that works once', async () => {
    const server = await start({ APP_AUTH: 'required' });
    const link = new RegExp(`http://localhost:${server.client.port}/login#link=([\\w-]+)`);
    await waitFor(() => link.test(server.log), 'the link');
    const body = { token: link.exec(server.log)?.[1] };
    const signedIn = await server.client.send('POST', '/api/auth/link', { body });
    expect(signedIn.status).toBe(200);
    const { access_token: token } = signedIn.body as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.client.send('GET', '/api/v1/clusters', { headers })).status).toBe(200);
    expect((await server.client.send('POST', '/api/auth/link', { body })).status).toBe(401);
    expect(server.log).not.toContain('without encryption');
  });

  it('prints APP_PUBLIC_URL', async () => {
    const server = ServerProcess.launch(environment({ APP_PUBLIC_URL: 'https://slipway.test' }));
    running.push(server);
    await waitFor(() => server.log.includes('https://slipway.test/login#link='), 'the link', 60_000);
    expect(server.log).toContain('Slipway is at https://slipway.test');
  });

  it('warns if it listens beyond loopback without TLS, as does Diagnostics', async () => {
    const server = await start({ APP_HOST: '0.0.0.0', APP_PASS: LOG_BOARD_PASSWORD });
    const warning = /listens on 0\.0\.0\.0 without encryption.*APP_TLS_CERT/;
    await waitFor(() => warning.test(server.log), 'the warning');
    const { bearer: headers } = await signIn(server);
    const { body } = await server.client.send('GET', '/api/v1/diagnostics', { headers });
    const { checks } = body as { checks: { name: string; level: string; fix: string }[] };
    expect(checks.find(({ name }) => name === 'encryption')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining('APP_TLS_CERT'),
    });
  });

  it.each([
    [{ APP_HOST: 'everywhere' }, ['APP_HOST', 'IP address']],
    [{ APP_PORT: 'http', APP_JOBS: '0', AUTH_METHOD: 'basic' }, ['APP_PORT', 'APP_JOBS', 'AUTH_METHOD']],
  ] as [Record<string, string>, string[]][])('with %j fails with a message', async (bad, words) => {
    const log = await refused(bad);
    for (const word of words) expect(log).toContain(word);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('fails on a used port with a message', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port));
    });
    const log = await refused({ APP_PORT: String(port) });
    expect(log).toContain(`Port ${port} is in use by another program`);
    expect(log).toContain('APP_PORT=');
    blocker.close();
  });

  it('fails on the data folder of another server, which continues', async () => {
    const first = await start({ APP_DEMO_SPEED: '5' });
    const id = await requestCluster(first.client, 'ours');
    const log = await refused({});
    expect(log).toContain(`Another Slipway (process ${first.pid}) already uses ${join(folder, 'data')}`);
    // The job of the first server is not recovered.
    expect((await jobEnded(first.client, id)).state).toBe('succeeded');
    await first.kill();
    // A killed server leaves no lock.
    await start();
  });

  it('fails if the data folder cannot be created, and names it', async () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(await refused({})).toContain(join(folder, 'data'));
  });

  it('restricts the permissions of the data folder', async () => {
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), 0o755);
    const server = await start();
    await createCluster(server.client, 'private');
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    expect(modeOf(join(folder, 'data'))).toBe(0o700);
    expect(modeOf(join(folder, 'data', 'clusters', 'private', 'kubeconfig'))).toBe(0o600);
  });
});

describe('a database', () => {
  const database = (): string => join(folder, 'data', 'slipway.db');

  it('that is damaged is renamed and replaced, with a warning, and keeps clusters', async () => {
    const first = await start();
    await createCluster(first.client, 'kept');
    await first.stop();
    const damaged = Buffer.alloc(8192, 'not a database');
    writeFileSync(database(), damaged);
    const second = await start();
    const health = await second.client.get<{ status: string; checks: { name: string; reason: string }[] }>(
      '/api/v1/health',
    );
    expect(health.status).toBe('degraded');
    expect(health.checks.find(({ name }) => name === 'storage')?.reason).toContain('damaged');
    const aside = readdirSync(join(folder, 'data')).filter((name) => name.includes('.damaged-'));
    expect(readFileSync(join(folder, 'data', aside[0] ?? ''))).toEqual(damaged);
    expect(await second.client.get('/api/v1/jobs')).toEqual([]);
    expect(await second.client.get('/api/v1/clusters/kept')).toMatchObject({ state: 'running' });
  });

  it('of a newer version prevents the start and is not changed', async () => {
    const first = await start();
    await first.stop();
    const file = new DatabaseSync(database());
    file.exec('PRAGMA user_version = 99');
    file.close();
    const before = readFileSync(database());
    expect(await refused({})).toContain('newer version');
    // The version that used the folder last is named.
    const versions = join(folder, 'data', 'version.json');
    const own = readFileSync(versions);
    writeFileSync(versions, '{"version":"99.0.0"}');
    expect(await refused({})).toMatch(/Slipway 99\.0\.0 wrote .*slipway\.db.* Start Slipway 99\.0\.0/);
    writeFileSync(versions, own);
    expect(readFileSync(database())).toEqual(before);
  });

  it('whose last write is incomplete opens with the committed data', async () => {
    const first = await start();
    await createCluster(first.client, 'committed');
    await first.kill();
    const wal = `${database()}-wal`;
    const content = readFileSync(wal);
    expect(content.length).toBeGreaterThan(100);
    writeFileSync(wal, content.subarray(0, content.length - 37));
    const second = await start();
    expect(await second.client.get('/api/v1/health')).toMatchObject({ status: 'ok' });
    expect(await second.client.get('/api/v1/clusters/committed')).toMatchObject({ name: 'committed' });
    // An ended job and its journal entry are one transaction.
    const jobs = await second.client.get<{ id: number; state: string }[]>('/api/v1/jobs');
    const { entries } = await second.client.get<{ entries: { job_id: number; outcome: string }[] }>(
      '/api/v1/journal/recent',
    );
    await jobEnded(second.client, jobs[0]?.id ?? 0);
    expect(jobs.length).toBe(entries.length);
  });
});

describe('slipway restore', () => {
  it('prints a sign-in link that works once after the next start', async () => {
    const first = await start();
    await first.stop();
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, [BUILT_SERVER, ...args], {
        env: { SLIPWAY_ENV_FILE: '/dev/null', ...environment() },
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString();
    const file = join(folder, 'backup.tar.gz');
    run('backup', file);
    const printed = run('restore', '--force', file);
    expect(printed).toContain('All sessions, access tokens, known browsers and sign-in links have ended.');
    const token = /http:\/\/localhost:\d+\/login#link=(\S+)/.exec(printed)?.[1];
    const { client } = await start();
    const redeem = async (): Promise<number> =>
      (await client.send('POST', '/api/auth/link', { body: { token } })).status;
    await client.until<{ entries: unknown[] }>(
      '/api/v1/journal/recent?kind=restore',
      ({ entries }) => entries.length === 1,
    );
    expect([await redeem(), await redeem()]).toEqual([200, 401]);
    expect(existsSync(join(folder, 'data', 'sign-in-link'))).toBe(false);
  });
});

describe('SIGTERM, SIGINT and SIGHUP', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends an idle server cleanly', async (signal) => {
    const server = await start();
    await server.client.get('/api/v1/stats');
    expect(await server.stop(signal)).toEqual({ code: 0, signal: null });
    expect(server.log).toContain('Slipway is stopping');
    // The WAL is merged into the database.
    const wal = join(folder, 'data', 'slipway.db-wal');
    expect(existsSync(wal) ? readFileSync(wal).length : 0).toBe(0);
  });
});

describe('SIGHUP', () => {
  it('does not end a server that nohup started', async () => {
    const server = await start({ SLIPWAY_IGNORES_SIGHUP: '1' });
    server.signal('SIGHUP');
    expect(await server.client.get('/api/v1/health')).toMatchObject({ status: 'ok' });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it('is not counted as the second signal, since a terminal and its shell send one each', async () => {
    const server = await start();
    server.signal('SIGHUP');
    await waitFor(() => server.log.includes('Slipway is stopping'), 'the stop');
    expect(await server.stop('SIGHUP')).toEqual({ code: 0, signal: null });
  });
});

describe('a closed output', () => {
  it.each(['json', 'pretty'])('in the format %s is counted, and does not end the server', async (format) => {
    const server = await start({ APP_LOG_FORMAT: format });
    server.closeOutput();
    await server.client.get('/api/v1/stats');
    await waitFor(async () => {
      const { checks } = await server.client.get<{ checks: { name: string; message: string }[] }>(
        '/api/v1/diagnostics',
      );
      return checks.some(
        ({ name, message }) => name === 'output-stdout' && /^dropped \d+ entr.*EPIPE$/.test(message),
      );
    }, 'the check');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(existsSync(join(folder, 'data', 'dashboard.json'))).toBe(false);
  });
});

describe('a read-only data folder', () => {
  it('rejects a creation, and accepts it when it is writable again', async () => {
    const server = await start();
    await createCluster(server.client, 'before');
    // A file in place of the cluster's folder fails for root too, like a full disk.
    const clusters = join(folder, 'data', 'clusters');
    writeFileSync(join(clusters, 'blocked'), '');
    const answer = await server.client.send('POST', '/api/v1/clusters', {
      body: { name: 'blocked', workers: 0, node_image_tag: 'v1.34.4' },
    });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([503, 'storage_unavailable']);
    expect(answer.text).toContain('a path that should be a folder is a file');
    expect((await server.client.get<unknown[]>('/api/v1/clusters')).length).toBe(1);
    expect(await server.client.get<unknown[]>('/api/v1/jobs')).toHaveLength(1);
    rmSync(join(clusters, 'blocked'));
    await createCluster(server.client, 'blocked');
  });
});

describe('a lost password', () => {
  const withoutPassword = { APP_LOG_FORMAT: 'pretty' };
  /** The printed password. */
  const shownIn = (text: string): string => /^ {6}(\S{6}(?:-\S{6}){3})$/m.exec(text)?.[1] ?? '';

  it('is printed once, and replaced by new-password', async () => {
    const server = await ServerProcess.start(environment(withoutPassword), ['log-board']);
    running.push(server);
    const first = shownIn(server.log);
    expect(first).not.toBe('');
    const { bearer } = await signIn({ client: server.board }, first);
    await server.stop();
    const renewal = ServerProcess.launch(environment(), ['new-password']);
    expect(await renewal.ended()).toEqual({ code: 0, signal: null });
    const second = shownIn(renewal.log);
    expect(second).not.toBe('');
    const again = await ServerProcess.start(environment(withoutPassword), ['log-board']);
    running.push(again);
    expect(shownIn(again.log)).toBe('');
    expect((await login({ client: again.board }, { password: first })).status).toBe(401);
    await signIn({ client: again.board }, second);
    expect((await again.board.send('GET', '/api/auth/me', { headers: bearer })).status).toBe(401);
  });

  it('is not replaced if APP_PASS is set', async () => {
    const renewal = ServerProcess.launch(environment({ APP_PASS: 'one of my own' }), ['new-password']);
    expect(await renewal.ended()).toEqual({ code: 1, signal: null });
    expect(renewal.log).toContain('APP_PASS sets the password');
    expect(renewal.log).not.toContain('one of my own');
  });
});
