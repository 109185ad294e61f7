import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import { CertificateAuthority } from '../support/engine/certificates.js';
import { BUILT_SERVER } from '../support/server/built-server.js';
import { CliProcess, type CliResult } from '../support/server/cli-process.js';
import { install, type Installation } from '../support/server/installation.js';
import { temporaryFolder } from '../support/server/server-process.js';

const TOKEN = 'token-of-the-test';
const SENTENCE = 'is a cluster of a kubeconfig. Slipway does not create, start, stop or delete it';

let folder: string;
let remove: () => Promise<void>;
let api: Server;
let address: string;
let authority: CertificateAuthority;
let slipwayHere: Installation;
/** Of the kubeconfigs that the user of the server has. */
let files: { first: string; second: string };
let marker: string;
let plugin: string;

interface User {
  name: string;
  user: object;
}

function kubeconfig(users: readonly User[], server = address): string {
  const data = Buffer.from(authority.certificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': data } }],
    users,
    contexts: users.map(({ name }) => ({ name, context: { cluster: 'c', user: name, namespace: 'shop' } })),
  });
}

function execUser(...args: string[]): object {
  const env = [{ name: 'PROFILE', value: 'work\u202e' }];
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, args, env };
  return { exec: { ...exec, interactiveMode: 'Never' } };
}

function writeFirst(...args: string[]): void {
  const users = [
    { name: 'prod', user: { token: TOKEN } },
    { name: 'cloud', user: execUser(...args) },
    { name: 'old', user: { 'auth-provider': { name: 'gcp' } } },
  ];
  writeFileSync(files.first, kubeconfig(users));
}

beforeAll(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  authority = CertificateAuthority.create();
  const { certificate: cert, key } = authority.issue('kube-apiserver');
  api = createServer({ cert, key }, ({ headers, url }, response) => {
    const isKnown = headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isKnown && url === '/version' ? 200 : isKnown ? 404 : 401, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ major: '1', minor: '34', gitVersion: 'v1.34.4' }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  address = `https://127.0.0.1:${(api.address() as { port: number }).port}`;
  files = { first: join(folder, 'first'), second: join(folder, 'second') };
  marker = join(folder, 'plugin-has-run');
  plugin = join(folder, 'get-token');
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: TOKEN },
  };
  writeFileSync(plugin, `#!/bin/sh\ntouch '${marker}'\necho '${JSON.stringify(credential)}'\n`, {
    mode: 0o700,
  });
  writeFirst('get', 'a\u001b[2Kb', '');
  writeFileSync(files.second, kubeconfig([{ name: 'prod', user: {} }], 'https://127.0.0.1:1'));
  const more = { KUBECONFIG: `${files.first}:${files.second}`, APP_DEMO_SPEED: '1000' };
  slipwayHere = await install(folder, 'here', more, ['dashboard']);
});

afterAll(async () => {
  await slipwayHere.server.stop();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
  await remove();
});

async function slipway(...args: string[]): Promise<CliResult> {
  return await CliProcess.start(slipwayHere.environment, ...args).end();
}

async function clusters(): Promise<ClusterDto[]> {
  return JSON.parse((await slipway('list', '--output', 'json')).stdout) as ClusterDto[];
}

/** Runs a command on a terminal, and answers its question. */
async function answering(answer: string, question: string, ...args: string[]): Promise<CliResult> {
  const process = CliProcess.startOnTerminal(slipwayHere.environment, ...args);
  await process.until(question);
  process.type(`${answer}\n`);
  return await process.result();
}

