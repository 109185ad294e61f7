import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type {
  ContextsDto,
  ExternalClusterDetailsDto,
  HistoryEstimateDto,
} from '../../backend/src/modules/external-clusters/external-clusters.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { routesOf } from '../support/app/routes.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { waitFor } from '../support/wait-for.js';
import { makeDemoCluster } from '../support/kubernetes/demo-cluster.js';

const EXTERNAL = '/api/v1/external-clusters';
const OF = '/api/v1/clusters/prod';

/** Routes that change nothing in a cluster, although their method is not GET. */
const KEEPING = new Set([
  'POST /api/v1/clusters/x/forwards',
  'DELETE /api/v1/clusters/x/forwards/x',
  'POST /api/v1/clusters/x/addons/releases/x/forward',
  'DELETE /api/v1/clusters/x/addons/forwards/x',
]);

describe('clusters of kubeconfigs', () => {
  let app: TestApp;
  let board: TestApp;
  let api: ScriptedApiServer;
  let folder: string;
  let removeDemo: () => Promise<void>;
  const file = (name: string): string => join(folder, name);

  /** A kubeconfig whose contexts lead to the scripted API server. */
  function kubeconfig(
    contexts: readonly string[],
    user: object = clientCertificate(),
    server = api.address,
    names = 'c',
  ): string {
    const authority = Buffer.from(api.authority.certificate).toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: names, cluster: { server, 'certificate-authority-data': authority } }],
      users: [{ name: names, user }],
      contexts: contexts.map((name) => ({ name, context: { cluster: names, user: names } })),
    });
  }

  function clientCertificate(): object {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    return {
      'client-certificate-data': base64(api.client.certificate),
      'client-key-data': base64(api.client.key),
    };
  }

  const send = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    app.client.send(method, path, { body });
  const prod = (): Promise<ClusterDto> => app.client.get<ClusterDto>(`${OF}?runtime=kubeconfig`);
  const recorded = async (): Promise<string[]> =>
    (await journalOf(app.client, '?cluster=prod')).map(({ kind }) => kind);
  const change = (body: object): Promise<ApiResponse> => send('PATCH', `${EXTERNAL}/prod`, body);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-external-'));
    api = await ScriptedApiServer.start();
    const demo = await makeDemoCluster();
    removeDemo = demo.remove;
    api.behind = demo.world.apiServer('demo');
    await writeFile(file('one'), kubeconfig(['k3d-prod', 'shared']));
    await writeFile(file('two'), kubeconfig(['shared'], { token: 'xyz' }, 'https://127.0.0.1:1'));
    await writeFile(file('broken'), 'clusters: {');
    app = await startApp({
      applications: ['dashboard', 'log-board'],
      environment: {
        APP_PASS: LOG_BOARD_PASSWORD,
        KUBECONFIG: ['one', 'two', 'broken', 'missing'].map(file).join(':'),
      },
    });
    board = await startLogBoard({ beside: app });
    await createCluster(app.client, 'local');
  });

  afterAll(async () => {
    await board.stop();
    await app.stop();
    await api.stop();
    await removeDemo();
    await rm(folder, { recursive: true, force: true });
  });

  it('lists the contexts of all files without asking their servers', async () => {
    let connections = 0;
    api.onConnection(() => (connections += 1));
    const { contexts, problems } = await app.client.get<ContextsDto>(`${EXTERNAL}/contexts`);
    expect(contexts.map(({ context, file: from, shadowed }) => [context, from, shadowed])).toEqual([
      ['k3d-prod', file('one'), false],
      ['shared', file('one'), false],
      ['shared', file('two'), true],
    ]);
    expect(contexts[0]).toMatchObject({
      server: api.address,
      user: 'c',
      distribution: 'k3d',
      added_as: null,
    });
    expect(contexts[2]).toMatchObject({ server: 'https://127.0.0.1:1', problem: null });
    expect(problems).toEqual([{ file: file('broken'), problem: expect.stringContaining('line 1') }]);
    expect(connections).toBe(0);
  });

  it('adds a context, which is then a cluster whose objects can be read', async () => {
    const added = await send('POST', EXTERNAL, {
      context: 'k3d-prod',
      name: 'prod',
      color: 'red',
      note: 'Ask first.',
    });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      name: 'prod',
      runtime: 'kubeconfig',
      origin: 'external',
      state: 'running',
      api_server: api.address,
      external: {
        context: 'k3d-prod',
        file: file('one'),
        color: 'red',
        changes_allowed: false,
        insecure: false,
      },
    });
    const names = (await app.client.get<ClusterDto[]>('/api/v1/clusters')).map(({ name }) => name);
    expect(names).toEqual(['local', 'prod']);
    const table = await app.client.get<{ rows: unknown[] }>(`${OF}/resources/core/v1/pods`);
    expect(table.rows.length).toBeGreaterThan(3);
    expect(await recorded()).toContain('external-added');
    const { contexts } = await app.client.get<ContextsDto>(`${EXTERNAL}/contexts`);
    expect(contexts[0]?.added_as).toBe('prod');
    expectError(await send('POST', EXTERNAL, { context: 'k3d-prod' }), 409, 'cluster_exists');
    expectError(await send('POST', EXTERNAL, { context: 'shared', name: 'local' }), 409, 'cluster_exists');
    expectError(await send('POST', EXTERNAL, { context: 'nowhere' }), 404, 'context_not_found');
    expectError(
      await send('POST', EXTERNAL, { context: 'k3d-prod', file: '/etc/shadow' }),
      404,
      'context_not_found',
    );
  });

  it('rejects every route that is not GET while changes are off, and those of the life cycle always', async () => {
    const routes = routesOf(app).filter(
      ({ path }) => path.startsWith('/api/v1/clusters/x') && path !== '/api/v1/clusters/x',
    );
    const changing = routes.filter(
      ({ method, path }) => method !== 'GET' && method !== 'HEAD' && !KEEPING.has(`${method} ${path}`),
    );
    expect(changing.length).toBeGreaterThan(40);
    for (const { method, path } of changing) {
      const answer = await send(
        method,
        path.replace('/clusters/x', '/clusters/prod'),
        method === 'DELETE' ? undefined : {},
      );
      const code = (answer.body as { code?: string }).code ?? '';
      expect(
        `${method} ${path} ${['changes_off', 'cluster_external'].includes(code) ? 'refused' : code}`,
      ).toBe(`${method} ${path} refused`);
    }
    for (const path of [
      'config',
      'provision-log',
      'node-logs',
      'kubeconfig',
      'kubeconfig/docker',
      'images',
    ]) {
      expectError(await send('GET', `${OF}/${path}`), 409, 'cluster_external');
    }
    expectError(await send('DELETE', OF), 409, 'cluster_external');
    expectError(await send('POST', `${OF}/stop`), 409, 'cluster_external');
    const pod = 'kube-system/kube-proxy';
    expectError(await send('GET', `${OF}/pods/${pod}/files?path=/`), 403, 'changes_off');
    expectError(
      await send('POST', `${OF}/resources/apply`, { yaml: 'a: b', dry_run: true }),
      403,
      'changes_off',
    );
    expectError(
      await send('POST', `${OF}/resources/apply?runtime=kubeconfig`, { yaml: 'a: b' }),
      403,
      'changes_off',
    );
  });

  it('allows changes only for the server and user that were shown, and turns them off again', async () => {
    const { external } = await prod();
    expectError(await change({ changes_allowed: true }), 412, 'precondition_failed');
    expectError(
      await change({ changes_allowed: true, identity: '0123456789abcdef' }),
      412,
      'precondition_failed',
    );
    const allowed = await change({ changes_allowed: true, identity: external?.identity });
    expect(allowed.body).toMatchObject({ external: { changes_allowed: true } });
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, namespace: default}\n';
    expect((await send('POST', `${OF}/resources/apply`, { yaml })).status).toBe(200);
    expectError(await send('POST', `${OF}/stop`), 409, 'cluster_external');
    expect((await change({ changes_allowed: false })).body).toMatchObject({
      external: { changes_allowed: false },
    });
    expectError(await send('POST', `${OF}/resources/apply`, { yaml }), 403, 'changes_off');
    expect(await recorded()).toEqual(expect.arrayContaining(['external-changes-on', 'external-changes-off']));
  });

  it('turns changes off, and says so, when the context leads elsewhere; a renewed certificate does not', async () => {
    await change({ changes_allowed: true, identity: (await prod()).external?.identity });
    await writeFile(file('one'), kubeconfig(['k3d-prod', 'shared'], clientCertificate()));
    expect((await prod()).external).toMatchObject({ changes_allowed: true, notice: null });
    await writeFile(file('one'), kubeconfig(['k3d-prod', 'shared'], { ...clientCertificate(), as: 'bob' }));
    const moved = await app.client.until<ClusterDto>(
      OF,
      ({ external }) => (external?.notice ?? null) !== null,
    );
    expect(moved.external).toMatchObject({
      changes_allowed: false,
      notice: expect.stringMatching(/leads to another server, .* Changes were turned off\.$/),
    });
    await writeFile(file('one'), kubeconfig(['k3d-prod', 'shared']));
  });

  it('says since when and why it is not reachable, and tries again on request', async () => {
    await app.client.until<ClusterDto>(OF, ({ state }) => state === 'running');
    await api.goAway();
    const gone = await send('POST', `${EXTERNAL}/prod/check`);
    expect(gone.body).toMatchObject({
      state: 'unknown',
      state_reason: expect.stringContaining('connection refused'),
      state_since: expect.any(String),
    });
    expectError(await send('GET', `${OF}/resources/core/v1/pods`), 503, 'cluster_unreachable');
    await api.comeBack();
    expect((await send('POST', `${EXTERNAL}/prod/check`)).body).toMatchObject({ state: 'running' });
  });

  it('shows a context that disappeared as missing with the reason', async () => {
    await writeFile(file('one'), kubeconfig(['shared']));
    const missing = await app.client.until<ClusterDto>(OF, ({ state }) => state === 'missing');
    expect(missing.state_reason).toBe(`Context k3d-prod is no longer in ${file('one')}`);
    await writeFile(file('one'), kubeconfig(['k3d-prod', 'shared']));
    await app.client.until<ClusterDto>(OF, ({ state }) => state === 'running');
  });

  it('keeps a pasted kubeconfig encrypted, and accepts inline data only', async () => {
    const pasted = await send('POST', EXTERNAL, { kubeconfig: kubeconfig(['pasted']) });
    expect(pasted.body).toMatchObject({ name: 'pasted', state: 'running', external: { file: null } });
    const refused = kubeconfig(['other'], { tokenFile: '/etc/shadow' });
    const { message } = expectError(
      await send('POST', EXTERNAL, { kubeconfig: refused }),
      422,
      'kubeconfig_unusable',
    );
    expect(message).toContain('kubectl config view --raw --flatten');
    const program = kubeconfig(['other'], {
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'id', interactiveMode: 'Never' },
    });
    expectError(await send('POST', EXTERNAL, { kubeconfig: program }), 422, 'kubeconfig_unusable');
    expect((await send('DELETE', `${EXTERNAL}/pasted`)).body).toEqual({ name: 'pasted', removed: true });
  });

  it('accepts a kubeconfig with many contexts, as a file and pasted', async () => {
    const many = kubeconfig(Array.from({ length: 500 }, (_, index) => `many-${index}`));
    await writeFile(file('two'), many);
    const { contexts, problems } = await app.client.get<ContextsDto>(`${EXTERNAL}/contexts`);
    expect(contexts.filter(({ file: from }) => from === file('two'))).toHaveLength(500);
    expect(problems.map(({ file: from }) => from)).toEqual([file('broken')]);
    for (const request of [{ file: file('two') }, { kubeconfig: many }]) {
      const added = await send('POST', EXTERNAL, { ...request, context: 'many-499', name: 'many' });
      expect([added.status, added.body]).toMatchObject([201, { state: 'running' }]);
      await send('DELETE', `${EXTERNAL}/many`);
    }
  });

  it('runs a plugin after consent to exactly this command, and needs consent again when it changes', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: api.client.certificate, clientKeyData: api.client.key },
    };
    const plugin = file('plugin');
    await writeFile(file('credential.json'), JSON.stringify(credential));
    await writeFile(plugin, `#!/bin/sh\necho "$1" >> ${file('calls')}\ncat ${file('credential.json')}\n`);
    await chmod(plugin, 0o755);
    const exec = (argument: string): object => ({
      exec: {
        apiVersion: credential.apiVersion,
        command: './plugin',
        args: [argument],
        interactiveMode: 'Never',
      },
    });
    await writeFile(file('two'), kubeconfig(['plugged'], exec('token-1'), api.address, 'd'));
    const added = await send('POST', EXTERNAL, { context: 'plugged' });
    expect(added.body).toMatchObject({ state: 'unknown', external: { needs_consent: true } });
    expect(added.text).not.toContain('token-1');
    const details = await app.client.get<ExternalClusterDetailsDto>(`${EXTERNAL}/plugged`);
    expect(details.plugin).toMatchObject({
      command: './plugin',
      path: plugin,
      args: ['token-1'],
      allowed: false,
    });
    expectError(
      await send('POST', `${EXTERNAL}/plugged/consent`, { fingerprint: 'other' }),
      412,
      'precondition_failed',
    );
    const consented = await send('POST', `${EXTERNAL}/plugged/consent`, {
      fingerprint: details.plugin?.fingerprint,
    });
    expect(consented.body).toMatchObject({ state: 'running', external: { needs_consent: false } });
    await writeFile(file('two'), kubeconfig(['plugged'], exec('token-2'), api.address, 'd'));
    const again = await app.client.until<ClusterDto>(
      '/api/v1/clusters/plugged',
      ({ external, state_reason }) =>
        external?.needs_consent === true && state_reason !== 'Slipway has not connected to it yet',
    );
    expect(again.state_reason).toContain('allowed exactly this command');
    expectError(
      await send('GET', '/api/v1/clusters/plugged/resources/core/v1/pods'),
      503,
      'cluster_unreachable',
    );
    await send('DELETE', `${EXTERNAL}/plugged`);
  });

  it('stores the lines of chosen Pods only, and deletes them on request', async () => {
    const stored = async (): Promise<LogSourceDto[]> =>
      (await app.client.get<LogSourceDto[]>('/api/v1/logs/sources')).filter(
        ({ runtime }) => runtime === 'kubeconfig',
      );
    expect(await stored()).toEqual([]);
    const scope = '?namespace=kube-system&selector=k8s-app=kube-dns';
    const estimate = await app.client.get<HistoryEstimateDto>(`${EXTERNAL}/prod/history-estimate${scope}`);
    expect(estimate.containers).toBeGreaterThan(0);
    expect(estimate.sampled).toBe(estimate.containers);
    expect((await change({ history: [{ namespace: 'kube-system' }] })).body).toMatchObject({
      external: { history: [{ namespace: 'kube-system', selector: null }] },
    });
    await waitFor(async () => (await stored()).length > 3, 'sources of the namespace');
    expect(
      new Set((await stored()).map(({ cluster, namespace }) => `${cluster ?? ''}/${namespace ?? ''}`)),
    ).toEqual(new Set(['prod/kube-system']));
    await change({ history: [] });
    await waitFor(
      async () => (await stored()).every(({ state }) => state === 'gone'),
      'the end of the watch',
    );
    expect((await send('DELETE', `${EXTERNAL}/prod?logs=true`)).status).toBe(200);
    await waitFor(async () => (await stored()).length === 0, 'the lines to be deleted');
    await send('POST', EXTERNAL, { context: 'k3d-prod', name: 'prod' });
  });

  it('removes it from Slipway only', async () => {
    expect((await send('DELETE', `${EXTERNAL}/prod`)).status).toBe(200);
    expectError(await send('GET', OF), 404, 'cluster_not_found');
    expectError(await send('DELETE', `${EXTERNAL}/prod`), 404, 'cluster_not_found');
    const { contexts } = await app.client.get<ContextsDto>(`${EXTERNAL}/contexts`);
    expect(contexts[0]).toMatchObject({ context: 'k3d-prod', added_as: null });
  });
});
