import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, submit } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

type Kind = 'start' | 'stop' | 'pause' | 'unpause';

describe('start, stop, pause and unpause', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'life', { workers: 2 });
  });

  afterAll(() => app.stop());

  const ask = async (kind: Kind, name = 'life'): Promise<JobWithLogDto> => {
    const answer = await app.client.send('POST', `/api/v1/clusters/${name}/${kind}`);
    const { job_id: id } = answer.body as { job_id: number };
    expect([answer.status, answer.headers.location]).toEqual([202, `/api/v1/jobs/${id}`]);
    expect(answer.body).toEqual({ job_id: id, cluster: name, status_url: `/api/v1/jobs/${id}` });
    return await jobEnded(app.client, id);
  };
  const lastEntry = async (): Promise<unknown> => {
    const { entries } = await app.client.get<{ entries: unknown[] }>('/api/v1/journal/recent?limit=1');
    return entries[0];
  };

  it('stop ends all nodes', async () => {
    const job = await ask('stop');
    expect(job).toMatchObject({ kind: 'stop', state: 'succeeded', progress_percent: 100, warnings: [] });
    expect(job.result).toEqual({ stopped: ['life-worker', 'life-worker2', 'life-control-plane'] });
    const cluster = await clusterOf(app.client, 'life');
    expect(cluster).toMatchObject({ state: 'stopped', state_reason: null, stopped_unexpectedly: false });
    expect(cluster.nodes.map(({ state }) => state)).toEqual(['exited', 'exited', 'exited']);
    expect(await lastEntry()).toMatchObject({
      kind: 'stop',
      outcome: 'succeeded',
      message: 'Stopped 3 nodes of life on demo.',
    });
  });

  it('stop of a stopped cluster succeeds immediately', async () => {
    const job = await ask('stop');
    expect(job).toMatchObject({ state: 'succeeded', result: { stopped: [] } });
    expect(await lastEntry()).toMatchObject({ message: 'life was already stopped.' });
  });

  it('start starts the nodes in order, and waits until they are ready', async () => {
    const job = await ask('start');
    expect(job).toMatchObject({ kind: 'start', state: 'succeeded', warnings: [] });
    expect(job.progress_steps.map(({ name, state }) => [name, state])).toEqual([
      ['checks', 'succeeded'],
      ['starting-nodes', 'succeeded'],
      ['ready', 'succeeded'],
    ]);
    const started = job.progress_log.map(({ text }) => text).filter((text) => /^Started life-/.test(text));
    expect(started).toEqual(['Started life-control-plane', 'Started life-worker', 'Started life-worker2']);
    expect(await clusterOf(app.client, 'life')).toMatchObject({ state: 'running', state_reason: null });
    expect(await lastEntry()).toMatchObject({ message: 'Started 3 nodes of life on demo.' });
  });

  it('start of a running cluster succeeds immediately', async () => {
    const job = await ask('start');
    expect(job.progress_steps.map(({ state }) => state)).toEqual(['succeeded', 'skipped', 'skipped']);
    expect(await lastEntry()).toMatchObject({ outcome: 'succeeded', message: 'life was already running.' });
  });

  it('pause and unpause keep the nodes', async () => {
    const began = Date.now();
    expect(await ask('pause')).toMatchObject({ kind: 'pause', state: 'succeeded' });
    const paused = await clusterOf(app.client, 'life');
    expect(paused.state).toBe('paused');
    expect(Date.parse(paused.state_since ?? '')).toBeGreaterThanOrEqual(began);
    expect(await lastEntry()).toMatchObject({ message: 'Paused 3 nodes of life.' });
    expect(await ask('pause')).toMatchObject({ state: 'succeeded', result: { changed: [] } });
    expect(await ask('unpause')).toMatchObject({ kind: 'unpause', state: 'succeeded' });
    const resumed = await clusterOf(app.client, 'life');
    expect(resumed.state).toBe('running');
    expect(Date.parse(resumed.state_since ?? '')).toBeGreaterThan(Date.parse(paused.state_since ?? ''));
    expect(await ask('unpause')).toMatchObject({ state: 'succeeded', result: { changed: [] } });
    expect(await lastEntry()).toMatchObject({ message: 'life was not paused.' });
  });

  it('stop works on a paused cluster', async () => {
    await ask('pause');
    expect(await ask('stop')).toMatchObject({ state: 'succeeded' });
    expect(await clusterOf(app.client, 'life')).toMatchObject({ state: 'stopped' });
  });

  it.each<[Kind, 'stopped' | 'paused', string]>([
    ['pause', 'stopped', 'life is stopped, and cannot be paused. Start it.'],
    ['unpause', 'stopped', 'life is stopped, and cannot be unpaused. Start it.'],
    ['start', 'paused', 'life is paused, and cannot be started. Unpause it.'],
  ])('%s of a %s cluster fails with cluster_state and a remedy', async (kind, state, message) => {
    if ((await clusterOf(app.client, 'life')).state !== state) {
      await ask('start');
      await ask('pause');
    }
    const answer = await app.client.send('POST', `/api/v1/clusters/life/${kind}`);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'cluster_state', message, details: { state } });
  });

  it.each(['start', 'stop', 'pause', 'unpause'] as const)(
    '%s of a missing cluster returns 404',
    async (kind) => {
      const answer = await app.client.send('POST', `/api/v1/clusters/missing/${kind}`);
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([404, 'cluster_not_found']);
    },
  );
});