describe('slipway clusters', () => {
  it('lists contexts with what prevents adding them', async () => {
    const { stdout } = await slipway('clusters', 'contexts');
    expect(stdout).toMatch(/^CONTEXT +SERVER +USER +KIND +STATE +FILE\n/);
    expect(stdout).toMatch(/^prod +https:\/\/127\.0\.0\.1:\d+ +prod +- +can be added +\/.*first$/m);
    expect(stdout).toMatch(/^prod .* can be added, with --file +\/.*second$/m);
    expect(stdout).toMatch(/^cloud .* can be added, signs in with \/.*get-token /m);
    expect(stdout).toMatch(/^old .* Context old cannot be used: it uses an auth-provider/m);
    const json = JSON.parse((await slipway('clusters', 'contexts', '-o', 'json')).stdout) as object;
    expect(json).toMatchObject({ files: [files.first, files.second], contexts: { length: 4 } });
  });

  it('adds a context, and lists its cluster without nodes', async () => {
    const added = await slipway('clusters', 'add', 'prod', '--color', 'red', '--note', 'Ask first.');
    expect(added).toEqual({
      status: 0,
      stderr: '',
      stdout: `Added prod, ${address} as prod, context prod of ${files.first}. Connected: Kubernetes v1.34.4. Changes are off.\n`,
    });
    expect((await slipway('list')).stdout).toMatch(/^prod +running +kubeconfig +- .* v1\.34\.4 /m);
    expect(await clusters()).toMatchObject([
      { origin: 'external', external: { color: 'red', note: 'Ask first.', changes_allowed: false } },
    ]);
    expect((await slipway('status')).status).toBe(0);
    expect((await slipway('clusters', 'contexts')).stdout).toMatch(/^prod .* added as prod /m);
    expect((await slipway('clusters', 'check', 'prod')).stdout).toContain('Connected: Kubernetes v1.34.4.');
  });

  it('rejects arguments that cannot be combined, and contexts that do not exist', async () => {
    const add = ['clusters', 'add'];
    for (const [status, args, message] of [
      [2, [], 'Name a context, or pass --kubeconfig FILE.'],
      [2, ['prod', '--file', 'x', '--kubeconfig', 'y'], '--file cannot be combined with --kubeconfig.'],
      [2, ['--kubeconfig', join(folder, 'nothing')], 'nothing does not exist.'],
      [2, ['--kubeconfig', folder], 'it is not a file.'],
      [2, ['prod', '--color', 'pink'], 'Allowed choices are gray, blue'],
      [4, ['nowhere'], 'No file of KUBECONFIG has a context nowhere. Available: prod, cloud, old'],
      [1, ['prod'], 'Context prod is already added as prod.'],
    ] as const) {
      const result = await slipway(...add, ...args);
      expect(result).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
    }
    for (const command of ['check', 'namespaces', 'allow-changes', 'turn-changes-off', 'remove']) {
      expect(await slipway('clusters', command, 'nowhere')).toMatchObject({ status: 4 });
    }
  });

  it('allows changes only after a confirmation that names server and user', async () => {
    const allow = ['clusters', 'allow-changes', 'prod'];
    expect(await slipway(...allow)).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    const question = `Allow changes in prod, ${address} as prod, context prod of ${files.first}? [y/N]`;
    expect((await answering('n', question, ...allow)).status).toBe(130);
    expect(await clusters()).toMatchObject([{ external: { changes_allowed: false } }]);
    expect((await answering('y', question, ...allow)).status).toBe(0);
    expect(await clusters()).toMatchObject([{ external: { changes_allowed: true } }]);
    expect((await slipway('clusters', 'turn-changes-off', 'prod')).stdout).toBe('Changes in prod are off.\n');
    expect((await slipway(...allow, '--yes')).stdout).toContain(`${address} as prod`);
    await slipway('clusters', 'turn-changes-off', 'prod');
    expect(await clusters()).toMatchObject([{ external: { changes_allowed: false } }]);
  });

  it('sets the namespaces of a user who may not list them', async () => {
    const namespaces = ['clusters', 'namespaces', 'prod'];
    expect((await slipway(...namespaces)).stdout).toBe('shop (context)\n');
    const set = await slipway(...namespaces, 'web,team-a');
    expect(set).toMatchObject({ status: 0, stdout: 'shop (context)\nteam-a\nweb\n' });
    expect(await clusters()).toMatchObject([{ external: { namespaces: ['team-a', 'web'] } }]);
    expect(await slipway(...namespaces, 'Not valid')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must be valid namespace names'),
    });
    expect((await slipway(...namespaces, '')).stdout).toBe('shop (context)\n');
  });

  it('rejects the life cycle of kind, and names the command that removes', async () => {
    for (const command of ['start', 'stop', 'pause', 'unpause']) {
      expect(await slipway(command, 'prod')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`prod ${SENTENCE}`),
      });
    }
    for (const args of [
      ['delete', 'prod'],
      ['delete', 'prod', '--yes'],
      ['start', 'prod', '--recreate'],
    ]) {
      expect(await slipway(...args)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(
          `${SENTENCE}. Remove it from Slipway with: slipway clusters remove prod`,
        ),
      });
    }
    expect(await clusters()).toHaveLength(1);
  });

  it('runs a plugin only after consent to exactly what it shows', async () => {
    const added = await slipway('clusters', 'add', 'cloud');
    expect(added).toMatchObject({ status: 2, stdout: '' });
    expect(added.stderr).toContain(`Added cloud, ${address} as cloud`);
    expect(added.stderr).toContain(`  Program:    ${plugin}\n`);
    expect(added.stderr).toContain('  Arguments:  get "a\\u001b[2Kb" ""\n');
    expect(added.stderr).toContain('  Variables:  "PROFILE=work\\u{202e}"\n');
    expect(added.stderr).toMatch(/no terminal.* slipway clusters check cloud --allow-plugin\n$/);
    const check = ['clusters', 'check', 'cloud'];
    expect((await answering('n', 'exactly this? [y/N]', ...check)).status).toBe(130);
    expect(existsSync(marker)).toBe(false);
    const allowed = await slipway(...check, '--allow-plugin');
    expect(allowed).toMatchObject({ status: 0, stdout: expect.stringContaining('Connected') });
    expect(existsSync(marker)).toBe(true);
    expect(await slipway(...check)).toMatchObject({ status: 0, stderr: '' });
    writeFirst('get', 'something-else');
    expect(await slipway(...check)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('  Arguments:  get something-else\n'),
    });
    expect((await slipway('clusters', 'remove', 'cloud', '--yes')).status).toBe(0);
  });

  it('adds a kubeconfig of standard input, which must not run programs', async () => {
    const add = ['clusters', 'add', '--kubeconfig', '-', '--name'];
    const run = async (user: object, name: string): Promise<CliResult> =>
      await CliProcess.start(slipwayHere.environment, ...add, name).end(kubeconfig([{ name: 'ci', user }]));
    expect(await run(execUser(), 'pasted')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('a pasted kubeconfig must not have exec'),
    });
    expect(await run({ token: TOKEN }, 'pasted')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('context ci of a pasted kubeconfig. Connected'),
    });
    expect((await run({ token: 'wrong' }, 'denied')).stdout).toContain('Not connected: ');
    expect(await slipway('clusters', 'check', 'denied')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('Not connected: '),
    });
  });

  it('completes external clusters, and contexts that can be added', async () => {
    const complete = async (...words: string[]): Promise<string[]> =>
      (await slipway('__complete', '--', 'clusters', ...words)).stdout.split('\n').slice(0, -1);
    expect(await complete('c')).toEqual(['contexts', 'check']);
    expect(await complete('remove', '')).toEqual(['denied', 'pasted', 'prod']);
    expect(await complete('add', 'c')).toEqual(['cloud']);
    expect(await complete('add', 'prod', '--color', 'g')).toEqual(['gray', 'green']);
    expect((await slipway('clusters', 'add', '--help')).stdout).toContain('--allow-plugin');
    expect((await slipway('help', 'clusters')).stdout).toContain('slipway clusters allow-changes prod');
  });

  it('removes a cluster after a confirmation', async () => {
    expect(await slipway('clusters', 'remove', 'pasted')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--yes'),
    });
    const question =
      'The cluster and the kubeconfig stay. Its stored log lines stay for their retention. [y/N]';
    expect((await answering('y', question, 'clusters', 'remove', 'pasted')).status).toBe(0);
    await slipway('clusters', 'remove', 'denied', '--logs', '--yes');
    expect((await clusters()).map(({ name }) => name)).toEqual(['prod']);
  });
});

