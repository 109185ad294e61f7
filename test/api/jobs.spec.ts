import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobDto, JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** The predictions while a cluster is created. */
async function leftDuring({ client }: TestApp, name: string): Promise<number[]> {
  const id = await requestCluster(client, name);
  const left: number[] = [];
  await client.until<JobDto>(`/api/v1/jobs/${id}`, ({ seconds_left: seconds, finished_at: finished }) => {
    if (seconds !== null) left.push(seconds);
    return finished !== null;
  });
  return left;
}

describe('GET and DELETE /jobs', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it('lists jobs newest first, without their logs', async () => {
    await createCluster(app.client, 'one');
    await createCluster(app.client, 'two');
    const jobs = await app.client.get<JobDto[]>('/api/v1/jobs');
    expect(jobs.map(({ cluster }) => cluster)).toEqual(['two', 'one']);
    for (const job of jobs) expect(job).not.toHaveProperty('progress_log');
  });

  it('predicts the time left of a creation from an earlier one, never backwards', async () => {
    const slow = await startApp({ environment: { APP_DEMO_SPEED: '10' } });
    try {
      expect(await leftDuring(slow, 'first')).toEqual([]);
      const left = await leftDuring(slow, 'second');
      expect(left.length).toBeGreaterThan(3);
      expect(left).toEqual([...left].sort((one, other) => other - one));
      expect((await slow.client.get<JobDto[]>('/api/v1/jobs'))[0]).toMatchObject({ seconds_left: null });
    } finally {
      await slow.stop();
    }
  });

  it('returns a job with its log after log_after', async () => {
    const [newest] = await app.client.get<JobDto[]>('/api/v1/jobs');
    const full = await app.client.get<JobWithLogDto>(`/api/v1/jobs/${newest?.id}`);
    const sequences = full.progress_log.map(({ sequence }) => sequence);
    expect(sequences.length).toBeGreaterThan(10);
    expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
    const after = sequences[9] ?? 0;
    const rest = await app.client.get<JobWithLogDto>(`/api/v1/jobs/${newest?.id}?log_after=${after}`);
    expect(rest.progress_log).toEqual(full.progress_log.slice(10));
    const none = await app.client.get<JobWithLogDto>(`/api/v1/jobs/${newest?.id}?log_after=999999`);
    expect(none.progress_log).toEqual([]);
  });

  it('returns a job with its progress in fields that start with progress_', async () => {
    const [newest] = await app.client.get<JobDto[]>('/api/v1/jobs');
    const job = await app.client.get<object>(`/api/v1/jobs/${newest?.id}`);
    expect(Object.keys(job).filter((field) => field.startsWith('progress_'))).toEqual(
      expect.arrayContaining(['progress_percent', 'progress_step', 'progress_steps', 'progress_log']),
    );
  });

  it.each(['-1', '1.5', 'x', '', '1&log_after=2', '9007199254740993000'])(
    'rejects log_after=%s',
    async (value) => {
      const response = await app.client.send('GET', `/api/v1/jobs/1?log_after=${value}`);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: 'invalid_input', details: [{ field: 'log_after' }] });
    },
  );

  it.each(['0', '-1', '1.5', 'x', '1e3', '999999', '99999999999999999999', '%00'])(
    'returns job_not_found for the id %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', `/api/v1/jobs/${id}`],
        ['POST', `/api/v1/jobs/${id}/cancel`],
      ] as const) {
        const response = await app.client.send(method, path);
        expect(response.status).toBe(404);
        expect(response.body).toMatchObject({ code: 'job_not_found' });
      }
    },
  );

  it('rejects cancelling an ended job with job_ended', async () => {
    const response = await app.client.send('POST', '/api/v1/jobs/1/cancel');
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'job_ended', details: { job_id: 1, state: 'succeeded' } });
  });

  it('deletes ended jobs and keeps their journal entries', async () => {
    const response = await app.client.send('DELETE', '/api/v1/jobs');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ cleared: 2 });
    expect(await app.client.get('/api/v1/jobs')).toEqual([]);
    expect((await app.client.send('GET', '/api/v1/jobs/1')).status).toBe(404);
    expect((await app.client.get<{ total: number }>('/api/v1/journal/recent')).total).toBe(2);
    expect((await app.client.send('DELETE', '/api/v1/jobs')).body).toEqual({ cleared: 0 });
  });
});

