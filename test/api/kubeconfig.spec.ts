import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { signIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

interface Kubeconfig {
  clusters: { cluster: Record<string, string> }[];
  [part: string]: unknown;
}

describe('GET /clusters/{name}/kubeconfig/docker', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'single');
    await createCluster(app.client, 'several', { control_planes: 3 });
  });

  afterAll(() => app.stop());

  async function kubeconfig(path: string): Promise<Kubeconfig> {
    const answer = await app.client.send('GET', `/api/v1/clusters/${path}`);
    expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'application/yaml']);
    expect(answer.headers['cache-control']).toBe('no-store');
    return parse(answer.text) as Kubeconfig;
  }

  it('returns variant host by default, with a tls-server-name', async () => {
    const own = await kubeconfig('single/kubeconfig');
    const port = new URL(own.clusters[0]?.cluster['server'] ?? '').port;
    const host = await kubeconfig('single/kubeconfig/docker');
    expect(host).toEqual({
      ...own,
      clusters: [
        {
          ...own.clusters[0],
          cluster: {
            ...own.clusters[0]?.cluster,
            server: `https://host.demo.internal:${port}`,
            'tls-server-name': 'localhost',
          },
        },
      ],
    });
    expect(await kubeconfig('single/kubeconfig/docker?variant=host&runtime=demo')).toEqual(host);
  });

  it('uses the control plane or the load balancer with variant=network', async () => {
    const [single] = (await kubeconfig('single/kubeconfig/docker?variant=network')).clusters;
    expect(single?.cluster['server']).toBe('https://single-control-plane:6443');
    expect(single?.cluster['tls-server-name']).toBeUndefined();
    expect(single?.cluster['certificate-authority-data']).toMatch(/^[\w+/=]+$/);
    const [several] = (await kubeconfig('several/kubeconfig/docker?variant=network')).clusters;
    expect(several?.cluster['server']).toBe('https://several-external-load-balancer:6443');
  });

  it('has a file name with the variant', async () => {
    const answer = await app.client.send('GET', '/api/v1/clusters/single/kubeconfig/docker?variant=network');
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="single.network.kubeconfig.yaml"',
    );
  });

  it.each(['variant=', 'variant=internal', 'variant=host&variant=host', 'variant=host&insecure=true'])(
    'rejects ?%s with invalid_input',
    async (query) => {
      const answer = await app.client.send('GET', `/api/v1/clusters/single/kubeconfig/docker?${query}`);
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid_input' }]);
    },
  );

  it('fails with cluster_state while the cluster is being created', async () => {
    const slow = await startApp({ environment: { APP_DEMO_SPEED: '1' } });
    await requestCluster(slow.client, 'making');
    const answer = await slow.client.send('GET', '/api/v1/clusters/making/kubeconfig/docker');
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'cluster_state' }]);
    await slow.stop();
  });
});