describe('slipway mcp --write', () => {
  it('shows external clusters, and returns the reason why it cannot change them', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BUILT_SERVER, 'mcp', '--write'],
        env: { SLIPWAY_ENV_FILE: '/dev/null', ...slipwayHere.environment },
        stderr: 'ignore',
      }),
    );
    const call = async (name: string, input: object): Promise<Awaited<ReturnType<Client['callTool']>>> =>
      await client.callTool({ name, arguments: { cluster: 'prod', ...input } });
    expect(await client.callTool({ name: 'list_clusters', arguments: {} })).toMatchObject({
      structuredContent: { clusters: [{ name: 'prod', external: { changes_allowed: false } }] },
    });
    expect(await call('get_cluster', { runtime: 'kubeconfig' })).toMatchObject({
      structuredContent: { cluster: { name: 'prod', runtime: 'kubeconfig' } },
    });
    const refused = (text: string): object => ({
      isError: true,
      content: [{ text: expect.stringContaining(text) }],
    });
    for (const dry_run of [true, false]) {
      expect(await call('change_cluster_state', { action: 'stop', dry_run })).toMatchObject(
        refused(SENTENCE),
      );
      expect(await call('delete_cluster', { dry_run })).toMatchObject(refused(SENTENCE));
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n';
      expect(await call('apply_manifest', { yaml, dry_run })).toMatchObject(
        refused('slipway clusters allow-changes prod'),
      );
    }
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => /allow|consent|plugin|external/.test(name))).toEqual([]);
    await client.close();
  });
});
