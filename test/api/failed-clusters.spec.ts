import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('a cluster after a failed creation', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_DEMO_FAILURES: 'create:starting-control-plane' } });
  });

  afterAll(() => app.stop());

  it('is rolled back, and keeps config, meta and log', async () => {
    const job = await jobEnded(app.client, await requestCluster(app.client, 'broken', { workers: 1 }));
    expect(job).toMatchObject({ state: 'failed', error: { code: 'demo_failure' } });
    expect(job.progress_percent).toBeLessThan(100);
    expect(job.progress_steps.find(({ name }) => name === 'starting-control-plane')?.state).toBe('failed');
    expect(job.progress_steps.at(-1)?.state).toBe('pending');
    const cluster = await clusterOf(app.client, 'broken');
    expect(cluster).toMatchObject({ state: 'failed', nodes: [], nodes_kept: false });
    expect(cluster.state_reason).toContain('Starting control-plane');
    expect(readdirSync(join(app.dataDirectory, 'clusters/broken')).sort()).toEqual([
      'cluster.yaml',
      'meta.json',
      'provision_log.json',
    ]);
    const log = await app.client.get<{ outcome: string }>('/api/v1/clusters/broken/provision-log');
    expect(log.outcome).toBe('failed');
    const { entries } = await app.client.get<{ entries: { outcome: string; message: string }[] }>(
      '/api/v1/journal/recent',
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ outcome: 'failed' });
    expect(entries[0]?.message).toMatch(/Removed /);
  });

  it('has no kubeconfig and no node logs', async () => {
    const kubeconfig = await app.client.send('GET', '/api/v1/clusters/broken/kubeconfig');
    expect(kubeconfig.status).toBe(404);
    expect(kubeconfig.body).toMatchObject({ code: 'kubeconfig_not_found' });
    const logs = await app.client.send('GET', '/api/v1/clusters/broken/node-logs');
    expect(logs.status).toBe(404);
    expect(logs.body).toMatchObject({ code: 'logs_not_found' });
  });

  it('can be deleted without containers', async () => {
    const answer = await app.client.send('DELETE', '/api/v1/clusters/broken');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ removed: { containers: [], volumes: [] } });
  });

  it('keeps its nodes and their logs with keep_on_failure', async () => {
    const id = await requestCluster(app.client, 'wreck', { keep_on_failure: true });
    expect((await jobEnded(app.client, id)).state).toBe('failed');
    const cluster = await clusterOf(app.client, 'wreck');
    expect(cluster).toMatchObject({ state: 'failed', nodes_kept: true });
    expect(cluster.nodes).toHaveLength(1);
    expect((await app.client.send('GET', '/api/v1/clusters/wreck/node-logs')).status).toBe(200);
    const deletion = await app.client.send('DELETE', '/api/v1/clusters/wreck');
    expect(deletion.body).toMatchObject({ removed: { containers: ['wreck-control-plane'] } });
  });
});

describe('a failing deletion', () => {
  it('reports the error and keeps the cluster', async () => {
    const app = await startApp({ environment: { APP_DEMO_FAILURES: 'delete' } });
    await createCluster(app.client, 'tough');
    const answer = await app.client.send('DELETE', '/api/v1/clusters/tough');
    expect(answer.body as ErrorResponse).toMatchObject({
      statusCode: 500,
      code: 'cluster_not_deleted',
      message: expect.stringContaining('The demo fails here'),
    });
    expect(await clusterOf(app.client, 'tough')).toMatchObject({ state: 'running', active_job_id: null });
    await app.stop();
  });
});
