import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, requestCluster, clusterSpec } from '../support/app/clusters.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('concurrent requests', () => {
  let app: TestApp;

  afterEach(() => app.stop());

  it('accepts one of ten creations of the same name, and rejects the others with cluster_busy and its job_id', async () => {
    app = await startApp({ environment: { APP_DEMO_SPEED: '20' } });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.client.send('POST', '/api/v1/clusters', { body: clusterSpec('shop') }),
      ),
    );
    const accepted = responses.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    const { job_id: id } = accepted[0]?.body as { job_id: number };
    for (const { status, body } of responses.filter((response) => response !== accepted[0])) {
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'cluster_busy', details: { job_id: id } });
    }
    expect((await jobEnded(app.client, id)).state).toBe('succeeded');
    expect(await app.client.get<JobDto[]>('/api/v1/jobs')).toHaveLength(1);
    expect((await clusterOf(app.client, 'shop')).nodes).toHaveLength(1);
  });

  it('runs jobs one after the other, in order, with APP_JOBS=1', async () => {
    app = await startApp({ environment: { APP_JOBS: '1', APP_DEMO_SPEED: '100' } });
    const ids = [
      await requestCluster(app.client, 'one'),
      await requestCluster(app.client, 'two'),
      await requestCluster(app.client, 'three'),
    ];
    const [, queued] = await app.client.get<JobDto[]>('/api/v1/jobs');
    expect(queued?.state).toBe('queued');
    const jobs = [];
    for (const id of ids) jobs.push(await jobEnded(app.client, id));
    expect(jobs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    for (const [index, job] of jobs.entries()) {
      const before = jobs[index - 1]?.finished_at ?? '';
      expect((job.started_at ?? '') >= before).toBe(true);
    }
  });

  it('runs two jobs at a time with APP_JOBS=2', async () => {
    app = await startApp({ environment: { APP_JOBS: '2', APP_DEMO_SPEED: '20' } });
    const ids = [await requestCluster(app.client, 'one'), await requestCluster(app.client, 'two')];
    await app.client.until<JobDto[]>('/api/v1/jobs', (jobs) =>
      jobs.every(({ state }) => state === 'running'),
    );
    for (const id of ids) expect((await jobEnded(app.client, id)).state).toBe('succeeded');
  });

  it('deletes a cluster once, and answers other deletions with cluster_busy or cluster_not_found', async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => app.client.send('DELETE', '/api/v1/clusters/shop')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response.status !== 200)) {
      expect([`${status} ${(body as ErrorResponse).code}`]).toEqual([
        expect.stringMatching(/^(409 cluster_busy|404 cluster_not_found)$/),
      ]);
    }
    expect(await app.client.get('/api/v1/clusters')).toEqual([]);
  });

  it('never overlaps deletions and creations of the same name', async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
    const responses: ApiResponse[] = [];
    for (let round = 0; round < 6; round += 1) {
      responses.push(
        ...(await Promise.all([
          app.client.send('DELETE', '/api/v1/clusters/shop'),
          app.client.send('POST', '/api/v1/clusters', { body: clusterSpec('shop') }),
          app.client.send('DELETE', '/api/v1/clusters/shop'),
        ])),
      );
    }
    expect(responses.every(({ status }) => [200, 202, 404, 409].includes(status))).toBe(true);
    await app.client.until<JobDto[]>('/api/v1/jobs', (jobs) => jobs.every(({ finished_at }) => finished_at));
    const jobs = await app.client.get<JobDto[]>('/api/v1/jobs');
    expect(jobs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
    // No two jobs of one cluster overlap.
    const spans = jobs
      .map(({ started_at, finished_at }) => [started_at ?? '', finished_at ?? ''] as const)
      .sort();
    for (const [index, [from]] of spans.entries()) expect(from >= (spans[index - 1]?.[1] ?? '')).toBe(true);
    const clusters = await app.client.get<{ state: string; nodes: unknown[] }[]>('/api/v1/clusters');
    for (const cluster of clusters) expect([cluster.state, cluster.nodes.length]).toEqual(['running', 1]);
  });
});
