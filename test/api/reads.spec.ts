import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import type { JournalPageDto } from '../../backend/src/modules/journal/journal.dto.js';
import type { ClusterHistoryDto, StatsDto } from '../../backend/src/modules/stats/index.js';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('read routes', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_DEMO_FAILURES: 'create:joining-workers' } });
    await createCluster(app.client, 'alpha');
    await createCluster(app.client, 'beta');
    await jobEnded(app.client, await requestCluster(app.client, 'gamma', { workers: 3 }));
    await app.client.send('DELETE', '/api/v1/clusters/alpha');
  });

  afterAll(() => app.stop());

  describe('GET /journal/recent', () => {
    const read = (query: string): Promise<JournalPageDto> =>
      app.client.get<JournalPageDto>(`/api/v1/journal/recent${query}`);

    it('has one completed entry per job, newest first', async () => {
      const page = await read('');
      expect(page).toMatchObject({ total: 4, page: 1, total_pages: 1, limit: 30, offset: 0 });
      expect(page.entries.map(({ kind, cluster, outcome }) => `${kind} ${cluster} ${outcome}`)).toEqual([
        'delete alpha succeeded',
        'create gamma failed',
        'create beta succeeded',
        'create alpha succeeded',
      ]);
      expect(page.entries.every(({ message }) => message.length > 10)).toBe(true);
    });

    it('names the actor of each job', async () => {
      for (const { actor } of (await read('')).entries) {
        expect(actor).toEqual({
          kind: 'local',
          user: expect.any(String),
          id: null,
          name: null,
          address: '127.0.0.1',
        });
      }
    });

    it('has pages without gaps and overlaps', async () => {
      const all = (await read('')).entries.map(({ id }) => id);
      const first = await read('?limit=3&offset=0');
      const second = await read('?limit=3&offset=3');
      expect([first.page, first.total_pages, second.page]).toEqual([1, 2, 2]);
      expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(all);
      const beyond = await read('?limit=3&offset=300');
      expect(beyond).toMatchObject({ entries: [], total: 4, page: 101, total_pages: 2 });
    });

    it.each([
      ['?cluster=alpha', 2],
      ['?kind=create', 3],
      ['?outcome=failed', 1],
      ['?text=DELETED', 1],
      ['?text=%25', 0],
      ['?cluster=alpha&kind=delete&outcome=succeeded', 1],
      ['?cluster=unknown', 0],
      ['?actor=local', 4],
      ['?actor=127.0.0.1', 4],
      ['?actor=system', 0],
      ['?since=2026-01-01T00:00:00Z&until=2999-01-01T00:00:00%2B01:00', 4],
      ['?since=2999-01-01T00:00:00Z', 0],
      ['?until=2020-01-01T00:00:00.5Z', 0],
    ])('filters by %s', async (query, total) => {
      expect((await read(query)).total).toBe(total);
    });

    it.each([
      ['?limit=0', 'limit'],
      ['?limit=201', 'limit'],
      ['?limit=ten', 'limit'],
      ['?limit=', 'limit'],
      ['?limit=5&limit=6', 'limit'],
      ['?offset=-1', 'offset'],
      ['?offset=1e9', 'offset'],
      ['?outcome=maybe', 'outcome'],
      ['?kind=CREATE', 'kind'],
      ['?cluster=a/b', 'cluster'],
      ['?cluster=a&cluster=b', 'cluster'],
      ['?sort=asc', 'sort'],
      ['?since=yesterday', 'since'],
      ['?since=2026-13-01T00:00:00Z', 'since'],
      ['?until=2026-11-21', 'until'],
      ['?until=2026-11-21T00:00:00', 'until'],
      ['?actor=a&actor=b', 'actor'],
    ])('rejects %s', async (query, field) => {
      const answer = await app.client.send('GET', `/api/v1/journal/recent${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_input', details: [{ field }] });
    });
  });

  it('GET /stats returns counts, the workers of the meta records, and the usage of all nodes', async () => {
    // The response does not wait for the sample of a new node, whose rates need two.
    const stats = await app.client.until<StatsDto>('/api/v1/stats', ({ cluster_resources: resources }) =>
      resources.some(({ nodes }) => nodes.some(({ cpu_percent: cpu }) => cpu !== null)),
    );
    expect(stats).toMatchObject({
      container_cli: 'demo',
      // gamma failed and has no nodes. Its meta has 3 workers.
      total_workers_from_meta: 3,
      // The problems of beta may be found by now.
      clusters: {
        total: 2,
        running: 1,
        needs_attention: expect.any(Number),
        nodes_total: 1,
        nodes_running: 1,
      },
    });
    const beta = stats.cluster_resources.find(({ cluster }) => cluster === 'beta');
    const [node] = beta?.nodes ?? [];
    expect(node).toMatchObject({ name: 'beta-control-plane', role: 'control-plane', state: 'running' });
    for (const field of [
      'cpu_percent',
      'memory_bytes',
      'memory_limit_bytes',
      'memory_percent',
      'network_rx_bytes',
      'network_tx_bytes',
      'block_read_bytes',
      'block_write_bytes',
    ] as const) {
      expect(node?.[field]).toBeGreaterThan(0);
    }
    expect(Date.parse(node?.sampled_at ?? '')).toBeGreaterThan(Date.now() - 10_000);
    expect(stats.host.cpu_cores).toBeGreaterThan(0);
    expect(beta?.cpu_trend).toHaveLength(120);
    expect(beta?.cpu_trend.at(-1)).toBeGreaterThan(0);
  });

  it('GET /stats/history returns the usage of clusters and nodes, now at its end', async () => {
    const history = await app.client.until<ClusterHistoryDto[]>('/api/v1/stats/history', (clusters) =>
      clusters.some(({ cpu_trend: cpu }) => (cpu.at(-1) ?? 0) > 0),
    );
    const beta = history.find(({ cluster }) => cluster === 'beta');
    expect(beta?.memory_trend).toHaveLength(288);
    expect(beta?.nodes.map(({ name }) => name)).toEqual(['beta-control-plane']);
    expect(beta?.nodes[0]?.memory_trend.at(-1)).toBe(beta?.memory_trend.at(-1));
  });

  it('GET /versions returns local versions first, with their origin', async () => {
    const versions = await app.client.get<{
      default_tag: string;
      tags: { tag: string; image: string; present_in: string[]; origin: string }[];
    }>('/api/v1/versions');
    expect(versions.default_tag).toBe('v1.34.4');
    expect(versions.tags.slice(0, 2).map(({ tag, present_in }) => [tag, present_in])).toEqual([
      ['v1.34.4', ['demo']],
      ['v1.33.1', ['demo']],
    ]);
    expect(versions.tags[0]?.image).toBe('docker.io/kindest/node:v1.34.4');
  });

  it('GET /docs/readme returns Markdown', async () => {
    const answer = await app.client.send('GET', '/api/v1/docs/readme');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(answer.text).toBe(readFileSync(join(readProject().root, 'README.md'), 'utf8'));
  });

  it('GET /docs/{page} returns the Markdown of all pages in navigation order', async () => {
    const { body } = await app.client.send('GET', '/api/v1/docs');
    const pages = body as { name: string; title: string; file: string }[];
    expect(pages.slice(0, 2)).toEqual([
      { name: 'readme', title: 'Slipway', file: 'README.md' },
      { name: 'install', title: 'Install', file: 'docs/install.md' },
    ]);
    for (const { name, title, file } of pages) {
      const answer = await app.client.send('GET', `/api/v1/docs/${name}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(answer.text).toBe(readFileSync(join(readProject().root, file), 'utf8'));
      expect(answer.text).toContain(`# ${title}\n`);
    }
  });

  it.each(['nothing', 'README.md', 'toString', '__proto__', '..%2fpackage.json', '%2e%2e%2f.env'])(
    'GET /docs/%s returns 404',
    async (name) => {
      const answer = await app.client.send('GET', `/api/v1/docs/${name}`);
      expectError(answer, 404, 'route_not_found');
    },
  );

  it('GET /health returns ok with a check per part', async () => {
    const health = await app.client.get<{ checks: { name: string; ok: boolean }[] }>('/api/v1/health');
    expect(health).toMatchObject({ status: 'ok', version: readProject().version });
    expect(health.checks.map(({ name }) => name)).toEqual(['storage', 'demo', 'demo provisioner']);
    expect(health.checks.every(({ ok }) => ok)).toBe(true);
  });

  it('keep idle connections open for more than a minute, because proxies reuse them', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${app.port}/api/v1/health`);
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  it('GET /diagnostics returns ready and the checks', async () => {
    const diagnostics = await app.client.get<{
      ready: boolean;
      checks: { name: string; title: string; level: string; message: string }[];
      runtimes: { id: string; available: boolean }[];
    }>('/api/v1/diagnostics');
    expect(diagnostics.ready).toBe(true);
    expect(diagnostics.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['runtime-demo', 'provisioner']),
    );
    const titles = diagnostics.checks.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(diagnostics.runtimes).toMatchObject([{ id: 'demo', available: true }]);
  });
});

describe('GET /stats', () => {
  it('counts total_workers_from_meta, 0 without a readable meta', async () => {
    const app = await startApp();
    const folderOf = (name: string): string => join(app.dataDirectory, 'clusters', name);
    const write = (name: string, text: string): void => {
      mkdirSync(folderOf(name), { recursive: true });
      writeFileSync(join(folderOf(name), 'meta.json'), text);
    };
    // Samples are taken every 2 s.
    const reaches = (count: number): Promise<StatsDto> =>
      app.client.until<StatsDto>('/api/v1/stats', ({ total_workers_from_meta: total }) => total === count);
    try {
      await reaches(0);
      await createCluster(app.client, 'counted', { workers: 3 });
      await reaches(3);
      const adopted = { name: 'adopted', runtime: 'demo', origin: 'adopted', workers: 2, control_planes: 1 };
      write('adopted', JSON.stringify(adopted));
      await reaches(5);
      write('counted', '{"name":"counted","runtime":"demo","workers":');
      await reaches(2);
      for (const name of ['counted', 'adopted']) rmSync(folderOf(name), { recursive: true });
      await reaches(0);
    } finally {
      await app.stop();
    }
  });
});

describe('damaged files', () => {
  const broken: Record<string, string> = {
    empty: '',
    torn: '{"name":"torn","runtime":"de',
    list: '[]',
    null: 'null',
    nameless: '{"runtime":"demo","workers":2}',
    foreign: '{"name":"whole","runtime":"demo","workers":70}',
    escaping: '{"name":"../../outside","runtime":"demo","workers":70}',
    minus: '{"name":"minus","runtime":"demo","creation":"created","workers":-4}',
    words: '{"name":"words","runtime":"demo","creation":"created","workers":"many"}',
    huge: '{"name":"huge","runtime":"demo","creation":"created","workers":1e300}',
    whole: '{"name":"whole","runtime":"demo","creation":"created","workers":2,"control_planes":1}',
  };
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({
      prepare: (folder) => {
        for (const [name, meta] of Object.entries(broken)) {
          mkdirSync(join(folder, 'clusters', name), { recursive: true });
          writeFileSync(join(folder, 'clusters', name, 'meta.json'), meta);
        }
        // A missing meta, and one that is a folder.
        mkdirSync(join(folder, 'clusters', 'bare'));
        mkdirSync(join(folder, 'clusters', 'folder', 'meta.json'), { recursive: true });
        writeFileSync(join(folder, 'clusters', 'stray-file'), '');
        writeFileSync(join(folder, 'clusters', 'whole', 'provision_log.json'), '{"cluster":');
        writeFileSync(join(folder, 'demo.json'), '{"nodes":');
      },
    });
  });

  afterAll(() => app.stop());

  it('are skipped in lists', async () => {
    const clusters =
      await app.client.get<{ name: string; state: string; workers: number }[]>('/api/v1/clusters');
    expect(clusters.map(({ name, state, workers }) => [name, state, workers])).toEqual([
      ['huge', 'missing', 0],
      ['minus', 'missing', 0],
      ['whole', 'missing', 2],
      ['words', 'missing', 0],
    ]);
  });

  it('count 0 workers', async () => {
    expect((await app.client.get<StatsDto>('/api/v1/stats')).total_workers_from_meta).toBe(2);
  });

  it('are logged once each', async () => {
    await app.client.get('/api/v1/clusters');
    await app.client.get('/api/v1/clusters');
    const logged = [...app.log().matchAll(/ignored \S*clusters\/(\w+)\/meta\.json:/g)].map(
      (match) => match[1],
    );
    expect(logged.sort()).toEqual([
      'empty',
      'escaping',
      'folder',
      'foreign',
      'list',
      'nameless',
      'null',
      'torn',
    ]);
  });

  it('return 404 for an invalid provision log', async () => {
    const answer = await app.client.send('GET', '/api/v1/clusters/whole/provision-log');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'provision_log_not_found' });
  });

  it('do not prevent the deletion of a missing cluster', async () => {
    const answer = await app.client.send('DELETE', '/api/v1/clusters/whole');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      removed: { containers: [], volumes: [], files: ['meta.json', 'provision_log.json'] },
    });
  });
});
