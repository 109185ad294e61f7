import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { freePort } from '../support/free-port.js';
import { CliProcess, type CliResult } from '../support/server/cli-process.js';
import { PathProxy } from '../support/server/path-proxy.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { environmentOf, install, type Installation } from '../support/server/installation.js';

let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: folder, remove } = await temporaryFolder());
});

afterAll(() => remove());

function tokenOf({ data }: Installation): string {
  return (JSON.parse(readFileSync(join(data, 'dashboard.json'), 'utf8')) as { token: string }).token;
}

describe('the server files', () => {
  it('are private, and only they contain the owner token', async () => {
    const both = await install(folder, 'both', { APP_DEMO_SPEED: '1000' }, []);
    const token = tokenOf(both);
    expect(token).toMatch(/^slipway_[\w-]{43}$/);
    const containing = readdirSync(both.data).filter(
      (name) =>
        statSync(join(both.data, name)).isFile() && readFileSync(join(both.data, name)).includes(token),
    );
    expect(containing.sort()).toEqual(['dashboard.json', 'log-board.json']);
    for (const name of containing) expect(statSync(join(both.data, name)).mode & 0o777).toBe(0o600);
    await both.server.stop();
  });

  it('disappear when the server stops, and a killed server counts as not running', async () => {
    const one = await install(folder, 'short', { APP_DEMO_SPEED: '1000' }, ['dashboard']);
    const status = async (): Promise<CliResult> => await CliProcess.start(one.environment, 'list').end();
    await one.server.kill();
    expect(existsSync(join(one.data, 'dashboard.json'))).toBe(true);
    const message = `Slipway is not running (data folder ${one.data}). Start it with: slipway serve\n`;
    expect(await status()).toEqual({ status: 3, stdout: '', stderr: message });
    expect((await CliProcess.start(one.environment, 'version').end()).stdout).toContain('not running');
    const waiting = CliProcess.start(one.environment, 'status', '--wait').end();
    const again = await ServerProcess.start(one.environment, []);
    expect(await waiting).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^dashboard +ok .*^log board +ok /ms),
    });
    expect((await status()).status).toBe(0);
    await again.stop();
    expect(existsSync(join(one.data, 'dashboard.json'))).toBe(false);
    expect((await status()).status).toBe(3);
  });
});

describe('a server with HTTPS', () => {
  it('is reached with exactly its own certificate', async () => {
    const fixtures = join(readProject().root, 'test', 'fixtures', 'tls');
    const [certificate, other] = ['first.crt', 'second.crt'].map((name) => join(fixtures, name));
    const key = join(fixtures, 'first.key');
    const environment = environmentOf(folder, 'tls', { APP_TLS_CERT: certificate ?? '', APP_TLS_KEY: key });
    const server = ServerProcess.launch(environment);
    const file = join(folder, 'tls', 'data', 'dashboard.json');
    await waitFor(() => existsSync(file), 'the file of the server');
    const list = async (): Promise<CliResult> => await CliProcess.start(environment, 'list').end();
    expect(await list()).toMatchObject({ status: 0, stderr: '' });
    const found = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...found, certificate: other }));
    expect(await list()).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('certificate'),
    });
    await server.stop();
  });
});

describe('a server below a path of a proxy', () => {
  it('is reached with --server and --log-board, and prints links below the path', async () => {
    const [port, boardPort] = [await freePort(), await freePort()];
    const routes = [
      { path: '/slipway', port },
      { path: '/slipway-logs', port: boardPort },
    ];
    const proxy = await PathProxy.start(routes, false);
    const origin = `http://localhost:${proxy.port}`;
    const environment = environmentOf(folder, 'below', {
      APP_PORT: String(port),
      APP_LOG_BOARD_PORT: String(boardPort),
      APP_PUBLIC_URL: `${origin}/slipway`,
      APP_LOG_BOARD_PUBLIC_URL: `${origin}/slipway-logs`,
      APP_TRUSTED_PROXIES: '127.0.0.1',
      APP_DEMO_SPEED: '1000',
    });
    const server = ServerProcess.launch(environment, []);
    try {
      await CliProcess.start(environment, 'status', '--wait').end();
      expect(await CliProcess.start(environment, 'open', '--print').end()).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(`^${origin}/slipway/login#link=`),
      });
      const token = JSON.parse(
        (
          await CliProcess.start(
            environment,
            'token',
            'create',
            'far',
            '--scope',
            'full',
            '--output',
            'json',
          ).end()
        ).stdout,
      ) as { token: string };
      const far = environmentOf(folder, 'far', {
        SLIPWAY_TOKEN: token.token,
        SLIPWAY_SERVER: `${origin}/slipway/`,
        SLIPWAY_LOG_BOARD: `${origin}/slipway-logs`,
      });
      const created = await CliProcess.start(far, 'create', 'below').end();
      expect(created).toMatchObject({ status: 0, stderr: expect.any(String) });
      expect((await CliProcess.start(far, 'list').end()).stdout).toContain('below');
      const source = 'below-control-plane/kubelet';
      const sources = async (): Promise<CliResult> => await CliProcess.start(far, 'logs').end();
      await waitFor(async () => (await sources()).stdout.includes(source), `the source ${source}`);
      const following = CliProcess.start(far, 'logs', source, '--follow');
      // A line of the store, and another one of the socket.
      await waitFor(() => following.stdout.split('\n').length > 2, 'lines of the log');
      following.signal('SIGINT');
      await following.result();
      expect(await CliProcess.start(far, 'list', '--server', `${origin}/slipway?a=1`).end()).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('URL without a query'),
      });
    } finally {
      await server.stop();
      await proxy.stop();
    }
  });
});
