import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readProject } from '../../backend/src/core/config/index.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { createCluster, jobEnded, wish } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

interface Kubeconfig {
  clusters: {
    cluster: { server: string; 'tls-server-name'?: string; 'certificate-authority-data'?: string };
  }[];
}

/**
 * The endpoints, errors, limits and versions of the specification, row by row in its order. PUT cluster config, start,
 * stop, cancel and DELETE /jobs are also transitions: spec-table-fields.spec.ts.
 */
describe('the specification', () => {
  let app: TestApp;
  let jobId: number;

  beforeAll(async () => {
    app = await startApp();
    jobId = (await createCluster(app.client, 'one')).id;
  });

  afterAll(() => app.stop());

  const get = <TBody = Record<string, unknown>>(path: string): Promise<TBody> => app.client.get<TBody>(path);

  describe('endpoints', () => {
    it('GET /api/v1/health · nothing · health status', async () => {
      expect(await get('/api/v1/health')).toMatchObject({ status: 'ok' });
    });

    it('GET /api/v1/stats · nothing · stats object', async () => {
      expect(Object.keys(await get('/api/v1/stats'))).toEqual(
        expect.arrayContaining(['cluster_resources', 'container_cli', 'total_workers_from_meta']),
      );
    });

    it('GET /api/v1/journal/recent · limit, default 30, and offset · page of journal entries with total, page, total_pages', async () => {
      expect(await get('/api/v1/journal/recent')).toMatchObject({ limit: 30, offset: 0, page: 1 });
      const page = await get('/api/v1/journal/recent?limit=1&offset=1');
      expect(page).toMatchObject({ limit: 1, offset: 1, page: 2, entries: [] });
      expect([page['total'], page['total_pages']]).toEqual([1, 1]);
    });

    it('GET /api/v1/docs/readme · nothing · the project readme text', async () => {
      const { text } = await app.client.send('GET', '/api/v1/docs/readme');
      expect(text).toBe(readFileSync(join(readProject().root, 'README.md'), 'utf8'));
    });

    it('GET clusters collection · nothing · list of clusters', async () => {
      expect(await get<object[]>('/api/v1/clusters')).toMatchObject([{ name: 'one' }]);
    });

    it('POST clusters collection · name, number of workers, node image tag · a job; create runs from the saved cluster config', async () => {
      const body = { name: 'two', workers: 1, node_image_tag: 'v1.34.4' };
      const answer = await app.client.send('POST', '/api/v1/clusters', { body });
      expect(answer.status).toBe(202);
      // The config is saved before the response.
      const config = readFileSync(join(app.dataDirectory, 'clusters', 'two', 'cluster.yaml'), 'utf8');
      const { job_id: id } = answer.body as { job_id: number };
      expect((await jobEnded(app.client, id)).state).toBe('succeeded');
      const { nodes } = await get<{ nodes: { role: string }[] }>('/api/v1/clusters/two');
      expect(nodes.map(({ role }) => role)).toEqual(
        (parse(config) as { nodes: { role: string }[] }).nodes.map(({ role }) => role),
      );
    });

    it('GET one cluster · nothing · cluster detail', async () => {
      expect(await get('/api/v1/clusters/one')).toMatchObject({ name: 'one', state: 'running' });
    });

    it('DELETE one cluster · nothing · deletion result', async () => {
      const answer = await app.client.send('DELETE', '/api/v1/clusters/two');
      expect([answer.status, answer.body]).toMatchObject([200, { cluster: 'two', deleted: true }]);
    });

    it('GET cluster config · nothing · the cluster config', async () => {
      const { status, text } = await app.client.send('GET', '/api/v1/clusters/one/config');
      expect([status, parse(text)]).toMatchObject([200, { kind: 'Cluster' }]);
    });

    it('GET …/provision-log · nothing · content of provision_log.json', async () => {
      const file = join(app.dataDirectory, 'clusters', 'one', 'provision_log.json');
      expect(await get('/api/v1/clusters/one/provision-log')).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    });

    it('GET …/kubeconfig · nothing · kubeconfig', async () => {
      const { text } = await app.client.send('GET', '/api/v1/clusters/one/kubeconfig');
      expect(parse(text)).toMatchObject({ apiVersion: 'v1', kind: 'Config' });
    });

    it('GET …/kubeconfig/docker · nothing · host alias of the container host, the API port, a TLS server name', async () => {
      const own = parse((await app.client.send('GET', '/api/v1/clusters/one/kubeconfig')).text) as Kubeconfig;
      const { text } = await app.client.send('GET', '/api/v1/clusters/one/kubeconfig/docker');
      const { cluster } = (parse(text) as Kubeconfig).clusters[0] ?? {};
      const server = new URL(cluster?.server ?? '');
      expect(server.hostname).toMatch(/^host\.\w+\.internal$/);
      expect(server.port).toBe(new URL(own.clusters[0]?.cluster.server ?? '').port);
      expect(cluster?.['tls-server-name']).toBe('localhost');
      expect(cluster).not.toHaveProperty('insecure-skip-tls-verify');
    });

    it('GET overview · nothing · summary, and a k8s_ block for each resource across all namespaces', async () => {
      const { summary, ...rest } = await get('/api/v1/clusters/one/overview');
      expect(summary).toMatchObject({ nodes: 1, nodes_ready: 1 });
      const pods = rest['k8s_pods'] as { rows: { namespace: string }[]; total: number };
      expect(new Set(pods.rows.map(({ namespace }) => namespace)).size).toBeGreaterThan(1);
      expect(Object.keys(rest).filter((key) => key.startsWith('k8s_'))).toEqual(
        expect.arrayContaining([
          'k8s_nodes',
          'k8s_services',
          'k8s_deployments',
          'k8s_customresourcedefinitions',
        ]),
      );
    });

    it('POST …/pods/restart · namespace, pod name · restart result', async () => {
      const { rows } = await get<{
        rows: { namespace: string; name: string; owner: { kind: string } | null }[];
      }>('/api/v1/clusters/one/resources/core/v1/pods');
      const owned = rows.find(({ owner }) => owner?.kind === 'ReplicaSet');
      const body = { namespace: owned?.namespace, name: owned?.name };
      const answer = await app.client.send('POST', '/api/v1/clusters/one/pods/restart', { body });
      expect([answer.status, answer.body]).toMatchObject([200, { ...body, comes_back: true, deleted: true }]);
    });

    it('GET versions · nothing · available versions (node image tags)', async () => {
      const { tags } = await get<{ tags: { tag: string }[] }>('/api/v1/versions');
      expect(tags.map(({ tag }) => tag)).toContain('v1.34.4');
    });

    it('GET jobs collection · nothing · list of jobs without the progress_log field', async () => {
      const jobs = await get<object[]>('/api/v1/jobs');
      expect(jobs.length).toBeGreaterThan(0);
      expect(jobs.filter((job) => 'progress_log' in job)).toEqual([]);
    });

    it('GET one job by {id} · nothing · job view with progress_* fields', async () => {
      expect(await get(`/api/v1/jobs/${jobId}`)).toMatchObject({ id: jobId, progress_percent: 100 });
    });

    it('GET /favicon.ico · nothing · SVG favicon', async () => {
      const { headers, text } = await app.client.send('GET', '/favicon.ico');
      expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
      expect(text).toContain('<svg');
    });
  });

  describe('errors', () => {
    it.each([
      ['cluster name', { name: 'Not a name' }, 'name'],
      ['number of workers', { workers: 1.5 }, 'workers'],
      ['node image tag', { node_image_tag: '1.34' }, 'node_image_tag'],
    ])('create request with an invalid %s · rejected', async (_what, wrong, field) => {
      const answer = await app.client.send('POST', '/api/v1/clusters', { body: wish('wrong', wrong) });
      const { code, details } = answer.body as ErrorResponse;
      expect([answer.status, code]).toEqual([400, 'invalid_input']);
      expect(details).toMatchObject([{ field }]);
    });
  });

  describe('limits', () => {
    it('journal page size (limit) · default 30 entries per page', async () => {
      expect(await get('/api/v1/journal/recent')).toMatchObject({ limit: 30 });
    });
  });

  describe('versioning', () => {
    it('the dashboard REST API is version 1, with the path prefix /api/v1', async () => {
      const { info, paths } = await get<{ info: { version: string }; paths: object }>('/openapi.json');
      expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
      // Sign-in has the same routes on both applications, those that the specification gives the log board.
      const others = Object.keys(paths).filter((path) => !/^\/api\/(v1|auth)\//.test(path));
      expect(others).toEqual([]);
    });
  });
});
