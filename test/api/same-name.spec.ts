import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { StatsDto } from '../../backend/src/modules/stats/stats.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterRoutes } from '../support/app/cluster-routes.js';
import { jobEnded, journalOf } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

const IMAGE = 'docker.io/kindest/node:v1.34.4';
const NAME = 'twin';
const ENGINES = ['docker', 'podman'] as const;
type Engine = (typeof ENGINES)[number];

interface JournalEntry {
  kind: string;
  runtime: string | null;
  message: string;
}

describe('clusters with the same name in two engines', () => {
  let machine: ScriptedMachine;
  let app: TestApp;

  beforeAll(async () => {
    machine = await ScriptedMachine.start({ engines: ENGINES });
    await machine.kind.makeOutside('docker', NAME, { nodes: [{ image: IMAGE }] });
    await machine.kind.makeOutside('podman', NAME, {
      nodes: [{ image: IMAGE }, { role: 'worker', image: IMAGE }],
    });
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

  const path = (rest = '', engine?: Engine): string =>
    `/api/v1/clusters/${NAME}${rest}${engine ? `?runtime=${engine}` : ''}`;
  const clusterIn = (engine: Engine): Promise<ClusterDto> => app.client.get<ClusterDto>(path('', engine));

  async function change(kind: string, engine: Engine): Promise<void> {
    const answer = await app.client.send('POST', path(`/${kind}`, engine));
    expect(answer.status).toBe(202);
    const job = await jobEnded(app.client, (answer.body as { job_id: number }).job_id);
    expect([job.kind, job.runtime, job.cluster, job.state]).toEqual([kind, engine, NAME, 'succeeded']);
  }

  async function saveConfig(engine: Engine): Promise<string> {
    const read = await app.client.send('GET', path('/config', engine));
    const text = `${read.text}# of ${engine}\n`;
    const answer = await app.client.send('PUT', path('/config', engine), {
      text,
      headers: { 'content-type': 'application/yaml', 'if-match': read.headers.etag ?? '' },
    });
    expect(answer.status).toBe(200);
    return text;
  }

  it('are two clusters in the list and in the stats', async () => {
    const clusters = await app.client.get<ClusterDto[]>('/api/v1/clusters');
    expect(clusters.map(({ name, runtime, workers }) => [name, runtime, workers])).toEqual([
      [NAME, 'docker', 0],
      [NAME, 'podman', 1],
    ]);
    const { cluster_resources } = await app.client.get<StatsDto>('/api/v1/stats');
    expect(cluster_resources.map(({ cluster, runtime, nodes }) => [cluster, runtime, nodes.length])).toEqual([
      [NAME, 'docker', 1],
      [NAME, 'podman', 2],
    ]);
  });

  // The routes come from the OpenAPI document, so new ones are included.
  it('return cluster_ambiguous on every route without ?runtime', async () => {
    const routes = await clusterRoutes(app.client);
    expect(routes.length).toBeGreaterThan(15);
    const unexpected: string[] = [];
    for (const { method, part, request } of routes) {
      const { status, body } = await app.client.send(method, path(part), request);
      const answer = `${status} ${(body as Partial<ErrorResponse> | undefined)?.code ?? ''}`;
      if (answer !== '409 cluster_ambiguous') unexpected.push(`${method} ${part}: ${answer}`);
    }
    expect(unexpected).toEqual([]);
    expect(expectError(await app.client.send('GET', path()), 409, 'cluster_ambiguous').details).toEqual({
      runtimes: ['docker', 'podman'],
    });
  });

  it('are distinguished by ?runtime', async () => {
    for (const engine of ENGINES) {
      expect(await clusterIn(engine)).toMatchObject({ name: NAME, runtime: engine });
    }
    expectError(await app.client.send('GET', path('?runtime=demo')), 404, 'cluster_not_found');
  });

  it('do not allow a third cluster of the name', async () => {
    for (const runtime of [undefined, ...ENGINES]) {
      const body = { name: NAME, workers: 0, node_image_tag: 'v1.34.4', ...(runtime && { runtime }) };
      expectError(await app.client.send('POST', '/api/v1/clusters', { body }), 409, 'cluster_exists');
    }
  });

  it('have a config and a folder each', async () => {
    const [docker, podman] = [await saveConfig('docker'), await saveConfig('podman')];
    const read = async (engine: Engine): Promise<string> =>
      (await app.client.send('GET', path('/config', engine))).text;
    expect([await read('docker'), await read('podman')]).toEqual([docker, podman]);
    const file = (folder: string): string =>
      readFileSync(join(app.dataDirectory, 'clusters', folder, 'cluster.yaml'), 'utf8');
    expect([file(NAME), file(`${NAME}@podman`)]).toEqual([docker, podman]);
  });

  it('are stopped separately, and have their own kubeconfig', async () => {
    await change('stop', 'podman');
    expect((await clusterIn('podman')).state).toBe('stopped');
    expect((await clusterIn('docker')).state).toBe('running');
    await change('start', 'podman');
    const servers = await Promise.all(
      ENGINES.map(async (engine) => {
        const { text } = await app.client.send('GET', path('/kubeconfig', engine));
        return /server: (\S+)/.exec(text)?.[1];
      }),
    );
    expect(new Set(servers).size).toBe(2);
    expect(servers).not.toContain(undefined);
  });

  it('allow one job each at the same time', async () => {
    // No job ends before the last request.
    const held = `/${NAME}-control-plane/stop?t=30`;
    for (const engine of ENGINES) machine.engine(engine).hold(held);
    const responses = await Promise.all(
      [...ENGINES, ...ENGINES].map((engine) => app.client.send('POST', path('/stop', engine))),
    );
    for (const engine of ENGINES) machine.engine(engine).release(held);
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409]);
    for (const { status, body } of responses) {
      if (status === 202) await jobEnded(app.client, (body as { job_id: number }).job_id);
      else expect(body).toMatchObject({ code: 'cluster_busy' });
    }
    for (const engine of ENGINES) await change('start', engine);
  });

  it('are distinguished in the journal', async () => {
    const entries = (query: string): Promise<JournalEntry[]> =>
      journalOf(app.client, `?cluster=${NAME}${query}`);
    const all = await entries('');
    expect(new Set(all.map(({ runtime }) => runtime))).toEqual(new Set(ENGINES));
    for (const engine of ENGINES) {
      const own = await entries(`&runtime=${engine}`);
      expect(own.length).toBeGreaterThan(2);
      expect(own).toEqual(all.filter(({ runtime }) => runtime === engine));
    }
  });

  it('are deleted separately with their files', async () => {
    const answer = await app.client.send('DELETE', path('', 'docker'));
    expect(answer).toMatchObject({ status: 200, body: { deleted: true } });
    expect(machine.engine('podman').world.nodesOf(NAME)).toHaveLength(2);
    // The remaining cluster does not need ?runtime.
    expect(await app.client.get(path())).toMatchObject({ runtime: 'podman', workers: 1 });
    expect((await app.client.send('GET', path('/config'))).text).toContain('# of podman');
    expect(existsSync(join(app.dataDirectory, 'clusters', NAME))).toBe(false);
    expectError(await app.client.send('DELETE', path('', 'docker')), 404, 'cluster_not_found');
  });

  it('keep their folders when the other one is created again', async () => {
    await machine.kind.makeOutside('docker', NAME, { nodes: [{ image: IMAGE }] });
    await app.client.until<ClusterDto[]>(
      '/api/v1/clusters',
      (clusters) => clusters.length === 2 && clusters.every(({ state }) => state === 'running'),
    );
    await saveConfig('docker');
    expect((await app.client.send('GET', path('/config', 'podman'))).text).toContain('# of podman');
    expect((await app.client.send('GET', path('/config', 'docker'))).text).toContain('# of docker');
    for (const engine of ENGINES) {
      expect(await app.client.send('DELETE', path('', engine))).toMatchObject({ status: 200 });
    }
    expect(existsSync(join(app.dataDirectory, 'clusters', `${NAME}@podman`))).toBe(false);
    expect(await app.client.get<ClusterDto[]>('/api/v1/clusters')).toEqual([]);
  });
});