describe('/clusters/{name}/kubeconfig/merge', () => {
  const WORK = [
    '# mine',
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    '    server: https://work.example.org:6443',
    '  name: work',
    'contexts:',
    '- context:',
    '    cluster: work',
    '    user: ""',
    '  name: work',
    'current-context: work',
    'kind: Config',
    'users: []',
    '',
  ].join('\n');

  let home: string;
  let path: string;
  let app: TestApp;

  const MERGE = '/api/v1/clusters/staging/kubeconfig/merge';

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-home-'));
    path = join(home, '.kube', 'config');
    app = await startApp({ environment: { HOME: home } });
  });

  beforeEach(async () => {
    await rm(join(home, '.kube'), { recursive: true, force: true });
    // Without a file, this forgets the entry of the previous test.
    const { status } = await app.client.send('DELETE', MERGE);
    if (status === 404) await createCluster(app.client, 'staging');
    await mkdir(join(home, '.kube'));
    await writeFile(path, WORK, { mode: 0o600 });
  });

  afterAll(async () => {
    await app.stop();
    await rm(home, { recursive: true, force: true });
  });

  function contexts(): string[] {
    const { contexts } = parse(readFileSync(path, 'utf8')) as { contexts: { name: string }[] };
    return contexts.map(({ name }) => name);
  }

  async function journal(): Promise<string[]> {
    const { entries } = await app.client.get<{ entries: { kind: string; message: string }[] }>(
      '/api/v1/journal/recent?cluster=staging',
    );
    return entries.filter(({ kind }) => kind.startsWith('kubeconfig-')).map(({ message }) => message);
  }

  it('adds and removes a cluster, and changes nothing else in the file', async () => {
    const absent = {
      file: path,
      context: 'kind-staging',
      merged: false,
      current: false,
      outdated: false,
      backup: null,
      problem: null,
    };
    expect(await app.client.get(MERGE)).toEqual(absent);
    const added = await app.client.send('POST', MERGE, { body: {} });
    expect([added.status, added.body]).toEqual([
      200,
      { ...absent, merged: true, backup: expect.stringContaining('config.slipway-backup-') as unknown },
    ]);
    expect(contexts()).toEqual(['work', 'kind-staging']);
    const current = await app.client.send('POST', `${MERGE}?runtime=demo`, { body: { set_current: true } });
    expect(current.body).toMatchObject({ merged: true, current: true });
    const taken = await app.client.send('DELETE', MERGE);
    expect([taken.status, taken.body]).toMatchObject([200, { merged: false, current: false }]);
    expect(readFileSync(path, 'utf8')).toBe(WORK.replace('current-context: work', 'current-context: ""'));
    const entries = await journal();
    expect(entries.slice(0, 3)).toEqual([
      `Removed kind-staging from ${path}.`,
      `Added kind-staging to ${path} and made it the current context.`,
      `Added kind-staging to ${path}.`,
    ]);
    expect((await app.client.send('DELETE', MERGE)).status).toBe(200);
    expect(await journal()).toEqual(entries);
  });

  it('removes the entry when the cluster is deleted, and keeps other changes', async () => {
    await app.client.send('POST', MERGE, { body: { set_current: true } });
    await writeFile(path, readFileSync(path, 'utf8').replace('# mine', '# mine, and later'));
    const { body } = await app.client.send('DELETE', '/api/v1/clusters/staging');
    const { progress_log } = await app.client.get<{ progress_log: { text: string }[] }>(
      `/api/v1/jobs/${(body as { job_id: number }).job_id}`,
    );
    expect(progress_log.map(({ text }) => text)).toContain(`Removed kind-staging from ${path}`);
    expect(readFileSync(path, 'utf8')).toBe(
      WORK.replace('# mine', '# mine, and later').replace('current-context: work', 'current-context: ""'),
    );
    await createCluster(app.client, 'staging');
    expect(contexts()).toEqual(['work']);
  });

  it('updates the entry when the cluster is recreated, and keeps the current context', async () => {
    await app.client.send('POST', MERGE, { body: { set_current: true } });
    const before = readFileSync(path, 'utf8');
    const { body } = await app.client.send('POST', '/api/v1/clusters/staging/recreate');
    const job = await jobEnded(app.client, (body as { job_id: number }).job_id);
    expect([job.state, job.warnings]).toEqual(['succeeded', []]);
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    expect(contexts()).toEqual(['work', 'kind-staging']);
    expect(await app.client.get(MERGE)).toMatchObject({ merged: true, current: true, outdated: false });
  });

  it('warns in the job if the entry of a deleted cluster cannot be removed', async () => {
    await app.client.send('POST', MERGE, { body: {} });
    await writeFile(path, 'kind: [Config\n');
    const { status, body } = await app.client.send('DELETE', '/api/v1/clusters/staging');
    const job = await app.client.get<{ state: string; warnings: string[] }>(
      `/api/v1/jobs/${(body as { job_id: number }).job_id}`,
    );
    expect([status, job.state]).toEqual([200, 'succeeded']);
    expect(job.warnings.join()).toContain('Could not remove the cluster from your kubeconfig');
    expect(readFileSync(path, 'utf8')).toBe('kind: [Config\n');
  });

  it('returns kubeconfig_unusable for an invalid file, and does not change it', async () => {
    await writeFile(path, `${WORK}users: again\n`);
    expect(await app.client.get(MERGE)).toMatchObject({
      merged: false,
      problem: `Could not use ${path}: line 15: users must be a list. It was not changed.`,
    });
    for (const method of ['POST', 'DELETE']) {
      const answer = await app.client.send(method, MERGE, method === 'POST' ? { body: {} } : {});
      expect([answer.status, answer.body]).toMatchObject([422, { code: 'kubeconfig_unusable' }]);
    }
    expect(readFileSync(path, 'utf8')).toBe(`${WORK}users: again\n`);
  });

  it('rejects invalid bodies with 400', async () => {
    const bodies = [
      { set_current: 'yes' },
      { set_current: null },
      { file: '/etc/passwd' },
      { context: 'x' },
      [],
    ];
    for (const body of bodies) {
      expect([body, (await app.client.send('POST', MERGE, { body })).status]).toEqual([body, 400]);
    }
    expect(readFileSync(path, 'utf8')).toBe(WORK);
  });

  it('rejects requests with another host name, even with a valid session', async () => {
    const named = await startApp({
      environment: { HOME: home, APP_ALLOWED_HOSTS: 'slipway.test', APP_PASS: LOG_BOARD_PASSWORD },
    });
    try {
      const { bearer } = await signIn(named);
      const host = { host: 'slipway.test' };
      for (const method of ['GET', 'POST', 'DELETE']) {
        for (const [headers, status, code] of [
          [host, 401, 'unauthorized'],
          [{ ...host, ...bearer }, 403, 'forbidden_host'],
          [bearer, 404, 'cluster_not_found'],
        ] as const) {
          const answer = await named.client.send(method, MERGE, {
            headers,
            ...(method === 'POST' ? { body: {} } : {}),
          });
          expect([answer.status, answer.body]).toMatchObject([status, { code }]);
        }
      }
    } finally {
      await named.stop();
    }
    expect(readFileSync(path, 'utf8')).toBe(WORK);
  });

  it('exposes no credentials in the log, the journal and the responses', async () => {
    await app.client.send('POST', MERGE, { body: {} });
    const text = readFileSync(path, 'utf8');
    const authority = /certificate-authority-data: (\S+)/.exec(text)?.[1] ?? '';
    expect(authority.length).toBeGreaterThan(20);
    const { text: answer } = await app.client.send('GET', MERGE);
    const { text: entries } = await app.client.send('GET', '/api/v1/journal/recent');
    for (const place of [app.log(), answer, entries]) expect(place).not.toContain(authority);
  });
});
