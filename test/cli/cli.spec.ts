import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { CliProcess, type CliResult } from '../support/server/cli-process.js';
import { temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { install, type Installation } from '../support/server/installation.js';

let folder: string;
let remove: () => Promise<void>;
/** Both applications, which require a sign-in of everyone, and jobs that end at once. */
let fast: Installation;

beforeAll(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  fast = await install(folder, 'fast', { APP_DEMO_SPEED: '1000', APP_AUTH: 'required' }, []);
});

afterAll(async () => {
  await fast.server.stop();
  await remove();
});

async function slipway(...args: string[]): Promise<CliResult> {
  return await CliProcess.start(fast.environment, ...args).end();
}

/** The result with `--output json` of a command that must succeed. */
async function json<TResult>(...args: string[]): Promise<TResult> {
  const { status, stdout, stderr } = await slipway(...args, '--output', 'json');
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as TResult;
}

describe('slipway', () => {
  it('shows the state of both applications', async () => {
    const { stdout } = await slipway('status');
    expect(stdout).toMatch(/^dashboard +ok +http:\/\/127\.0\.0\.1:\d+ /m);
    expect(stdout).toMatch(/^log board +ok +http:/m);
    expect(await json('status')).toMatchObject({
      dashboard: { health: { status: 'ok' } },
      log_board: {},
      jobs: [],
      problems: [],
    });
    expect((await slipway('version')).stdout).toMatch(/^slipway (\S+) .*\nserver {2}\1\n$/);
  });

  it('creates, changes and deletes a cluster', async () => {
    const created = await slipway('create', 'shop', '--workers', '1', '--image', 'kindest/node:v1.34.4');
    expect(created.stdout).toMatch(/^Job \d+ succeeded in \ds\. Created shop with .+ on demo\.\n$/);
    // On a busy machine the first steps end before they are seen.
    expect(created.stderr).toMatch(/^ +\d+ % {2}[A-Z][a-z]+ .+$/m);
    expect(await json<ClusterDto[]>('list')).toEqual([
      expect.objectContaining({ name: 'shop', workers: 1, state: 'running', node_image_tag: 'v1.34.4' }),
    ]);
    await waitFor(
      async () => (await json<ClusterDto[]>('list'))[0]?.problems === 3,
      'the problems of the demo',
    );
    expect((await slipway('list')).stdout).toMatch(/^NAME.* PROBLEMS.*\nshop .* 3 /);
    const watching = slipway('create', 'watched', '--workers', '0', '--wait-healthy');
    const problems = await slipway('problems', 'shop');
    expect(problems).toMatchObject({ status: 1, stderr: '3 problems found.\n' });
    expect(problems.stdout).toMatch(
      /^shop +shop +Deployment\/mailer +\d+s +Container mailer exited with code 1/m,
    );
    expect(problems.stdout).toMatch(/^Fix of Deployment\/reports: Load the image from this machine/m);
    expect((await slipway('status')).stdout).toContain('Deployment/reports');
    const waiting = slipway('jobs', created.stdout.split(' ')[1] ?? '', '--wait-healthy');
    expect((await slipway('kubeconfig', 'shop')).stdout).toContain('current-context: kind-shop');
    const merge = ['kubeconfig', 'shop', '--merge'];
    expect((await slipway(...merge)).stderr).toBe('');
    const shell = { ...fast.environment, KUBECONFIG: '/nowhere' };
    expect((await CliProcess.start(shell, ...merge).end()).stderr).toMatch(
      /does not read .*\.kube\/config\./,
    );
    expect(readFileSync(join(folder, 'fast', '.kube', 'config'), 'utf8')).toContain('kind-shop');
    const fix = ['fix', 'shop', 'deployment/reports', '-n', 'shop'];
    const offered = /^set_image +reports +image of container reports in Deployment shop\/reports +image=/m;
    await waitFor(async () => offered.test((await slipway(...fix)).stdout), 'the fix');
    const choice = [...fix, '--fix', 'set_image', '--set', 'image=shop/web:1.4.0'];
    expect((await slipway(...choice, '--dry-run')).stdout).toMatch(
      /^- +image: registry\.shop\.invalid\/reports:2\.0\.0\n\+ +image: shop\/web:1\.4\.0$/m,
    );
    expect(await slipway(...choice)).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    expect((await slipway(...choice, '--yes')).stdout).toContain('Changed the image of reports');
    expect(await slipway(...choice, '--yes')).toMatchObject({
      stderr: expect.stringContaining('no longer possible'),
    });
    for (const [command, state] of [
      ['pause', 'paused'],
      ['unpause', 'running'],
      ['stop', 'stopped'],
      ['start', 'running'],
    ] as const) {
      expect(await json<JobDto>(command, 'shop')).toMatchObject({ kind: command, state: 'succeeded' });
      expect((await json<ClusterDto[]>('list'))[0]).toMatchObject({ state });
    }
    const forward = ['forward', 'shop', 'deployment/api', '8080', '-n', 'shop', '--host', 'shop.example'];
    const started = await slipway(...forward);
    expect(started.stdout + started.stderr).toMatch(
      /^127\.0\.0\.1:\d+ +deployments\/api:8080 in shop .* shop\.example +http:\/\/[a-z]{12}\.localhost:\d+\/\?/m,
    );
    expect(await json('forward', 'shop')).toMatchObject([{ object: 'api', hosts: ['shop.example'] }]);
    expect(await waiting).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Deployment/mailer'),
      // One of them may have been fixed above by now.
      stderr: expect.stringMatching(/[1-3] problems? after job/),
    });
    const watched = await watching;
    expect(watched).toMatchObject({ status: 1, stderr: expect.stringMatching(/[1-3] problems? after job/) });
    expect(watched.stdout).toMatch(/Deployment\/mailer +\d+s +Container mailer exited/);
    expect((await slipway('delete', 'watched', '--yes')).stdout).toContain('Deleted watched');
    for (const args of [['delete'], ['start', '--recreate']]) {
      expect(await slipway(...args, 'shop')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--yes'),
      });
    }
    expect((await slipway('delete', 'shop', '--yes')).stdout).toContain('Deleted shop');
    expect((await slipway('list')).stdout).toMatch(/^No clusters\. Create one with: slipway create NAME\./);
  });

  it('creates a cluster from a config of standard input without waiting', async () => {
    const config = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: control-plane\n';
    const args = ['create', 'piped', '--config', '-', '--accept-cgroup-v1', '--no-wait', '--output', 'json'];
    const { stdout } = await CliProcess.start(fast.environment, ...args).end(config);
    const { job_id } = JSON.parse(stdout) as { job_id: number };
    expect((await slipway('jobs', String(job_id), '--wait')).status).toBe(0);
    expect((await slipway('jobs', String(job_id))).stdout).toMatch(
      /^Job \d+: Create piped \(demo\), succeeded, 100 %\n/,
    );
    expect((await json<JobDto[]>('jobs'))[0]).toMatchObject({ id: job_id });
    expect((await slipway('journal', '--cluster', 'piped', '--since', '1h')).stdout).toMatch(
      / create +piped +succeeded +\S/,
    );
  });

  it('lists all problems of a config', async () => {
    const config =
      'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: one\n  - role: two\n';
    expect(await CliProcess.start(fast.environment, 'create', 'bad', '--config', '-').end(config)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/Line 4: nodes\[0\].*\n.*Line 5: nodes\[1\]/),
    });
  });

  it.each([
    [2, ['unheard-of'], 'unknown command'],
    [2, ['create', '../x'], "error: argument <name> is invalid: '../x'. It must be lowercase letters"],
    [2, ['logs', '--follow'], 'A source to follow is missing.'],
    [2, ['help', 'token', 'nothing'], 'Command token nothing does not exist.'],
    [2, ['list', '--output', 'xml'], 'Allowed choices'],
    [4, ['stop', 'nowhere'], 'Cluster nowhere does not exist.'],
    [4, ['logs', 'nowhere'], 'There is no log source nowhere.'],
    [3, ['list', '--server', 'http://127.0.0.1:1'], 'Could not reach Slipway at http://127.0.0.1:1'],
    [2, ['list', '--server', 'ftp://127.0.0.1'], 'The address of the server is invalid'],
    [5, ['logs', '--token', 'slipway_wrong'], 'The server rejected the token.'],
  ])('exits with status %i after %j', async (status, args, message) => {
    const result = await slipway(...args);
    expect(result).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain('slipway_wrong');
  });

  it('fails with status 1 if a job fails or cannot start', async () => {
    expect(await slipway('create', 'piped')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already exists'),
    });
  });

  it('sends a token to no other server, and shows nothing that one says', async () => {
    const seen: (string | undefined)[] = [];
    let code = 500;
    const other = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(code).end('\u001b[31mhostile');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    for (const [status, reason] of [
      [500, 'it responded with status 500'],
      [200, 'its response is not JSON'],
    ] as const) {
      code = status;
      const result = await slipway('list', '--server', `http://127.0.0.1:${port}`);
      expect(result).toMatchObject({
        status: 3,
        stderr: expect.stringContaining(` is not Slipway: ${reason}`),
      });
      expect(result.stderr).not.toContain('hostile');
    }
    other.close();
    expect(seen).toEqual([undefined, undefined]);
  });

  it('uses an access token of the environment with its scope, until it is revoked', async () => {
    const { stdout } = await slipway('token', 'create', 'ci', '--days', '1');
    const environment = {
      ...fast.environment,
      APP_DATA_DIR: join(folder, 'nothing'),
      SLIPWAY_SERVER: `http://127.0.0.1:${fast.server.client.port}`,
      SLIPWAY_TOKEN: stdout.trim(),
    };
    const remote = async (...args: string[]): Promise<CliResult> =>
      await CliProcess.start(environment, ...args).end();
    expect((await remote('list')).status).toBe(0);
    expect((await remote('stop', 'piped')).status).toBe(5);
    expect((await remote('token', 'list')).stderr).toContain('Run this command without a token');
    expect((await slipway('token', 'list')).stdout).toMatch(/ ci +read /);
    await slipway('token', 'revoke', 'ci');
    expect((await remote('list')).status).toBe(5);
  });

  it('prints, follows and searches logs', async () => {
    const source = 'piped-control-plane/kubelet';
    await waitFor(async () => (await slipway('logs')).stdout.includes(source), 'the source');
    const follower = CliProcess.start(
      fast.environment,
      'logs',
      '--follow',
      '--tail',
      '1',
      '--output',
      'json',
      source,
    );
    await waitFor(() => follower.stdout.split('\n').length > 4, 'followed lines');
    follower.signal('SIGINT');
    const lines = (await follower.result()).stdout.trim().split('\n').slice(0, 4);
    const followed = lines.map((line) => JSON.parse(line) as { seq: number });
    // Stored and new lines have the same fields.
    expect(new Set(followed.map((line) => Object.keys(line).join())).size).toBe(1);
    const numbers = followed.map(({ seq }) => seq);
    // Without a gap or repeat between stored and new lines.
    expect(numbers).toEqual(numbers.map((_number, index) => (numbers[0] ?? 0) + index));
    expect((await slipway('logs', source, '--tail', '2')).stdout.split('\n')).toHaveLength(3);
    expect((await slipway('logs', 'piped-con/kubelet', '--tail', '2')).stdout.split('\n')).toHaveLength(3);
    expect(await slipway('logs', 'kube-')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('kube- matches several log sources: '),
    });
    expect(await slipway('logs', 'piped-control-planes')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('Did you mean piped-control-plane?'),
    });
    expect(
      (await slipway('search', '--regex', '--limit', '1', '--source', source, 'sync.?loop')).stdout,
    ).toMatch(/^\S+Z piped-control-plane\/kubelet \| .*SyncLoop/);
  });

  it('prints a sign-in link that works once', async () => {
    const { stdout } = await slipway('open', '--print');
    const [, token] = /#link=([\w-]+)\n$/.exec(stdout) ?? [];
    const redeem = async (): Promise<number> =>
      (await fast.server.client.send('POST', '/api/auth/link', { body: { token } })).status;
    expect([await redeem(), await redeem()]).toEqual([200, 401]);
  });

  it('diagnoses, and saves a private support bundle', async () => {
    expect((await slipway('diagnose')).stdout).toContain('Memory free');
    const bundle = join(folder, 'bundle.tar.gz');
    expect((await slipway('diagnose', '--bundle', bundle)).status).toBe(0);
    expect(statSync(bundle).mode & 0o777).toBe(0o600);
    expect((await slipway('diagnose', '--bundle', bundle)).stderr).toContain('already exists');
  });

  it('completes commands, options, clusters and log sources', async () => {
    const complete = async (...words: string[]): Promise<string[]> =>
      (await slipway('__complete', '--', ...words)).stdout.split('\n').slice(0, -1);
    expect(await complete('st')).toEqual(['status', 'start', 'stop']);
    expect(await complete('create', 'x', '--wo')).toEqual(['--workers']);
    expect(await complete('stop', '')).toEqual(['piped']);
    expect(await complete('stop', '--runtime', '')).toEqual([]);
    expect(await complete('journal', '--cluster', '')).toEqual(['piped']);
    expect(await complete('create', '--he')).toEqual(['--help']);
    expect(await complete('create', 'x', '--accept-c')).toEqual(['--accept-cgroup-v1']);
    expect(await complete('logs', 'piped-control-plane/k')).toEqual(['piped-control-plane/kubelet']);
    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await slipway('completion', 'bash')).stdout);
    execFileSync('bash', ['-n', script]);
  });
});
