import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ON_MAIN_THREAD } from '../../backend/src/core/work/is-large.js';
import type { ApiClient } from '../support/app/api-client.js';
import { createCluster, jobEnded } from '../support/app/clusters.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { HOSTILE_ARCHIVES } from '../support/hostile/hostile-archives.js';
import { HOSTILE_JSON, HOSTILE_YAML } from '../support/hostile/hostile-yaml.js';
import { LONG_FAILURES, LONG_KEYS, LONG_URLS } from '../support/hostile/long-texts.js';
import { makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { slowestHealthDuring } from '../support/server/health-probe.js';
import { ScriptedServer } from '../support/server/scripted-server.js';

const MOST_MS = 100;
const KIND = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const ADDONS = '/api/v1/clusters/c/addons';

describe('GET /health during hostile requests', () => {
  let inside: Awaited<ReturnType<typeof makeDemoCluster>>;
  let server: ScriptedServer;
  let client: ApiClient;

  beforeAll(async () => {
    inside = await makeDemoCluster('c');
    server = await ScriptedServer.start({ helm: '4.3.1' });
    client = server.client;
    await createCluster(client, 'c', { workers: 1 });
    const api = server.machine.kind.apiServers.get('docker/c');
    if (!api) throw new Error('there is no API server');
    api.behind = inside.world.apiServer('c');
    const headers = { 'content-type': 'application/gzip' };
    const chart = { text: await packChart(shopChart('1.0.0')), headers };
    expect((await client.send('POST', `${ADDONS}/charts`, chart)).status).toBe(201);
  });

  afterAll(async () => {
    await server.close();
    await inside.remove();
  });

  const slowest = (work: () => Promise<unknown>): Promise<number> =>
    slowestHealthDuring(client, server.process.pid, MOST_MS, work);

  it.each(LONG_URLS)('stays below 100 ms for a URL of 15 kB of %s', async (_, url) => {
    expect(
      await slowest(async () => {
        const { status, body } = await client.send('GET', url);
        expect([400, 404]).toContain(status);
        expect(JSON.stringify(body).length).toBeLessThan(800);
      }),
    ).toBeLessThan(MOST_MS);
  });

  it.each(LONG_KEYS)('stays below 100 ms for a config with a key of 90 kB of %s', async (_, config) => {
    expect(
      await slowest(async () => {
        const body = { name: 'hostile', config };
        expect((await client.send('POST', '/api/v1/clusters', { body })).status).toBe(422);
      }),
    ).toBeLessThan(MOST_MS);
  });

  it.each(LONG_FAILURES)('stays below 100 ms for a failure of helm with 1 MB of %s', async (_, message) => {
    expect(
      await slowest(async () => {
        server.machine.helm.failure = { command: 'install', message };
        const body = { repository: 'uploaded', chart: 'shop', namespace: 'market' };
        const { status, body: operation } = await client.send('POST', ADDONS, { body });
        expect(status).toBe(202);
        const job = await jobEnded(client, (operation as { job_id: number }).job_id);
        expect(job.state).toBe('failed');
        expect(JSON.stringify(job).length).toBeLessThan(200_000);
      }),
    ).toBeLessThan(MOST_MS);
  });

  it.each([...HOSTILE_YAML, ...HOSTILE_JSON])(
    'stays below 100 ms for a config with %s',
    async (_, textOf) => {
      const body = { name: 'hostile', config: KIND + textOf(2 * MAX_ON_MAIN_THREAD) };
      expect(
        await slowest(async () => {
          expect((await client.send('POST', '/api/v1/clusters/check', { body })).status).toBe(200);
        }),
      ).toBeLessThan(MOST_MS);
    },
  );

  it.each(HOSTILE_ARCHIVES)('stays below 100 ms for a chart with %s', async (_, bytes) => {
    const request = { text: bytes(), headers: { 'content-type': 'application/gzip' } };
    expect(
      await slowest(async () => {
        expect((await client.send('POST', `${ADDONS}/charts`, request)).status).toBe(422);
      }),
    ).toBeLessThan(MOST_MS);
  });
});
