import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SignInLinks } from '../../backend/src/modules/auth/sign-in-links.js';
import { requestToken } from '../support/app/access-tokens.js';
import { expectError } from '../support/app/error-response.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';

const CLUSTERS = '/api/v1/clusters';

/** The files of a stopped Docker Desktop in the home folder. */
function addDesktop(home: string): string {
  const folder = join(home, '.docker', 'desktop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'docker.sock'), '');
  return folder;
}

async function expectLocked({ client }: TestApp): Promise<void> {
  expectError(await client.send('GET', CLUSTERS), 401, 'unauthorized');
  expectError(await requestToken({ client }, {}, {}), 401, 'unauthorized');
}

describe('an engine in a virtual machine', () => {
  let machine: ScriptedMachine | undefined;
  let app: TestApp | undefined;

  afterEach(async () => {
    await app?.stop();
    await machine?.close();
    [app, machine] = [undefined, undefined];
  });

  async function startOn(environment: Record<string, string> = {}): Promise<TestApp> {
    const { environment: own = {} } = machine ?? {};
    app = await startApp({ environment: { ...own, APP_RUNTIME: 'auto', ...environment } });
    return app;
  }

  it('makes everyone sign in, also after it has stopped responding and is gone', async () => {
    machine = await ScriptedMachine.start({ engines: ['docker'] });
    const docker = machine.engine('docker');
    docker.system = 'Docker Desktop';
    const { client } = await startOn({ APP_RUNTIME: 'docker' });
    await expectLocked({ client } as TestApp);
    const { bearer } = await signIn({ client });
    await docker.goAway();
    await waitFor(async () => {
      const health = await client.send('GET', '/api/v1/health', { headers: bearer });
      return (health.body as { status: string }).status === 'degraded';
    }, 'the end of the engine');
    await expectLocked({ client } as TestApp);
    const { body } = await client.send('GET', '/api/auth/exemption', { headers: bearer });
    expect(body).toEqual({
      exempt: false,
      reason: `A password is needed, because DOCKER_HOST (${docker.socket}) runs containers in a virtual machine, from which they can connect to this page like your own programs.`,
      viewer_password: false,
    });
  });

  it('counts although APP_RUNTIME leaves it out', async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    addDesktop(machine.folder);
    await expectLocked(await startOn({ APP_RUNTIME: 'podman' }));
  });

  it('counts from the moment it is there, until the end of the process', async () => {
    const { client, dataDirectory } = await startOn({ APP_RUNTIME: 'demo' });
    expect((await client.send('GET', CLUSTERS)).status).toBe(200);
    const folder = addDesktop(dataDirectory);
    const isLocked = async (): Promise<boolean> => (await client.send('GET', CLUSTERS)).status === 401;
    await waitFor(isLocked, 'the end of the exemption');
    rmSync(folder, { recursive: true });
    await expectLocked({ client } as TestApp);
  });

  it('keeps a native engine exempt that stops responding', async () => {
    machine = await ScriptedMachine.start({ engines: ['docker'] });
    const { client } = await startOn({ APP_RUNTIME: 'docker' });
    machine.engine('docker').hang();
    const stats = await client.until<{ container_cli: string; runtimes: { available: boolean }[] }>(
      '/api/v1/stats',
      ({ runtimes }) => runtimes.every(({ available }) => !available),
    );
    expect(stats.container_cli).toBe('docker');
  });
});

describe('the change to the log board without a password', () => {
  it('gives a session that creates no credential, and ends with the exemption', async () => {
    const app = await startApp({ environment: { APP_PASS: LOG_BOARD_PASSWORD } });
    const board = await startLogBoard({ dataDirectory: app.dataDirectory });
    try {
      // As `/log-board` does where one process runs both.
      const token = app.nest.get(SignInLinks).issueTicket(null);
      const signedIn = await board.client.send('POST', '/api/auth/link', { body: { token } });
      const { access_token } = signedIn.body as { access_token: string };
      const bearer = { authorization: `Bearer ${access_token}` };
      const read = (path: string): Promise<{ status: number; body: unknown }> =>
        board.client.send('GET', path, { headers: bearer });
      expect((await read('/api/sources')).status).toBe(200);
      expect((await read('/api/auth/exemption')).body).toMatchObject({
        exempt: false,
        reason: expect.stringContaining('This session ends when the dashboard needs one.'),
      });
      // A browser without a password does not become a known one either.
      expect(signedIn.headers['set-cookie']?.join()).not.toContain('slipway_browser_');
      for (const at of [board, app]) {
        expectError(await requestToken(at, {}, bearer), 403, 'password_required');
        const link = await at.client.send('POST', '/api/auth/links', { headers: bearer });
        expectError(link, 403, 'password_required');
      }
      const socket = await EventSocket.open(board.port, { headers: bearer }, '/ws');

      addDesktop(app.dataDirectory);
      expect((await socket.untilClosed()).code).toBe(4401);
      expect((await read('/api/sources')).status).toBe(401);
      const isLocked = async (): Promise<boolean> => (await app.client.send('GET', CLUSTERS)).status === 401;
      await waitFor(isLocked, 'the end of the exemption');
      const atDashboard = await app.client.send('GET', CLUSTERS, { headers: bearer });
      expectError(atDashboard, 401, 'unauthorized');
    } finally {
      await board.stop();
      await app.stop();
    }
  });
});