describe('a running job', () => {
  let app: TestApp;

  beforeAll(async () => {
    // Slow enough to observe: the pull alone takes seconds.
    app = await startApp({ environment: { APP_DEMO_SPEED: '4', APP_JOBS: '1' } });
  });

  afterAll(() => app.stop());

  it('reports pulled bytes and a percentage that never decreases', async () => {
    const id = await requestCluster(app.client, 'pulling', { node_image_tag: 'v1.36.1' });
    const percentages: number[] = [];
    const details = new Set<string>();
    await app.client.until<JobWithLogDto>(`/api/v1/jobs/${id}`, (job) => {
      percentages.push(job.progress_percent);
      const step = job.progress_steps.find(({ name }) => name === 'node-image');
      if (step?.detail) details.add(step.detail);
      return details.size >= 5;
    });
    expect(percentages).toEqual([...percentages].sort((one, other) => one - other));
    expect([...details].every((detail) => /^\d+ of 1389 MB, \d of 4 layers$/.test(detail))).toBe(true);
    const cluster = await app.client.get<{ state: string; active_job_id: number }>(
      '/api/v1/clusters/pulling',
    );
    expect(cluster).toMatchObject({ state: 'creating', active_job_id: id });
  });

  it('queues jobs beyond APP_JOBS and shows that on their clusters', async () => {
    const id = await requestCluster(app.client, 'waiting');
    const job = await app.client.get<JobDto>(`/api/v1/jobs/${id}`);
    expect(job).toMatchObject({ state: 'queued', progress_percent: 0, started_at: null });
    expect(await app.client.get('/api/v1/clusters/waiting')).toMatchObject({
      state: 'creating',
      state_reason: 'queued',
    });
    // A cancelled queued job only leaves its journal entry.
    const response = await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    expect(response.status).toBe(202);
    expect(await jobEnded(app.client, id)).toMatchObject({ state: 'cancelled', started_at: null });
    expect((await app.client.send('GET', '/api/v1/clusters/waiting')).status).toBe(404);
  });

  it('is not deleted by DELETE /jobs', async () => {
    expect((await app.client.send('DELETE', '/api/v1/jobs')).body).toEqual({ cleared: 1 });
    expect(await app.client.get<JobDto[]>('/api/v1/jobs')).toHaveLength(1);
  });

  it('rejects other changes of its cluster with cluster_busy', async () => {
    const [job] = await app.client.get<JobDto[]>('/api/v1/jobs');
    for (const [method, path, body] of [
      ['DELETE', '/api/v1/clusters/pulling', undefined],
      ['POST', '/api/v1/clusters', { name: 'pulling', workers: 0, node_image_tag: 'v1.34.4' }],
    ] as const) {
      const response = await app.client.send(method, path, { body });
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ code: 'cluster_busy', details: { job_id: job?.id } });
    }
    const kubeconfig = await app.client.send('GET', '/api/v1/clusters/pulling/kubeconfig');
    expect(kubeconfig.status).toBe(409);
    expect(kubeconfig.body).toMatchObject({ code: 'cluster_state' });
    expect(await app.client.get('/api/v1/clusters/pulling/provision-log')).toMatchObject({
      job_id: job?.id,
      outcome: 'running',
      finished_at: null,
    });
  });

  it('leaves nothing when cancelled, even twice', async () => {
    const [job] = await app.client.get<JobDto[]>('/api/v1/jobs');
    const id = job?.id ?? 0;
    const first = await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    const second = await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    expect(first.status).toBe(202);
    expect(first.body).toMatchObject({ id, cancelled: true });
    // The job may already have ended.
    expect([202, 409]).toContain(second.status);
    expect(await jobEnded(app.client, id)).toMatchObject({ state: 'cancelled', cancelling: false });
    expect(await app.client.get('/api/v1/clusters')).toEqual([]);
    expect(readdirSync(join(app.dataDirectory, 'clusters'))).toEqual([]);
    const { entries } = await app.client.get<{ entries: { outcome: string; job_id: number }[] }>(
      '/api/v1/journal/recent?cluster=pulling',
    );
    expect(entries).toMatchObject([{ outcome: 'cancelled', job_id: id }]);
  });

  it('reports the removed nodes when cancelled while creating them', async () => {
    const id = await requestCluster(app.client, 'middle', { workers: 1 });
    await app.client.until<{ nodes: unknown[] }>(
      '/api/v1/clusters/middle',
      ({ nodes }) => nodes.length === 2,
    );
    await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    await jobEnded(app.client, id);
    const { entries } = await app.client.get<{ entries: { message: string }[] }>(
      '/api/v1/journal/recent?cluster=middle',
    );
    expect(entries[0]?.message).toMatch(/^Canceled at .* Removed 2 containers and 2 volumes\.$/);
    expect(await app.client.get('/api/v1/clusters')).toEqual([]);
  });
});
