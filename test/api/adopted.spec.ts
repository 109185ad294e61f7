import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { CloneCheckDto } from '../../backend/src/modules/clusters/clone/clone.dto.js';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, jobEnded, submit } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { PreparedConnection } from '../support/prepared-connection.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

const IMAGE = 'docker.io/kindest/node:v1.34.4';
/** Names that kind allows and Slipway does not. */
const DOTTED = 'old.cluster-1.x';
const LONG = `l${'o'.repeat(126)}g`;
const MADE_FROM = {
  networking: { podSubnet: '10.200.0.0/16' },
  nodes: [
    {
      role: 'control-plane',
      image: IMAGE,
      labels: { tier: 'front' },
      extraPortMappings: [{ containerPort: 80, hostPort: 18_080, listenAddress: '127.0.0.1' }],
      extraMounts: [{ hostPath: '/srv/data', containerPath: '/data', readOnly: true }],
    },
    { role: 'worker', image: IMAGE },
  ],
};

interface ConfigAnswer {
  config: string;
  source: 'saved' | 'rebuilt';
  config_changed: boolean;
}

describe('clusters that kind made outside Slipway', () => {
  let machine: ScriptedMachine;
  let app: TestApp;

  beforeAll(async () => {
    machine = await ScriptedMachine.start({ engines: ['docker', 'podman'] });
    await machine.kind.makeOutside('docker', DOTTED, MADE_FROM);
    await machine.kind.makeOutside('podman', LONG, { nodes: [{ image: IMAGE }] });
    app = await startApp({ environment: { ...machine.environment, APP_RUNTIME: 'auto' } });
    await app.client.until<ClusterDto[]>(
      '/api/v1/clusters',
      (clusters) => clusters.length === 2 && clusters.every(({ state }) => state === 'running'),
    );
  });

  afterAll(async () => {
    await app.stop();
    await machine.close();
  });

  const path = (name: string, rest = '/config'): string => `/api/v1/clusters/${name}${rest}`;
  const folderOf = (name: string): string => join(app.dataDirectory, 'clusters', name);

  async function read(name: string): Promise<ConfigAnswer & { etag: string }> {
    const answer = await app.client.send('GET', path(name), { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(200);
    return { ...(answer.body as ConfigAnswer), etag: answer.headers.etag ?? '' };
  }

  const put = (name: string, config: string, match: string): Promise<ApiResponse> =>
    app.client.send('PUT', path(name), {
      body: { config },
      headers: { accept: 'application/json', 'if-match': match },
    });

  it('are listed as adopted, with any name that kind allows', async () => {
    const clusters = await app.client.get<ClusterDto[]>('/api/v1/clusters');
    expect(clusters.map(({ name, runtime, origin, workers }) => [name, runtime, origin, workers])).toEqual([
      [LONG, 'podman', 'adopted', 0],
      [DOTTED, 'docker', 'adopted', 1],
    ]);
  });

  it('are not reached through a kubeconfig that runs a program, and the error names its field', async () => {
    const exec =
      '    exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: /usr/bin/touch\n';
    machine.kind.inNodes = (text) => text.replace(/^ {2}user:\n( {4}.*\n?)+/m, `  user:\n${exec}`);
    const answers = await Promise.all([
      app.client.send('GET', path(DOTTED, '/kubeconfig')),
      app.client.send('GET', path(DOTTED, '/kubeconfig/docker')),
      app.client.send('POST', path(DOTTED, '/kubeconfig/merge'), { body: {} }),
      app.client.send('GET', path(DOTTED, '/resources')),
      app.client.send('GET', path(DOTTED, '/addons/installed')),
    ]);
    machine.kind.inNodes = undefined;
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        503,
        expect.objectContaining({
          code: 'cluster_unreachable',
          message: expect.stringContaining('users[0].user.exec is not allowed') as unknown,
        }),
      ]);
    }
    expect(machine.calls.filter(({ program }) => program !== 'kind')).toEqual([]);
  });

  it('reuse the kubeconfig of their nodes for several requests', async () => {
    const api = machine.kind.apiServers.get(`docker/${DOTTED}`);
    if (!api) throw new Error('it has no API server');
    api.behind = new PreparedConnection({
      'GET /api': { kind: 'APIVersions', versions: [] },
      'GET /apis': { kind: 'APIGroupList', groups: [] },
    });
    const asked = (): number =>
      machine.calls.filter(({ args }) => args.join(' ').startsWith('get kubeconfig')).length;
    const before = asked();
    for (let time = 0; time < 3; time += 1) {
      expect(await app.client.get(path(DOTTED, '/resources'))).toEqual([]);
    }
    // None if the search for problems has just asked, which asks too once the cluster is running.
    expect(asked() - before).toBeLessThanOrEqual(2);
  });

  it('have a rebuilt config, marked as such, until one is saved', async () => {
    const { config, source, etag } = await read(DOTTED);
    expect(source).toBe('rebuilt');
    expect(config).toMatch(/^# Rebuilt by Slipway/);
    expect(parse(config)).toEqual({
      kind: 'Cluster',
      apiVersion: 'kind.x-k8s.io/v1alpha4',
      name: DOTTED,
      ...MADE_FROM,
      networking: { ...MADE_FROM.networking, apiServerPort: expect.any(Number) },
    });
    expect((await read(DOTTED)).etag).toBe(etag);
    expect((await read(LONG)).source).toBe('rebuilt');
    expect([existsSync(folderOf(DOTTED)), existsSync(folderOf(LONG))]).toEqual([false, false]);
  });

  it('have an applied config', async () => {
    const { config } = await read(DOTTED);
    const applied = await app.client.send('GET', path(DOTTED, '/config/applied'));
    expect([applied.status, applied.text]).toEqual([200, config]);
  });

  it('report only new host access of a changed config', async () => {
    const { config } = await read(DOTTED);
    const check = async (text: string): Promise<unknown> =>
      (await app.client.send('POST', path(DOTTED, '/config/check'), { body: { config: text } })).body;
    expect(await check(config)).toMatchObject({ acceptable: true, host_access: [] });
    expect(await check(config.replace('/srv/data', '/etc'))).toMatchObject({
      acceptable: true,
      host_access: [{ kind: 'mount' }],
    });
    expect(existsSync(folderOf(DOTTED))).toBe(false);
  });

  it('are cloned from the rebuilt config and stay unchanged', async () => {
    const clone = { name: 'younger' };
    const check = await app.client.send('POST', path(DOTTED, '/clone/check'), { body: clone });
    expect(check.body).toMatchObject({ acceptable: true, problems: [] });
    const { moves, warnings, config } = check.body as CloneCheckDto;
    expect(moves.map(({ where, from, to }) => [where, to - from])).toEqual([
      ['networking.apiServerPort', expect.any(Number)],
      ['nodes[0].extraPortMappings[0].hostPort', 1],
    ]);
    // Read-only mounts are not reported.
    expect(warnings).toEqual([]);
    expect(parse(config ?? '')).toMatchObject({
      name: 'younger',
      networking: { podSubnet: '10.200.0.0/16' },
    });
    const before = await read(DOTTED);
    const id = await submit(app.client, path(DOTTED, '/clone'), clone);
    expect(await jobEnded(app.client, id)).toMatchObject({ kind: 'clone', state: 'succeeded' });
    expect(await clusterOf(app.client, 'younger')).toMatchObject({
      origin: 'created',
      runtime: 'docker',
      state: 'running',
      workers: 1,
    });
    expect(await read(DOTTED)).toEqual(before);
    expect(existsSync(folderOf(DOTTED))).toBe(false);
    const deleted = await app.client.send('DELETE', path('younger', ''));
    expect(deleted.body).toMatchObject({ deleted: true });
  });

  it('keep the rebuilt config once it is saved', async () => {
    const { config, etag } = await read(LONG);
    const answer = await put(LONG, config, etag);
    expect(answer).toMatchObject({ status: 200, body: { source: 'saved', config_changed: false } });
    expect(readFileSync(join(folderOf(LONG), 'cluster.yaml'), 'utf8')).toBe(config);
    expect(await read(LONG)).toMatchObject({ source: 'saved', config, etag });
    expect(await clusterOf(app.client, LONG)).toMatchObject({ origin: 'adopted', state: 'running' });
  });

  it('can be edited; the meta has the config, the cluster the running state', async () => {
    const { config, etag } = await read(DOTTED);
    const wanted = `${config.trimEnd()}\n  - role: worker\n    image: ${IMAGE}\n`;
    expect(await put(DOTTED, wanted, '"another"')).toMatchObject({ status: 412 });
    expect(existsSync(folderOf(DOTTED))).toBe(false);
    expect(await put(DOTTED, wanted, etag)).toMatchObject({
      status: 200,
      body: { source: 'saved', config_changed: true },
    });
    const cluster = await clusterOf(app.client, DOTTED);
    expect(cluster).toMatchObject({ origin: 'adopted', config_changed: true, workers: 1 });
    const meta = JSON.parse(readFileSync(join(folderOf(DOTTED), 'meta.json'), 'utf8')) as object;
    expect(meta).toMatchObject({ origin: 'adopted', workers: 2, config_changed: true, creation: 'created' });
    const applied = await app.client.send('GET', path(DOTTED, '/config/applied'));
    expect(applied.text).toBe(config);
    const { total_workers_from_meta: total } = await app.client.get<{ total_workers_from_meta: number }>(
      '/api/v1/stats',
    );
    expect(total).toBe(2);
  });

  it('return 503 while their engine is unavailable and nothing is saved', async () => {
    await machine.kind.makeOutside('podman', 'unsaved', { nodes: [{ image: IMAGE }] });
    await app.client.until<ClusterDto[]>(
      '/api/v1/clusters',
      (clusters) => clusters.length === 3 && clusters.every(({ state }) => state === 'running'),
    );
    await machine.engine('podman').goAway();
    await app.client.until<ClusterDto[]>('/api/v1/clusters', (clusters) =>
      clusters.some(({ name, state }) => name === 'unsaved' && state === 'unknown'),
    );
    const answer = await app.client.send('GET', path('unsaved'));
    expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([503, 'runtime_unavailable']);
    // A saved config can be read and changed without the engine.
    expect((await read(LONG)).source).toBe('saved');
    await machine.engine('podman').comeBack();
    await app.client.until<ClusterDto[]>(
      '/api/v1/clusters',
      (clusters) => clusters.every(({ state }) => state === 'running'),
      30_000,
    );
  });

  it('are deleted with their saved files', async () => {
    const answer = await app.client.send('DELETE', path(DOTTED, ''));
    expect(answer).toMatchObject({
      status: 200,
      body: { deleted: true, removed: { files: expect.arrayContaining(['cluster.yaml', 'meta.json']) } },
    });
    expect(existsSync(folderOf(DOTTED))).toBe(false);
    expect(machine.engine('docker').world.nodes).toEqual([]);
  });

  it('are missing if their containers are removed, and keep their saved config', async () => {
    const { world } = machine.engine('podman');
    for (const node of world.nodesOf(LONG)) world.remove(node);
    const cluster = await app.client.until<ClusterDto>(path(LONG, ''), ({ state }) => state === 'missing');
    expect(cluster).toMatchObject({ origin: 'adopted', nodes: [] });
    expect((await read(LONG)).source).toBe('saved');
  });

  it('are not listed if their containers are removed and nothing was saved', async () => {
    const { world } = machine.engine('podman');
    for (const node of world.nodesOf('unsaved')) world.remove(node);
    await app.client.until<ClusterDto[]>('/api/v1/clusters', ({ length }) => length === 1);
    const answer = await app.client.send('GET', path('unsaved'));
    expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([404, 'cluster_not_found']);
  });
});
