import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { bytesIn } from '../support/folder-bytes.js';
import { BareMachine, packagePath } from '../support/package/bare-machine.js';

/** The start of a session of a client, as lines of JSON-RPC. test/cli has the tools. */
const MCP_REQUESTS = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
  .join('');
const MAX_MODULES_BYTES = 150_000_000;
const { root, version } = readProject();
const release = join(root, 'dist', 'release');

/** On which the package is installed. */
let installed: BareMachine;
let machine: BareMachine | undefined;

beforeAll(async () => {
  installed = new BareMachine(20);
  const { status, stderr } = await installed.run(['npm', 'install', '--global', installed.artifact]);
  if (status !== 0) throw new Error(stderr);
});

afterEach(async () => {
  await machine?.remove();
  machine = undefined;
});

afterAll(async () => await installed.remove());

describe('The npm package, on a machine without the checkout', () => {
  it('is installed globally by npm on Node 20, and runs on the Node 24 that it brings', async () => {
    const modules = join(installed.home, 'lib', 'node_modules', 'slipway');
    const node = join(modules, 'node_modules', `node-linux-${process.arch}`);
    expect(bytesIn(modules) - bytesIn(node)).toBeLessThan(MAX_MODULES_BYTES);

    const server = await installed.serve(['slipway']);
    expect(await failing(server.url)).toEqual([]);
    const status = await installed.run(['slipway', 'status', '--output=json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ dashboard: { url: server.url }, log_board: {} });
    const mcp = await installed.run(['slipway', 'mcp'], {}, MCP_REQUESTS);
    expect(mcp.stdout).toContain('"name":"list_clusters"');
    expect(mcp.stdout).not.toContain('"name":"delete_cluster"');
    expect(await server.stop()).toBe(0);
    expect(await installed.run(['slipway', 'status'])).toMatchObject({ status: 3 });
  });

  it('is run by npx on Node 22', async () => {
    machine = new BareMachine(22);
    const shown = await machine.run([
      'npx',
      '--yes',
      `--package=${machine.artifact}`,
      'slipway',
      '--version',
    ]);
    expect(shown).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  it.each([22, 24] as const)('runs on the Node %s of a machine for which it brings none', async (major) => {
    machine = new BareMachine(major);
    machine.takeWithoutNode(installed);
    const server = await machine.serve(['slipway', 'serve'], { APP_DEMO_SPEED: '1000' });
    const created = await machine.run(['slipway', 'create', 'first', '--wait']);
    expect(created).toMatchObject({ status: 0 });
    // Its query inherits from two, and decorators that look for packages find none here.
    const chart = `${server.url}/api/v1/clusters/first/addons/charts`;
    expect((await fetch(`${chart}?addon=traefik&runtime=demo`)).status).toBe(200);
    expect((await fetch(`${chart}?addon=Traefik`)).status).toBe(400);
    expect(await server.stop()).toBe(0);
  });

  it('says which Node it needs where there is only Node 20', async () => {
    machine = new BareMachine(20);
    machine.takeWithoutNode(installed);
    const refused = await machine.run(['slipway', 'status']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/needs Node\.js 22\.15 or later, and \S+ is v20\./);
  });

  it('runs as a service with the unit that systemd accepts', async () => {
    machine = new BareMachine(24);
    machine.takeWithoutNode(installed);
    // Without a session of the user, systemd does not respond. Nothing is left then.
    const refused = await machine.run(['slipway', 'service', 'install']);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('A service needs systemd') });
    expect(await machine.run(['slipway', 'service', 'status'])).toMatchObject({ status: 4 });

    const { stdout: unit } = await machine.run(['slipway', 'service', 'install', '--print']);
    const file = join(machine.folder, 'slipway.service');
    writeFileSync(file, unit);
    execFileSync('systemd-analyze', ['--user', 'verify', file], {
      env: { ...process.env, XDG_RUNTIME_DIR: machine.folder },
    });
    const [, program = '', args = ''] = /^ExecStart="(.+)" (.+)$/m.exec(unit) ?? [];
    const [, path = ''] = /^Environment="PATH=(.+)"$/m.exec(unit) ?? [];
    const server = await machine.serve([program, ...args.split(' ')], { PATH: path, JOURNAL_STREAM: '8:1' });
    expect(server.output).not.toMatch(/login#link=|Sign in as/);
    expect(await server.stop()).toBe(0);
  });

  it('moves to an empty machine by backup and restore', async () => {
    machine = new BareMachine(24);
    machine.takeWithoutNode(installed);
    const server = await machine.serve(['slipway'], {
      APP_PASS: 'of the first machine',
      APP_DEMO_SPEED: '1000',
    });
    await machine.run(['slipway', 'create', 'first', '--wait']);
    const backup = join(machine.folder, 'slipway.backup');
    const passphrase = join(machine.folder, 'passphrase');
    writeFileSync(passphrase, 'only for this test\n');
    const saved = await machine.run(['slipway', 'backup', backup, `--passphrase-file=${passphrase}`]);
    expect(saved).toMatchObject({ status: 0 });
    await server.stop();

    const data = { APP_DATA_DIR: join(machine.folder, 'empty-machine') };
    const restored = await machine.run(
      ['slipway', 'restore', backup, `--passphrase-file=${passphrase}`],
      data,
    );
    expect(restored).toMatchObject({ status: 0 });
    const other = await machine.serve(['slipway'], { ...data, APP_PASS: 'of the first machine' });
    const journal = await machine.run(['slipway', 'journal', '--output=json'], data);
    expect(journal.stdout).toContain('"cluster": "first"');
    await other.stop();
  });
});

describe('The files of a release', () => {
  it('have the licenses and the versions of all packages, the Node that they need, checksums, and no sources', () => {
    const files = execFileSync('tar', ['--list', '--gzip', '--file', packagePath()], { encoding: 'utf8' });
    expect(
      files.split('\n').filter((name) => /\.(ts|map|scss)$|spec|^package\/(test|scripts)/.test(name)),
    ).toEqual([]);
    for (const name of [
      'LICENSE',
      'NOTICE',
      'README.md',
      'CHANGELOG.md',
      'openapi.json',
      'dist/server/main.js',
    ]) {
      expect(files).toContain(`package/${name}\n`);
    }

    const manifest = ['--extract', '--to-stdout', '--file', packagePath(), 'package/package.json'];
    expect(JSON.parse(execFileSync('tar', manifest, { encoding: 'utf8' }))).toMatchObject({
      version,
      engines: { node: '>=22.15' },
    });

    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    for (const name of readdirSync(release).filter((file) => file !== 'SHA256SUMS')) {
      const sum = createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex');
      expect(sums).toContain(`${sum}  ${name}\n`);
    }

    const bom = JSON.parse(readFileSync(join(release, `slipway-${version}.cdx.json`), 'utf8')) as Bom;
    const components = new Set(bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
    const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
    const packages = bundledPackages();
    expect(packages.filter((name) => !components.has(name))).toEqual([]);
    expect(packages.filter((name) => !notice.includes(`\n  ${name} (`))).toEqual([]);
  });
});

interface Bom {
  components: { group?: string; name: string }[];
}

/** Files of the product that it must find in the package. @returns those that it does not serve. */
async function failing(url: string): Promise<string[]> {
  const types = {
    '/clusters': 'text/html',
    '/docs': 'text/html',
    '/docs/swagger-ui-bundle.js': 'text/javascript',
    '/redoc': 'text/html',
    '/docs/redoc.standalone.js': 'text/javascript',
    '/openapi.json': 'application/json',
    '/favicon.ico': 'image/svg+xml',
    '/api/v1/docs/readme': 'text/markdown',
    '/api/v1/docs/cli': 'text/markdown',
    '/api/v1/docs/changelog': 'text/markdown',
    '/readme/docs/screenshots/clusters-light.png': 'image/png',
  };
  const found = await Promise.all(
    Object.entries(types).map(async ([path, type]) => {
      const { status, headers } = await fetch(url + path, { headers: { accept: type } });
      const got = headers.get('content-type') ?? '';
      return status === 200 && got.startsWith(type) ? [] : [`${path} ${status} ${got}`];
    }),
  );
  return found.flat();
}

function bundledPackages(): string[] {
  const files = ['server', 'frontend/dashboard', 'frontend/log-board'];
  return files.flatMap((folder) => {
    const text = readFileSync(join(root, 'dist', folder, '3rdpartylicenses.txt'), 'utf8');
    return [...text.matchAll(/^Package: (.+)$/gm)].map(([, name = '']) => name);
  });
}
