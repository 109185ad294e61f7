import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobDto, JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { StatsDto } from '../../backend/src/modules/stats/index.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import {
  createCluster,
  editConfig,
  jobEnded,
  requestCluster,
  submit,
  wish,
} from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** The records and transitions of the specification, row by row in its order. */
describe('the specification', () => {
  let app: TestApp;
  let created: JobWithLogDto;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_DEMO_FAILURES: 'create:joining-workers' } });
    created = await createCluster(app.client, 'kept');
  });

  afterAll(() => app.stop());

  const fileOf = (file: string, name = 'kept'): string => join(app.dataDirectory, 'clusters', name, file);
  const metaOf = (name = 'kept'): Record<string, unknown> =>
    JSON.parse(readFileSync(fileOf('meta.json', name), 'utf8')) as Record<string, unknown>;
  const refused = async (body: object): Promise<string[]> => {
    const answer = await app.client.send('POST', '/api/v1/clusters', { body });
    expect(answer.status).toBe(400);
    return ((answer.body as ErrorResponse).details as { field: string }[]).map(({ field }) => field);
  };

  describe('resources and their fields: cluster', () => {
    it('a cluster is identified by its name', async () => {
      expect(await app.client.get<ClusterDto>('/api/v1/clusters/kept')).toMatchObject({ name: 'kept' });
      const twice = await app.client.send('POST', '/api/v1/clusters', { body: wish('kept') });
      expect([twice.status, (twice.body as ErrorResponse).code]).toEqual([409, 'cluster_exists']);
    });

    it('create parameters: cluster name, number of workers, node image tag, all validated before creation', async () => {
      const before = await app.client.get<JobDto[]>('/api/v1/jobs');
      expect((await refused({ name: 'Bad_Name', workers: 21, node_image_tag: 'latest' })).sort()).toEqual([
        'name',
        'node_image_tag',
        'workers',
      ]);
      expect(await app.client.get<JobDto[]>('/api/v1/jobs')).toHaveLength(before.length);
    });

    it('each cluster has a saved cluster config file, a meta record and a provision log file named provision_log.json', () => {
      expect(readFileSync(fileOf('cluster.yaml'), 'utf8')).toContain('kind: Cluster');
      expect(metaOf()).toMatchObject({ name: 'kept' });
      expect(JSON.parse(readFileSync(fileOf('provision_log.json'), 'utf8'))).toMatchObject({
        cluster: 'kept',
      });
    });

    it('the meta record holds a flag set when the config was changed and a count of workers', () => {
      expect(metaOf()).toMatchObject({ config_changed: false, workers: 0 });
    });
  });

  describe('resources and their fields: stats', () => {
    it('cluster_resources: CPU, RAM and I/O usage for each cluster node', async () => {
      const { cluster_resources: resources } = await app.client.get<StatsDto>('/api/v1/stats');
      const [node] = resources.find(({ cluster }) => cluster === 'kept')?.nodes ?? [];
      for (const field of ['cpu_percent', 'memory_bytes', 'network_rx_bytes', 'block_read_bytes'] as const) {
        expect([field, typeof node?.[field]]).toEqual([field, 'number']);
      }
    });

    it('container_cli: name of the container runtime command-line tool in use', async () => {
      expect(await app.client.get('/api/v1/stats')).toMatchObject({ container_cli: 'demo' });
    });

    it('total_workers_from_meta: always a number; 0 when no meta exists', async () => {
      // Samples are taken every 2 s.
      const reaches = (count: number): Promise<StatsDto> =>
        app.client.until<StatsDto>('/api/v1/stats', ({ total_workers_from_meta: total }) => total === count);
      const meta = (name: string, text: string): void => {
        mkdirSync(join(app.dataDirectory, 'clusters', name), { recursive: true });
        writeFileSync(fileOf('meta.json', name), text);
      };
      await reaches(0);
      // Failed and adopted clusters have a meta, too.
      await jobEnded(app.client, await requestCluster(app.client, 'counted', { workers: 3 }));
      await reaches(3);
      meta(
        'adopted',
        '{"name":"adopted","runtime":"demo","origin":"adopted","workers":2,"control_planes":1}',
      );
      await reaches(5);
      meta('counted', '{"name":"counted","runtime":"demo","workers":');
      await reaches(2);
      for (const name of ['adopted', 'counted']) {
        rmSync(join(app.dataDirectory, 'clusters', name), { recursive: true });
      }
      const own = readFileSync(fileOf('meta.json'), 'utf8');
      rmSync(fileOf('meta.json'));
      await reaches(0);
      meta('kept', own);
    });
  });

  describe('resources and their fields: job', () => {
    it('the job view carries fields whose names begin with progress_', async () => {
      const job = await app.client.get<object>(`/api/v1/jobs/${created.id}`);
      expect(Object.keys(job)).toEqual(
        expect.arrayContaining(['progress_percent', 'progress_step', 'progress_steps', 'progress_log']),
      );
    });

    it('a job has an identifier', () => {
      expect(Number.isInteger(created.id)).toBe(true);
    });
  });

  describe('resources and their fields: journal entry', () => {
    it('the journal lists recent entries, including deployment jobs, each with a message', async () => {
      const { entries } = await app.client.get<{ entries: { kind: string; message: string }[] }>(
        '/api/v1/journal/recent',
      );
      expect(entries.map(({ kind }) => kind)).toContain('create');
      expect(entries.every(({ message }) => message !== '')).toBe(true);
    });
  });

  describe('states and transitions', () => {
    it('cluster · PUT of the cluster config · config saved · the config-changed flag is set in the cluster meta', async () => {
      const read = await app.client.send('GET', '/api/v1/clusters/kept/config');
      const changed = `${read.text.trimEnd()}\n  - role: worker\n    image: docker.io/kindest/node:v1.34.4\n`;
      const answer = await app.client.send('PUT', '/api/v1/clusters/kept/config', {
        text: changed,
        headers: { 'content-type': 'application/yaml', 'if-match': String(read.headers.etag) },
      });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(changed);
      expect(readFileSync(fileOf('cluster.yaml'), 'utf8')).toBe(changed);
      expect(metaOf()).toMatchObject({ config_changed: true, workers: 1 });
      // The tests below need the original config.
      const { etag } = answer.headers;
      const headers = { 'content-type': 'application/yaml', 'if-match': String(etag) };
      await app.client.send('PUT', '/api/v1/clusters/kept/config', { text: read.text, headers });
      expect(metaOf()).toMatchObject({ config_changed: false, workers: 0 });
    });

    it('cluster with config-changed flag set · start · flag set · the cluster is deleted and created again from the saved config · runs as a background job', async () => {
      await createCluster(app.client, 'edited');
      const madeOf = async (): Promise<string> =>
        await app.client
          .get<{ started_at: string }>('/api/v1/clusters/edited/provision-log')
          .then(JSON.stringify);
      const before = await madeOf();
      await editConfig(app.client, 'edited', (text) =>
        text.replace(/(- role: control-plane\n)( +)/, '$1$2labels: { tier: edited }\n$2'),
      );
      expect(metaOf('edited')).toMatchObject({ config_changed: true });
      const id = await submit(app.client, '/api/v1/clusters/edited/start');
      const job = await jobEnded(app.client, id);
      expect(job).toMatchObject({ kind: 'start', state: 'succeeded' });
      expect((job.result as { removed: object }).removed).toMatchObject({
        containers: ['edited-control-plane'],
      });
      expect(await madeOf()).not.toBe(before);
      expect(metaOf('edited')).toMatchObject({ config_changed: false });
      const { state, nodes } = await app.client.get<ClusterDto>('/api/v1/clusters/edited');
      expect([state, nodes.map(({ role }) => role)]).toEqual(['running', ['control-plane']]);
      await app.client.send('DELETE', '/api/v1/clusters/edited');
    });

    it.each(['stop', 'start'])(
      'cluster · %s · any · a background job is created · the response carries a job identifier to poll',
      async (action) => {
        const answer = await app.client.send('POST', `/api/v1/clusters/kept/${action}`);
        const { job_id: id } = answer.body as { job_id: number };
        expect([answer.status, answer.headers.location]).toEqual([202, `/api/v1/jobs/${id}`]);
        expect(await jobEnded(app.client, id)).toMatchObject({ kind: action, state: 'succeeded' });
      },
    );

    it('running job · cancel (POST) · job is running · the job is cancelled · its process is killed', async () => {
      const slow = await startApp({ environment: { APP_DEMO_SPEED: '2' } });
      try {
        const id = await requestCluster(slow.client, 'stopped');
        await slow.client.until<JobDto>(`/api/v1/jobs/${id}`, ({ state }) => state === 'running');
        expect((await slow.client.send('POST', `/api/v1/jobs/${id}/cancel`)).status).toBe(202);
        expect(await jobEnded(slow.client, id)).toMatchObject({ state: 'cancelled' });
        expect((await slow.client.send('GET', '/api/v1/clusters/stopped')).status).toBe(404);
      } finally {
        await slow.stop();
      }
    });

    it('finished jobs · DELETE on the jobs collection · jobs are finished · finished jobs are removed', async () => {
      const before = await app.client.get<JobDto[]>('/api/v1/jobs');
      const answer = await app.client.send('DELETE', '/api/v1/jobs');
      expect([answer.status, answer.body]).toEqual([200, { cleared: before.length }]);
      expect(await app.client.get('/api/v1/jobs')).toEqual([]);
    });

    it('creation job · failure during creation · stage fails · rollback of the creation stages', async () => {
      const job = await jobEnded(app.client, await requestCluster(app.client, 'broken', { workers: 1 }));
      expect(job).toMatchObject({ state: 'failed', error: { code: 'demo_failure' } });
      const cluster = await app.client.get<ClusterDto>('/api/v1/clusters/broken');
      expect(cluster).toMatchObject({ state: 'failed', nodes: [] });
      expect(existsSync(fileOf('cluster.yaml', 'broken'))).toBe(true);
    });
  });
});
