import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventSocket } from '../support/app/event-socket.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { filesOf } from '../support/server/files.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';

const KEY = '0123456789abcdef'.repeat(4);
const OTHER_KEY = 'fedcba9876543210'.repeat(4);

describe('sessions across processes and restarts', () => {
  let folder: { path: string; remove: () => Promise<void> };
  let environment: Record<string, string>;
  const servers: ServerProcess[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    environment = {
      HOME: folder.path,
      APP_DATA_DIR: join(folder.path, 'data'),
      APP_RUNTIME: 'demo',
      APP_PASS: LOG_BOARD_PASSWORD,
    };
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill();
    await folder.remove();
  });

  async function start(
    ...[more, applications]: Partial<Parameters<typeof ServerProcess.start>>
  ): Promise<ServerProcess> {
    const server = await ServerProcess.start({ ...environment, ...more }, applications);
    servers.push(server);
    return server;
  }

  it('survive SIGKILL and a restart, as do sign-outs, and end when the password changes', async () => {
    const keyed = { ENCRYPTION_KEY: KEY };
    const first = await start(keyed, ['log-board']);
    const client = { client: first.board };
    const [stays, goes, ends] = [await signIn(client), await signIn(client), await signIn(client)];
    await first.board.send('POST', '/api/auth/logout', { headers: goes.bearer });
    const before = await socketOf(first.board.port, ends.token);
    await first.kill();
    await before.untilClosed();

    const rotating = { ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: KEY };
    const second = await start(rotating, ['log-board']);
    const { board } = second;
    expect((await board.send('GET', '/api/auth/me', { headers: stays.bearer })).status).toBe(200);
    expect((await board.send('GET', '/api/auth/me', { headers: goes.bearer })).status).toBe(401);
    const cookie = { ...OWN_PAGE, cookie: goes.cookie };
    expect((await board.send('POST', '/api/auth/token', { headers: cookie })).status).toBe(401);
    await expect(socketOf(board.port, goes.token)).rejects.toThrow('401');
    const after = await socketOf(board.port, ends.token);
    const path = `/api/auth/sessions/${ends.id}`;
    expect((await board.send('DELETE', path, { headers: stays.bearer })).status).toBe(200);
    expect((await after.untilClosed()).code).toBe(4401);
    await second.kill();

    // The previous key is not accepted as ENCRYPTION_KEY.
    const refused = ServerProcess.launch({ ...environment, ...keyed }, ['log-board']);
    servers.push(refused);
    expect((await refused.ended()).code).toBe(1);
    expect(refused.log).toMatch(/^ENCRYPTION_KEY does not open the stored secrets\..+\.$/);
    for (const key of [KEY, OTHER_KEY]) expect(refused.log).not.toContain(key);

    const password = 'quite another password';
    const third = await start({ ENCRYPTION_KEY: OTHER_KEY, APP_PASS: password }, ['log-board']);
    for (const { bearer } of [stays, goes, ends]) {
      expect((await third.board.send('GET', '/api/auth/me', { headers: bearer })).status).toBe(401);
    }
    expect((await login({ client: third.board })).status).toBe(401);
    expect((await login({ client: third.board }, { password })).status).toBe(200);
  });

  it('are shared by two processes on one data folder, and a sign-out closes sockets of both', async () => {
    const guarded = { APP_ALLOWED_HOSTS: 'slipway.test', SESSION_TIMEOUT: '15' };
    const host = { host: 'slipway.test' };
    const [dashboard, board] = await Promise.all([
      start(guarded, ['dashboard']),
      start(guarded, ['log-board']),
    ]);
    const clusters = async (bearer: object): Promise<number> =>
      (await dashboard.client.send('GET', '/api/v1/clusters', { headers: { ...bearer, ...host } })).status;
    const expires = await signIn({ client: board.board });
    const ends = await signIn({ client: board.board });
    const out = await signIn({ client: board.board });
    const sockets = await Promise.all([
      ...[expires, ends, out].map(({ token }) => socketOf(board.board.port, token)),
      ...[expires, ends, out].map(({ token }) => socketOf(dashboard.client.port, token, '/events', host)),
    ]);
    const [ofExpired, ofEnded, ofOut, expiredEvents, endedEvents, outEvents] = sockets;
    expect(await clusters(out.bearer)).toBe(200);

    const headers = { ...out.bearer, ...host };
    expect((await dashboard.client.send('POST', '/api/auth/logout', { headers })).status).toBe(200);
    for (const socket of [ofOut, outEvents]) expect((await socket?.untilClosed())?.code).toBe(4401);
    expect(await clusters(out.bearer)).toBe(401);

    const path = `/api/auth/sessions/${ends.id}`;
    expect((await board.board.send('DELETE', path, { headers: expires.bearer })).status).toBe(200);
    for (const socket of [ofEnded, endedEvents]) expect((await socket?.untilClosed())?.code).toBe(4401);
    expect(await clusters(ends.bearer)).toBe(401);

    expect(await clusters(expires.bearer)).toBe(200);
    for (const socket of [ofExpired, expiredEvents]) {
      expect((await socket?.untilClosed(40_000))?.code).toBe(4401);
    }
    const late = Date.now() - Date.parse(expires.expiresAt);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(await clusters(expires.bearer)).toBe(401);
  });

  it('print a generated password once and store it nowhere', async () => {
    delete environment['APP_PASS'];
    const first = await start({}, []);
    const password = /^ {6}(\S{27})$/m.exec(first.log)?.[1] ?? '';
    expect((await login({ client: first.board }, { password })).status).toBe(200);
    await first.stop();
    for (const text of filesOf(folder.path).values()) expect(text).not.toContain(password);
    const second = await start({}, []);
    expect(second.log).not.toContain(password);
    expect(second.log).not.toContain('It is shown this once');
    expect((await login({ client: second.board }, { password })).status).toBe(200);
  });

  it.each<[string, Record<string, [string, string]>]>([
    [
      'invalid values',
      {
        AUTH_METHOD: [
          'basic-3f9a',
          'must be jwt: the older scheme "basic" was replaced by sign-in with a session',
        ],
        SECRET_KEY: ['abcdef1234567890', 'must be at least 32 random bytes in hex'],
        SESSION_TIMEOUT: ['-53071', 'must be a whole number'],
        ENCRYPTION_KEY: [`${'c0ffee42'.repeat(8)}7`, 'must be at least 32 random bytes in hex'],
        ENCRYPTION_KEY_PREVIOUS: ['g'.repeat(64), 'must be at least 32 random bytes in hex'],
        APP_PASS: ['qz7-x', 'must have at least 8 characters'],
      },
    ],
    [
      'placeholders',
      {
        AUTH_METHOD: ['none', 'must be jwt'],
        SECRET_KEY: ['your-secret-key', 'is a known placeholder and protects nothing'],
        SESSION_TIMEOUT: ['3600.5', 'must be a whole number'],
        ENCRYPTION_KEY: ['change-me', 'is a known placeholder and protects nothing'],
        APP_PASS: ['my-secret-key', 'is a known placeholder and protects nothing'],
      },
    ],
  ])('prevent the start with %s, naming each variable and no value', async (_what, wrong) => {
    const given = Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value]));
    const server = ServerProcess.launch({ ...environment, ...given }, []);
    servers.push(server);
    expect((await server.ended()).code).toBe(1);
    for (const [name, [value, problem]] of Object.entries(wrong)) {
      const line = server.log.split('\n').find((one) => one.includes(`  ${name} `)) ?? '';
      expect(line).toContain(`${name} ${problem}`);
      expect(line.replace(problem, '').split('Example:')[0]).not.toContain(value);
    }
    expect(server.log.split('\n')).toHaveLength(Object.keys(wrong).length + 1);
  });
});

/** Opens a socket and waits until it responds. */
async function socketOf(
  port: number,
  token: string,
  path = '/ws',
  headers: Record<string, string> = {},
): Promise<EventSocket> {
  const socket = await EventSocket.open(port, { headers }, `${path}?token=${token}`);
  await socket.settled();
  return socket;
}
