import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import {
  clusterOf,
  createCluster,
  jobEnded,
  journalOf,
  savedMeta,
  requestCluster,
  stepRuns,
  submit,
} from '../support/app/clusters.js';
import { startApp, startAppAgain, type AppOptions, type TestApp } from '../support/app/start-app.js';

/** The job that changed nothing. */
const LAST = expect.objectContaining({ kind: expect.any(String) as unknown }) as unknown;

describe('POST /clusters/{name}/recreate', () => {
  const apps: TestApp[] = [];

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  const start = async (options: AppOptions = {}): Promise<TestApp> => {
    const app = await startApp(options);
    apps.push(app);
    return app;
  };

  const restart = async (...options: Parameters<typeof startAppAgain>): Promise<TestApp> => {
    const app = await startAppAgain(...options);
    apps.push(app);
    return app;
  };

  const recreate = async ({ client }: TestApp, name: string, body?: unknown): Promise<number> =>
    await submit(client, `/api/v1/clusters/${name}/recreate`, body);

  const configFile = (app: TestApp, name: string): string =>
    join(app.dataDirectory, 'clusters', name, 'cluster.yaml');

  const editConfig = (app: TestApp, name: string, edit: (text: string) => string): void =>
    writeFileSync(configFile(app, name), edit(readFileSync(configFile(app, name), 'utf8')));

  const lastEntry = async ({ client }: TestApp, cluster: string): Promise<JournalEntry | undefined> =>
    (await journalOf(client, `?cluster=${cluster}`))[0];

  const metaOf = (app: TestApp, name: string): Record<string, unknown> => savedMeta(app.dataDirectory, name);

  it('reports losses, and recreates the cluster from its saved config', async () => {
    const app = await start();
    await createCluster(app.client, 'again', { workers: 1 });
    const before = await clusterOf(app.client, 'again');
    editConfig(
      app,
      'again',
      (text) => `${text}  - role: worker\n    image: docker.io/kindest/node:v1.34.4\n`,
    );

    const check = await app.client.get('/api/v1/clusters/again/recreate/check');
    const summary = expect.stringMatching(
      /^Lost with the old nodes: 2 containers and 2 volumes, \d+ Pods and 1 volume claim, and all data in them\.$/,
    ) as unknown;
    expect(check).toMatchObject({
      acceptable: true,
      problems: [],
      losses: {
        containers: ['again-control-plane', 'again-worker'],
        volumes: [expect.any(String), expect.any(String)],
        summary,
      },
      becomes: { control_planes: 1, workers: 2, node_image_tag: 'v1.34.4' },
    });
    const now = await clusterOf(app.client, 'again');
    // These may have been counted meanwhile.
    const { pods, problems, needs_attention } = now;
    expect(now).toEqual({ ...before, pods, problems, needs_attention });

    const answer = await app.client.send('POST', '/api/v1/clusters/again/recreate');
    expect(answer.status).toBe(202);
    const { job_id: id } = answer.body as { job_id: number };
    expect(answer.headers.location).toBe(`/api/v1/jobs/${id}`);
    const job = await jobEnded(app.client, id);
    expect(job).toMatchObject({ kind: 'recreate', state: 'succeeded', warnings: [], progress_percent: 100 });
    // Checks and the pull come before the removal.
    expect(job.progress_steps.map(({ name }) => name).slice(0, 4)).toEqual([
      'checks',
      'node-image',
      'removing-old-nodes',
      'ensuring-node-image',
    ]);
    expect(job.progress_log).toContainEqual(expect.objectContaining({ kind: 'warning', text: summary }));
    expect(job.result).toMatchObject({ removed: { containers: ['again-control-plane', 'again-worker'] } });

    const after = await clusterOf(app.client, 'again');
    expect(after).toMatchObject({ state: 'running', workers: 2, config_changed: false, active_job_id: null });
    expect(after.nodes.map(({ address }) => address)).not.toContain(before.nodes[0]?.address);
    expect(metaOf(app, 'again')).toMatchObject({ creation: 'created', workers: 2, control_planes: 1 });
    const [entry] = await journalOf(app.client, '?kind=recreate');
    expect(entry).toMatchObject({
      outcome: 'succeeded',
      message:
        'Recreated again with 1 control plane and 2 workers of v1.34.4 on demo after removing 2 containers and 2 volumes.',
    });
    const log = await app.client.get('/api/v1/clusters/again/provision-log');
    expect(log).toMatchObject({ job_id: id, outcome: 'succeeded' });
  });

  it('has a journal entry with the losses while it runs, and rejects other jobs', async () => {
    const app = await start({ environment: { APP_DEMO_SPEED: '20' } });
    await createCluster(app.client, 'busy');
    const id = await recreate(app, 'busy');
    expect(await lastEntry(app, 'busy')).toMatchObject({
      kind: 'recreate',
      outcome: 'started',
      message: expect.stringContaining('Lost with the old nodes: 1 container and 1 volume'),
    });
    const second = await app.client.send('POST', '/api/v1/clusters/busy/recreate');
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ code: 'cluster_busy', details: { job_id: id } });
    const check = await app.client.get('/api/v1/clusters/busy/recreate/check');
    expect(check).toMatchObject({ acceptable: false, problems: [{ field: 'cluster' }] });
    expect((await jobEnded(app.client, id)).state).toBe('succeeded');
  });

  it('retries a failed creation', async () => {
    const app = await start({ environment: { APP_DEMO_FAILURES: 'create:starting-control-plane' } });
    const first = await jobEnded(app.client, await requestCluster(app.client, 'retried', { workers: 1 }));
    expect(first.state).toBe('failed');
    expect((await app.client.get('/api/v1/clusters/retried/recreate/check'))['losses']).toEqual({
      containers: [],
      volumes: [],
      pods: null,
      volume_claims: null,
      summary: null,
    });
    const config = readFileSync(configFile(app, 'retried'), 'utf8');
    const again = await jobEnded(app.client, await recreate(app, 'retried'));
    expect(again.state).toBe('failed');
    expect(await clusterOf(app.client, 'retried')).toMatchObject({ state: 'failed', nodes: [] });
    expect(readFileSync(configFile(app, 'retried'), 'utf8')).toBe(config);
    expect((await lastEntry(app, 'retried'))?.message).toMatch(
      /^Failed at Starting control-plane: .* The config is kept. Recreate the cluster to try again\.$/,
    );

    const repaired = await restart(app);
    expect((await jobEnded(repaired.client, await recreate(repaired, 'retried'))).state).toBe('succeeded');
    expect(await clusterOf(repaired.client, 'retried')).toMatchObject({
      state: 'running',
      state_reason: null,
      workers: 1,
    });
  });

  it('recreates a cluster whose containers were removed outside Slipway', async () => {
    const app = await start();
    await createCluster(app.client, 'gone');
    const robbed = await restart(app, {}, (folder) => rmSync(join(folder, 'demo.json')));
    expect(await clusterOf(robbed.client, 'gone')).toMatchObject({ state: 'missing' });
    expect((await jobEnded(robbed.client, await recreate(robbed, 'gone'))).state).toBe('succeeded');
    expect(await clusterOf(robbed.client, 'gone')).toMatchObject({ state: 'running' });
  });

  it('reports a node that was removed outside Slipway, which a start cannot restore', async () => {
    const app = await start();
    await createCluster(app.client, 'robbed', { workers: 1 });
    const robbed = await restart(app, {}, (folder) => {
      const file = join(folder, 'demo.json');
      const state = JSON.parse(readFileSync(file, 'utf8')) as { nodes: { name: string }[] };
      const nodes = state.nodes.filter(({ name }) => name !== 'robbed-worker');
      writeFileSync(file, JSON.stringify({ ...state, nodes }));
    });
    const reason =
      'robbed-worker was removed outside Slipway, and only a recreation of the cluster restores it';
    const degraded = { state: 'degraded', state_reason: reason };
    expect(await clusterOf(robbed.client, 'robbed')).toMatchObject(degraded);
    for (const kind of ['start', 'stop', 'start']) {
      const answer = await robbed.client.send('POST', `/api/v1/clusters/robbed/${kind}`);
      const job = await jobEnded(robbed.client, (answer.body as { job_id: number }).job_id);
      expect([job.state, job.warnings]).toEqual(['succeeded', kind === 'start' ? [`${reason}.`] : []]);
    }
    expect(await clusterOf(robbed.client, 'robbed')).toMatchObject(degraded);
    expect((await jobEnded(robbed.client, await recreate(robbed, 'robbed'))).state).toBe('succeeded');
    expect(await clusterOf(robbed.client, 'robbed')).toMatchObject({ state: 'running', workers: 1 });
  });

  it('leaves a failed cluster that can be recreated if it fails after the removal', async () => {
    const app = await start();
    await createCluster(app.client, 'fallen', { workers: 1 });
    const broken = await restart(app, { APP_DEMO_FAILURES: 'create:joining-workers' });
    expect(await clusterOf(broken.client, 'fallen')).toMatchObject({ state: 'running' });
    const job = await jobEnded(broken.client, await recreate(broken, 'fallen'));
    expect(job).toMatchObject({ state: 'failed', error: { code: 'demo_failure' } });
    const cluster = await clusterOf(broken.client, 'fallen');
    expect(cluster).toMatchObject({ state: 'failed', nodes: [], nodes_kept: false });
    expect(cluster.state_reason).toContain('Joining worker nodes');
    const repaired = await restart(broken);
    expect((await jobEnded(repaired.client, await recreate(repaired, 'fallen'))).state).toBe('succeeded');
    expect(await clusterOf(repaired.client, 'fallen')).toMatchObject({ state: 'running', workers: 1 });
  });

  it('keeps failed nodes with keep_on_failure, and replaces them the next time', async () => {
    const app = await start({ environment: { APP_DEMO_FAILURES: 'create:joining-workers' } });
    await jobEnded(app.client, await requestCluster(app.client, 'kept', { workers: 1 }));
    const job = await jobEnded(app.client, await recreate(app, 'kept', { keep_on_failure: true }));
    expect(job.state).toBe('failed');
    expect(await clusterOf(app.client, 'kept')).toMatchObject({ state: 'failed', nodes_kept: true });
    const check = await app.client.get('/api/v1/clusters/kept/recreate/check');
    expect(check['losses']).toMatchObject({ containers: ['kept-control-plane', 'kept-worker'] });
    const repaired = await restart(app);
    expect((await jobEnded(repaired.client, await recreate(repaired, 'kept'))).state).toBe('succeeded');
    expect(await clusterOf(repaired.client, 'kept')).toMatchObject({ state: 'running', nodes_kept: false });
  });

  describe('with failing checks', () => {
    it('removes nothing if the image cannot be pulled', async () => {
      const app = await start();
      await createCluster(app.client, 'safe');
      const before = await clusterOf(app.client, 'safe');
      editConfig(app, 'safe', (text) => text.replaceAll('v1.34.4', 'v9.9.9'));
      const job = await jobEnded(app.client, await recreate(app, 'safe'));
      expect(job).toMatchObject({ state: 'failed', error: { code: 'image_not_pulled' } });
      expect(await clusterOf(app.client, 'safe')).toEqual({ ...before, last_change: LAST });
      expect((await lastEntry(app, 'safe'))?.message).toMatch(/The cluster is unchanged\.$/);
      // The provision log is still the one of the creation.
      expect(await app.client.get('/api/v1/clusters/safe/provision-log')).toMatchObject({
        outcome: 'succeeded',
      });
    });

    it('removes nothing if the saved config mounts the data folder', async () => {
      const app = await start();
      await createCluster(app.client, 'mounts');
      const before = await clusterOf(app.client, 'mounts');
      const mount = `    extraMounts:\n      - hostPath: ${app.dataDirectory}\n        containerPath: /data\n`;
      editConfig(
        app,
        'mounts',
        (text) => `${text}  - role: worker\n    image: docker.io/kindest/node:v1.34.4\n${mount}`,
      );
      const answer = await app.client.send('POST', '/api/v1/clusters/mounts/recreate', { body: {} });
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { code: 'config_refused', message: expect.stringContaining('APP_DATA_DIR') },
      ]);
      expect(await clusterOf(app.client, 'mounts')).toEqual(before);
    });

    it('removes nothing if another program uses a port', async () => {
      const other = createServer();
      const own = createServer();
      for (const server of [other, own]) await once(server.listen(0, '127.0.0.1'), 'listening');
      const portOf = (server: typeof own): number => (server.address() as { port: number }).port;
      const ownPort = portOf(own);
      const app = await start();
      try {
        // The demo does not listen on ports, so this test does.
        await new Promise((resolve) => own.close(resolve));
        await createCluster(app.client, 'ports', {
          port_mappings: [{ container_port: 80, host_port: ownPort }],
        });
        await once(own.listen(ownPort, '127.0.0.1'), 'listening');
        const before = await clusterOf(app.client, 'ports');
        expect(await app.client.get('/api/v1/clusters/ports/recreate/check')).toMatchObject({
          acceptable: true,
        });
        expect((await jobEnded(app.client, await recreate(app, 'ports'))).state).toBe('succeeded');
        const between = await clusterOf(app.client, 'ports');
        expect(between.nodes[0]?.address).not.toBe(before.nodes[0]?.address);

        editConfig(app, 'ports', (text) => text.replaceAll(String(ownPort), String(portOf(other))));
        expect(await app.client.get('/api/v1/clusters/ports/recreate/check')).toMatchObject({
          acceptable: false,
          problems: [{ field: 'nodes[0].extraPortMappings[0].hostPort' }],
        });
        const job = await jobEnded(app.client, await recreate(app, 'ports'));
        expect(job).toMatchObject({ state: 'failed', error: { code: 'config_refused' } });
        expect(await clusterOf(app.client, 'ports')).toEqual({ ...between, last_change: LAST });
      } finally {
        other.close();
        own.close();
      }
    });
  });

  describe('when cancelled', () => {
    it('changes nothing during the pull', async () => {
      const app = await start({ environment: { APP_DEMO_SPEED: '20' } });
      await createCluster(app.client, 'spared');
      const before = await clusterOf(app.client, 'spared');
      editConfig(app, 'spared', (text) => text.replaceAll('v1.34.4', 'v1.37.0'));
      const id = await recreate(app, 'spared');
      await stepRuns(app.client, id, 'node-image');
      expect(await clusterOf(app.client, 'spared')).toMatchObject({ state: 'creating', active_job_id: id });
      await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect((await jobEnded(app.client, id)).state).toBe('cancelled');
      expect(await clusterOf(app.client, 'spared')).toEqual({ ...before, last_change: LAST });
      expect((await lastEntry(app, 'spared'))?.message).toBe(
        'Canceled at Node image. The cluster is unchanged.',
      );
    });

    it('keeps config and meta after the removal of the old nodes', async () => {
      const app = await start({ environment: { APP_DEMO_SPEED: '10' } });
      await createCluster(app.client, 'emptied');
      const config = readFileSync(configFile(app, 'emptied'), 'utf8');
      const id = await recreate(app, 'emptied');
      await stepRuns(app.client, id, 'starting-control-plane');
      await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect((await jobEnded(app.client, id)).state).toBe('cancelled');
      expect(await clusterOf(app.client, 'emptied')).toMatchObject({
        state: 'cancelled',
        state_reason: 'canceled at Starting control-plane',
        nodes: [],
      });
      expect((await lastEntry(app, 'emptied'))?.message).toMatch(
        /The old nodes were removed before\. emptied has no nodes now\. The config is kept\./,
      );
      expect(readFileSync(configFile(app, 'emptied'), 'utf8')).toBe(config);
      expect((await jobEnded(app.client, await recreate(app, 'emptied'))).state).toBe('succeeded');
      expect(await clusterOf(app.client, 'emptied')).toMatchObject({ state: 'running' });
    });
  });

  describe('is rejected without a job', () => {
    it('for an adopted cluster without a config, with a remedy', async () => {
      const made = await start();
      await createCluster(made.client, 'foreign');
      const app = await restart(made, {}, (folder) =>
        rmSync(join(folder, 'clusters/foreign'), { recursive: true }),
      );
      expect(await clusterOf(app.client, 'foreign')).toMatchObject({ origin: 'adopted', state: 'running' });
      const answer = await app.client.send('POST', '/api/v1/clusters/foreign/recreate');
      expect(answer.status).toBe(409);
      const { code, message } = answer.body as ErrorResponse;
      expect(code).toBe('cluster_state');
      expect(message).toContain('save it first');
      expect(await app.client.get('/api/v1/clusters/foreign/recreate/check')).toMatchObject({
        acceptable: false,
        problems: [{ field: 'config', problem: message }],
        losses: { containers: ['foreign-control-plane'] },
        becomes: null,
      });
    });

    it('for an invalid config, with the positions', async () => {
      const app = await start();
      await createCluster(app.client, 'bent');
      editConfig(app, 'bent', (text) => text.replace('role: control-plane', 'role: master'));
      const answer = await app.client.send('POST', '/api/v1/clusters/bent/recreate');
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'config_refused', details: [{ path: 'nodes[0].role' }] });
      const check = await app.client.get('/api/v1/clusters/bent/recreate/check');
      expect(check).toMatchObject({ acceptable: false, problems: [{ field: 'nodes[0].role' }] });
      expect(await clusterOf(app.client, 'bent')).toMatchObject({ state: 'running', active_job_id: null });
    });

    it('for a missing cluster and an invalid body', async () => {
      const app = await start();
      expect((await app.client.send('POST', '/api/v1/clusters/missing/recreate')).status).toBe(404);
      expect((await app.client.send('GET', '/api/v1/clusters/missing/recreate/check')).status).toBe(404);
      await createCluster(app.client, 'strict');
      for (const body of [{ keep_on_failure: 'yes' }, { force: true }]) {
        const answer = await app.client.send('POST', '/api/v1/clusters/strict/recreate', { body });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ code: 'invalid_input' });
      }
      expect(await clusterOf(app.client, 'strict')).toMatchObject({ active_job_id: null });
    });
  });
});