describe('start and stop with a failing engine', () => {
  const broken = async (failures: string, test: (app: TestApp) => Promise<void>): Promise<void> => {
    const app = await startApp({ environment: { APP_DEMO_FAILURES: failures } });
    try {
      await createCluster(app.client, 'ill', { workers: 1 });
      await test(app);
    } finally {
      await app.stop();
    }
  };
  const run = async ({ client }: TestApp, kind: Kind): Promise<JobWithLogDto> =>
    await jobEnded(client, await submit(client, `/api/v1/clusters/ill/${kind}`));
  const states = async ({ client }: TestApp): Promise<Record<string, string>> =>
    Object.fromEntries((await clusterOf(client, 'ill')).nodes.map(({ name, state }) => [name, state]));
  const lastMessage = async ({ client }: TestApp): Promise<string> =>
    (await client.get<{ entries: { message: string }[] }>('/api/v1/journal/recent?limit=1')).entries[0]
      ?.message ?? '';

  it('start fails if no node starts, with the reason of each', async () => {
    await broken('start', async (app) => {
      await run(app, 'stop');
      const job = await run(app, 'start');
      expect(job).toMatchObject({ state: 'failed', error: { code: 'cluster_unreachable' } });
      expect(await states(app)).toEqual({ 'ill-control-plane': 'exited', 'ill-worker': 'exited' });
      expect(await lastMessage(app)).toMatch(/^Failed at .*APP_DEMO_FAILURES lists start:control-plane/);
    });
  });

  it('start leaves the cluster degraded if a worker does not start', async () => {
    await broken('start:worker', async (app) => {
      await run(app, 'stop');
      const job = await run(app, 'start');
      expect(job).toMatchObject({ state: 'succeeded', result: { started: ['ill-control-plane'] } });
      const cluster = await clusterOf(app.client, 'ill');
      expect(cluster).toMatchObject({ state: 'degraded' });
      expect(cluster.state_reason).toContain('ill-worker');
      expect(await states(app)).toEqual({ 'ill-control-plane': 'running', 'ill-worker': 'exited' });
      expect(await lastMessage(app)).toMatch(/^Started \S+ on demo, but it is degraded: .*start:worker/);
    });
  });

  it('stop fails if the nodes do not end, and the cluster stays running', async () => {
    await broken('stop', async (app) => {
      const job = await run(app, 'stop');
      expect(job).toMatchObject({ state: 'failed', error: { code: 'node_unchanged' } });
      expect(await clusterOf(app.client, 'ill')).toMatchObject({ state: 'running', state_reason: null });
      expect(await states(app)).toEqual({ 'ill-control-plane': 'running', 'ill-worker': 'running' });
      expect(await lastMessage(app)).toMatch(/^Failed at .*APP_DEMO_FAILURES lists stop:worker/);
    });
  });
});
