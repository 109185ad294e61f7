import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { BUILT_SERVER } from '../support/server/built-server.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

const WRITE_TOOLS = [
  'create_cluster',
  'delete_cluster',
  'change_cluster_state',
  'cancel_job',
  'apply_manifest',
  'delete_resource',
  'fix_resource',
  'restart_workload',
  'scale_workload',
];
/** The first fails and prints why, with a secret; the image of the second does not exist. */
const BROKEN = ['echo "ERROR database rejected password=Kanarienvogel" >&2; exit 3', 'sleep 1000']
  .map(
    (command, index) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: broken-${index}
spec:
  replicas: 1
  selector: { matchLabels: { app: broken-${index} } }
  template:
    metadata: { labels: { app: broken-${index} } }
    spec:
      containers:
        - name: web
          image: ${index === 0 ? 'nginx:1.29' : 'registry.invalid/web:1'}
          command: [sh, -c, '${command}']
`,
  )
  .join('---\n');

interface Row {
  name: string;
  columns: Record<string, unknown>;
}

interface Line {
  time: string;
  source: string;
  level: string | null;
  text: string;
}

const errors: Error[] = [];
let remove: () => Promise<void>;
let environment: Record<string, string>;
let slowEnvironment: Record<string, string>;
let server: ServerProcess;
let slow: ServerProcess;
let writer: Client;

async function connect(environmentOfIt: Record<string, string>, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  // Such as a line on standard output that does not belong to the protocol.
  client.onerror = (error) => {
    // Progress may still arrive after a canceled request.
    if (!error.message.includes('progress notification')) errors.push(error);
  };
  const env = { SLIPWAY_ENV_FILE: '/dev/null', ...environmentOfIt };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BUILT_SERVER, 'mcp', ...args],
      env,
      stderr: 'pipe',
    }),
  );
  return client;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  ({ remove } = folder);
  environment = {
    PATH: '/usr/bin:/bin',
    HOME: folder.path,
    APP_DATA_DIR: join(folder.path, 'data'),
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '1000',
  };
  // Jobs of this one last long enough to cancel them.
  const slowData = join(folder.path, 'slow');
  slowEnvironment = { ...environment, APP_DATA_DIR: slowData, APP_DEMO_SPEED: '5' };
  [server, slow] = await Promise.all([
    ServerProcess.start(environment, []),
    ServerProcess.start(slowEnvironment),
  ]);
  writer = await connect(environment, '--write');
});

afterAll(async () => {
  await writer.close();
  await Promise.all([server.stop(), slow.stop()]);
  await remove();
  expect(errors).toEqual([]);
});

/** The structured result of a tool that must succeed. */
async function call<TResult>(
  name: string,
  input: object,
  onprogress?: (progress: Progress) => void,
): Promise<TResult> {
  const request = { name, arguments: { ...input } };
  const result = await writer.callTool(request, CallToolResultSchema, onprogress ? { onprogress } : {});
  expect(result.isError ? result.content : []).toEqual([]);
  expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
  return result.structuredContent as TResult;
}

async function errorOf(client: Client, name: string, input: object): Promise<string> {
  const result = await client.callTool({ name, arguments: { ...input } });
  expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.any(String) }] });
  return (result.content as { text: string }[])[0]?.text ?? '';
}

async function clusters(): Promise<string[]> {
  return (await server.client.get<ClusterDto[]>('/api/v1/clusters')).map(({ name }) => name);
}

describe('slipway mcp --write', () => {
  it('describes a creation in a dry run, and creates the cluster with progress', async () => {
    const planned = await call('create_cluster', { name: 'shop', workers: 1 });
    expect(planned).toMatchObject({
      dry_run: true,
      acceptable: true,
      config: expect.stringContaining('worker'),
    });
    expect(await clusters()).toEqual([]);
    const seen: Progress[] = [];
    const created = await call('create_cluster', { name: 'shop', workers: 1, dry_run: false }, (progress) =>
      seen.push(progress),
    );
    expect(created).toMatchObject({ job: { kind: 'create', state: 'succeeded' } });
    expect(seen[0]).toMatchObject({ total: 100, message: expect.any(String) });
    expect(await call('list_clusters', {})).toMatchObject({
      clusters: [{ name: 'shop', state: 'running', nodes: 2 }],
    });
    expect(await call('get_cluster', { cluster: 'shop' })).toMatchObject({ cluster: { nodes: [{}, {}] } });
  });

  it('breaks deployments, and finds the reasons in states, events and logs', async () => {
    const manifest = { cluster: 'shop', yaml: BROKEN };
    expect(await call('apply_manifest', manifest)).toMatchObject({
      dry_run: true,
      failed: 0,
      documents: [{ outcome: 'created', after: expect.stringContaining('exit 3') }, { outcome: 'created' }],
    });
    const deployments = async (): Promise<Row[]> =>
      (
        await call<{ objects: Row[] }>('list_resources', {
          cluster: 'shop',
          kind: 'deploy',
          namespace: 'default',
        })
      ).objects;
    expect(await deployments()).toEqual([]);
    await call('apply_manifest', { ...manifest, dry_run: false });
    expect((await deployments()).map(({ name, columns }) => [name, columns['Ready']])).toEqual([
      ['broken-0', '0/1'],
      ['broken-1', '0/1'],
    ]);
    const pods = async (): Promise<Row[]> =>
      (
        await call<{ objects: Row[] }>('list_resources', {
          cluster: 'shop',
          kind: 'pods',
          namespace: 'default',
        })
      ).objects;
    await waitFor(async () => {
      const states = (await pods()).map(({ columns }) => columns['Status']);
      return states.includes('CrashLoopBackOff') && states.includes('ImagePullBackOff');
    }, 'the failures');
    const [crashing = '', imageless = ''] = (await pods()).map(({ name }) => name).sort();
    const { events } = await call<{ events: Row[] }>('get_events', {
      cluster: 'shop',
      namespace: 'default',
      kind: 'Pod',
      name: imageless,
    });
    expect(events.map(({ columns }) => columns['Message'])).toContainEqual(
      expect.stringContaining('lookup registry.invalid: no such host'),
    );
    expect(await call('get_pod_logs', { cluster: 'shop', pod: imageless })).toMatchObject({
      containers: [{ name: 'web', waiting: 'ImagePullBackOff' }],
      lines: [],
    });
    const deployment = { cluster: 'shop', kind: 'deployments', namespace: 'default', name: 'broken-0' };
    expect(await call('diagnose_resource', deployment)).toMatchObject({
      healthy: false,
      causes: [{ code: 'crash', object: { kind: 'Pod', name: crashing } }],
    });
    const reason = { level: 'error', text: 'ERROR database rejected password=[removed]' };
    const crashed = { cluster: 'shop', pod: crashing, previous: true };
    expect(await call('get_pod_logs', crashed)).toMatchObject({ lines: [reason] });
    // Lines reach the store a little later.
    const query = { query: 'database \\w+', regex: true, cluster: 'shop', levels: ['error'], since: '1h' };
    const found = async (): Promise<Line[]> => (await call<{ lines: Line[] }>('search_logs', query)).lines;
    await waitFor(async () => (await found()).length > 0, 'the line in the store');
    const source = `shop/default/${crashing}`;
    expect((await found())[0]).toMatchObject({ source, ...reason });
    expect(await call('read_logs', { source: 'Deployment/broken-0' })).toMatchObject({
      lines: [{ source, ...reason }],
    });
    const { sources } = await call<{ sources: object[] }>('list_log_sources', {
      cluster: 'shop',
      text: 'broken-0',
    });
    const state = { source, workload: 'Deployment/broken-0', reason: expect.stringContaining('exit code 3') };
    expect(sources).toContainEqual(expect.objectContaining(state));
  });

  it('restarts, scales and deletes objects, after a dry run that changes nothing', async () => {
    const target = { cluster: 'shop', kind: 'apps/v1/deployments', namespace: 'default', name: 'broken-0' };
    const replicas = async (): Promise<unknown> =>
      (await call<{ replicas: number }>('get_resource', target)).replicas;
    expect(await call('scale_workload', { ...target, replicas: 3 })).toMatchObject({
      would: expect.stringContaining('from 1 to 3'),
    });
    expect(await replicas()).toBe(1);
    await call('scale_workload', { ...target, replicas: 3, dry_run: false });
    expect(await replicas()).toBe(3);
    expect(await call('restart_workload', target)).toMatchObject({ dry_run: true });
    expect(await call('restart_workload', { ...target, dry_run: false })).toMatchObject({ name: 'broken-0' });
    expect(await errorOf(writer, 'fix_resource', { ...target, fix: 'raise_memory_limit' })).toMatch(
      /no longer possible/,
    );
    expect(await call('delete_resource', target)).toMatchObject({ dry_run: true });
    expect(await replicas()).toBe(3);
    await call('delete_resource', { ...target, dry_run: false });
    expect(await errorOf(writer, 'get_resource', target)).toContain('does not exist');
  });

  it('hides Secrets, and refuses YAML with masked values', async () => {
    const secret = (value: string): object => ({
      cluster: 'shop',
      yaml: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: key\nstringData:\n  token: ${value}\n`,
      dry_run: false,
    });
    expect(JSON.stringify(await call('apply_manifest', secret('Kanarienvogel')))).not.toContain(
      'Kanarienvogel',
    );
    const shown = await call('get_resource', {
      cluster: 'shop',
      kind: 'secret',
      namespace: 'default',
      name: 'key',
    });
    expect(JSON.stringify(shown)).not.toMatch(/Kanarienvogel|S2FuYXJpZW52b2dlbA/);
    expect(await errorOf(writer, 'apply_manifest', secret('[removed]'))).toContain('masked secret');
  });

  it('removes invisible and control characters, and limits lists and texts', async () => {
    const names = Array.from({ length: 130 }, (_item, index) => `item-${100 + index}`);
    const yaml = names
      .map(
        (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: { many: 'yes' }\n`,
      )
      .join('---\n');
    await call('apply_manifest', { cluster: 'shop', yaml, dry_run: false });
    const list = { cluster: 'shop', kind: 'cm', label_selector: 'many=yes', limit: 100 };
    expect(await call('list_resources', list)).toMatchObject({
      objects: { length: 100 },
      omitted: expect.any(Number),
      note: expect.stringContaining('Narrow'),
    });
    const marked = '"\\u001b[31mred\\u200b\\u202e"';
    const lines = `"${`${'x'.repeat(99)}\\n`.repeat(450)}"`;
    const data = `  a: ${marked}\n  b: ${'x'.repeat(10_000)}\n  c: ${lines}\n`;
    const big = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\ndata:\n${data}`;
    await call('apply_manifest', { cluster: 'shop', yaml: big, dry_run: false });
    const { yaml: shown } = await call<{ yaml: string }>('get_resource', {
      cluster: 'shop',
      kind: 'configmaps',
      namespace: 'default',
      name: 'big',
    });
    expect(shown).toHaveLength(40_000);
    expect(shown).toMatch(/ \[truncated\]$/);
    expect(shown).toMatch(/^ {2}b: x{4071} \[\d+ characters omitted\]/m);
    expect(shown).not.toMatch(/[\u001b\u200b\u202e]/);
  });

  it('rejects what only the user may accept, and explains errors', async () => {
    const config =
      'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: control-plane\n    extraMounts: [{ hostPath: /srv, containerPath: /host }]\n';
    expect(await errorOf(writer, 'create_cluster', { name: 'evil', config, dry_run: false })).toContain(
      'only the user can accept',
    );
    expect(await errorOf(writer, 'create_cluster', { name: 'evil', accept_host_access: true })).toContain(
      'accept_host_access',
    );
    expect(await errorOf(writer, 'list_resources', { cluster: 'shop', kind: 'unicorns' })).toContain(
      'does not serve',
    );
    for (const hostile of [
      { kind: 'a/../..', name: 'kubeconfig' },
      { kind: 'core/v1/pods', name: '..' },
    ]) {
      const path = { cluster: 'shop', ...hostile, dry_run: false };
      expect(await errorOf(writer, 'delete_resource', path)).toMatch(/does not serve|must be the name/);
    }
    expect(await errorOf(writer, 'get_cluster', { cluster: 'nowhere' })).toBe(
      'Cluster nowhere does not exist.',
    );
  });

  it('cancels the job of a request that the client cancels', async () => {
    const client = await connect(slowEnvironment, '--write');
    const stop = new AbortController();
    const request = { name: 'create_cluster', arguments: { name: 'short', dry_run: false } };
    const running = client.callTool(request, CallToolResultSchema, {
      signal: stop.signal,
      onprogress: () => stop.abort(),
    });
    await expect(running).rejects.toThrow();
    const state = async (): Promise<string | undefined> =>
      (await slow.client.get<JobDto[]>('/api/v1/jobs'))[0]?.state;
    await waitFor(async () => (await state()) === 'cancelled', 'the end of the job');
    await client.close();
  });

  it('deletes the cluster after a dry run', async () => {
    expect(await call('delete_cluster', { cluster: 'shop' })).toMatchObject({
      dry_run: true,
      cluster: { name: 'shop' },
    });
    expect(await clusters()).toEqual(['shop']);
    await call('delete_cluster', { cluster: 'shop', dry_run: false });
    expect(await clusters()).toEqual([]);
    const { entries } = await call<{ entries: { kind: string }[] }>('list_journal', { cluster: 'shop' });
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['create', 'delete']));
    const { jobs } = await call<{ jobs: JobDto[] }>('list_jobs', { cluster: 'shop' });
    expect(await call('get_job', { id: jobs[0]?.id })).toMatchObject({
      job: { kind: 'delete' },
      log: expect.any(Array),
    });
    expect(await call('run_diagnostics', {})).toMatchObject({ ready: true });
  });
});

describe('slipway mcp', () => {
  it('lists no tool that changes something, and annotates those of --write', async () => {
    const reader = await connect(environment);
    const { tools } = await reader.listTools();
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    expect(await errorOf(reader, 'delete_cluster', { cluster: 'shop', dry_run: false })).toContain(
      'not found',
    );
    await reader.close();
    const changing = (await writer.listTools()).tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(changing.map(({ name }) => name).sort()).toEqual([...WRITE_TOOLS].sort());
    for (const { inputSchema } of changing) {
      expect(inputSchema.properties).toMatchObject({ dry_run: { default: true } });
    }
  });

  it('explains that Slipway is not running, without its token', async () => {
    const reader = await connect({
      ...environment,
      APP_DATA_DIR: join(environment['HOME'] ?? '', 'nothing'),
    });
    expect(await errorOf(reader, 'list_clusters', {})).toMatch(
      /^Slipway is not running .* Start it with: slipway serve$/,
    );
    await reader.close();
    const denied = await connect({ ...environment, SLIPWAY_TOKEN: 'slipway_wrong' });
    const message = await errorOf(denied, 'list_clusters', {});
    expect(message).toContain('rejected the token');
    expect(message).not.toContain('slipway_wrong');
    await denied.close();
  });
});
