import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerMessage } from '../../backend/src/modules/logs/socket-messages.js';
import { EventSocket } from '../support/app/event-socket.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/start-app.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';

describe('the sign-in, across processes and their ends', () => {
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

  it('holds after SIGKILL and a restart, and so does a sign-out', async () => {
    const first = await start({}, ['log-board']);
    const [stays, goes] = [await signIn({ client: first.board }), await signIn({ client: first.board })];
    await first.board.send('POST', '/api/auth/logout', { headers: goes.bearer });
    await first.kill();
    const second = await start({}, ['log-board']);
    expect((await second.board.send('GET', '/api/auth/me', { headers: stays.bearer })).status).toBe(200);
    expect((await second.board.send('GET', '/api/auth/me', { headers: goes.bearer })).status).toBe(401);
    const cookie = { ...OWN_PAGE, cookie: goes.cookie };
    expect((await second.board.send('POST', '/api/auth/token', { headers: cookie })).status).toBe(401);
  });

  it('is one for two processes on one data folder, and its end in one closes the sockets of the other', async () => {
    const guarded = { APP_ALLOWED_HOSTS: 'slipway.test' };
    const [dashboard, board] = await Promise.all([
      start(guarded, ['dashboard']),
      start(guarded, ['log-board']),
    ]);
    const session = await signIn({ client: board.board });
    const headers = { ...session.bearer, host: 'slipway.test' };
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers })).status).toBe(200);
    const socket = await EventSocket.open<ServerMessage>(board.board.port, {}, `/ws?token=${session.token}`);
    await socket.next('hello');
    const began = performance.now();
    expect((await dashboard.client.send('POST', '/api/auth/logout', { headers })).status).toBe(200);
    expect((await socket.untilClosed(5000)).code).toBe(4401);
    expect(performance.now() - began).toBeLessThan(1000);
    expect((await dashboard.client.send('GET', '/api/v1/clusters', { headers })).status).toBe(401);
  });

  it('is over for everybody with another password, and goes on with the same one', async () => {
    const first = await start({}, ['log-board']);
    const { bearer } = await signIn({ client: first.board });
    await first.stop();
    const same = await start({}, ['log-board']);
    expect((await same.board.send('GET', '/api/auth/me', { headers: bearer })).status).toBe(200);
    await same.stop();
    const other = await start({ APP_PASS: 'quite another password' }, ['log-board']);
    expect((await other.board.send('GET', '/api/auth/me', { headers: bearer })).status).toBe(401);
    expect((await login({ client: other.board })).status).toBe(401);
    expect((await login({ client: other.board }, { password: 'quite another password' })).status).toBe(200);
  });

  it('shows the password that it made once, and keeps it nowhere', async () => {
    delete environment['APP_PASS'];
    const first = await start({}, []);
    const password = /^ {6}(\S{27})$/m.exec(first.log)?.[1] ?? '';
    expect((await login({ client: first.board }, { password })).status).toBe(200);
    await first.stop();
    for (const text of filesOf(folder.path)) expect(text).not.toContain(password);
    const second = await start({}, []);
    expect(second.log).not.toContain(password);
    expect(second.log).not.toContain('It is shown this once');
    expect((await login({ client: second.board }, { password })).status).toBe(200);
  });

  it.each([
    ['AUTH_METHOD', 'basic', 'must be jwt: the older scheme "basic" was replaced by sign-in with a session'],
    ['SECRET_KEY', 'your-secret-key', 'is a known placeholder'],
    ['SECRET_KEY', 'abcdef12', 'must be at least 32 random bytes in hex'],
    ['SESSION_TIMEOUT', '-5', 'must be a whole number'],
    ['SESSION_TIMEOUT', '1.5', 'must be a whole number'],
    ['ENCRYPTION_KEY', 'change-me', 'is a known placeholder'],
    ['APP_PASS', 'change-me', 'is a known placeholder'],
  ])('stops the start for %s=%s, by name and without a secret', async (variable, value, problem) => {
    const server = ServerProcess.launch({ ...environment, [variable]: value }, []);
    servers.push(server);
    expect((await server.ended()).code).toBe(1);
    expect(server.log).toContain(`${variable} ${problem}`);
    if (!['AUTH_METHOD', 'SESSION_TIMEOUT'].includes(variable)) expect(server.log).not.toContain(value);
  });
});

/** The content of each file in a folder, also of databases, as text. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}
