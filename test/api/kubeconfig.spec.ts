import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster, jobEnded, requestCluster } from '../support/app/clusters.js';
import { signIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

interface Kubeconfig {
  clusters: { cluster: Record<string, string> }[];
  [part: string]: unknown;
}

describe('a kubeconfig for containers', () => {
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

  it('is by default the one that goes through the machine, verified by a name of the certificate', async () => {
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

  it('names the control plane on the cluster’s network, or the load balancer before several', async () => {
    const [single] = (await kubeconfig('single/kubeconfig/docker?variant=network')).clusters;
    expect(single?.cluster['server']).toBe('https://single-control-plane:6443');
    expect(single?.cluster['tls-server-name']).toBeUndefined();
    expect(single?.cluster['certificate-authority-data']).toMatch(/^[\w+/=]+$/);
    const [several] = (await kubeconfig('several/kubeconfig/docker?variant=network')).clusters;
    expect(several?.cluster['server']).toBe('https://several-external-load-balancer:6443');
  });

  it('is a download with a name of its own', async () => {
    const answer = await app.client.send('GET', '/api/v1/clusters/single/kubeconfig/docker?variant=network');
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="single.network.kubeconfig.yaml"',
    );
  });

  it.each(['variant=', 'variant=internal', 'variant=host&variant=host', 'variant=host&insecure=true'])(
    'is not there by ?%s',
    async (query) => {
      const answer = await app.client.send('GET', `/api/v1/clusters/single/kubeconfig/docker?${query}`);
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid_input' }]);
    },
  );

  it('cannot be had while the cluster is made', async () => {
    const slow = await startApp({ environment: { APP_DEMO_SPEED: '1' } });
    await requestCluster(slow.client, 'making');
    const answer = await slow.client.send('GET', '/api/v1/clusters/making/kubeconfig/docker');
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'cluster_state' }]);
    await slow.stop();
  });
});

describe('the user’s own kubeconfig', () => {
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

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-home-'));
    path = join(home, '.kube', 'config');
    await mkdir(join(home, '.kube'));
    await writeFile(path, WORK, { mode: 0o600 });
    app = await startApp({ environment: { HOME: home } });
    await createCluster(app.client, 'staging');
  });

  afterEach(async () => {
    await app.stop();
    await rm(home, { recursive: true, force: true });
  });

  const MERGE = '/api/v1/clusters/staging/kubeconfig/merge';

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

  it('takes a cluster in and gives it out again, and nothing else in it changes', async () => {
    const nothing = {
      file: path,
      context: 'kind-staging',
      merged: false,
      current: false,
      outdated: false,
      backup: null,
      problem: null,
    };
    expect(await app.client.get(MERGE)).toEqual(nothing);
    const added = await app.client.send('POST', MERGE, { body: {} });
    expect([added.status, added.body]).toEqual([
      200,
      { ...nothing, merged: true, backup: expect.stringContaining('config.slipway-backup-') as unknown },
    ]);
    expect(contexts()).toEqual(['work', 'kind-staging']);
    const current = await app.client.send('POST', `${MERGE}?runtime=demo`, { body: { set_current: true } });
    expect(current.body).toMatchObject({ merged: true, current: true });
    const taken = await app.client.send('DELETE', MERGE);
    expect([taken.status, taken.body]).toMatchObject([200, { merged: false, current: false }]);
    expect(readFileSync(path, 'utf8')).toBe(WORK.replace('current-context: work', 'current-context: ""'));
    expect(await journal()).toEqual([
      `kind-staging was taken out of ${path}.`,
      `Put into ${path} as kind-staging, and made the current context.`,
      `Put into ${path} as kind-staging.`,
    ]);
    expect((await app.client.send('DELETE', MERGE)).status).toBe(200);
    expect(await journal()).toHaveLength(3);
  });

  it('loses a cluster when that is deleted, and keeps what else was changed meanwhile', async () => {
    await app.client.send('POST', MERGE, { body: { set_current: true } });
    await writeFile(path, readFileSync(path, 'utf8').replace('# mine', '# mine, and later'));
    const { body } = await app.client.send('DELETE', '/api/v1/clusters/staging');
    const { progress_log } = await app.client.get<{ progress_log: { text: string }[] }>(
      `/api/v1/jobs/${(body as { job_id: number }).job_id}`,
    );
    expect(progress_log.map(({ text }) => text)).toContain(`kind-staging was taken out of ${path}`);
    expect(readFileSync(path, 'utf8')).toBe(
      WORK.replace('# mine', '# mine, and later').replace('current-context: work', 'current-context: ""'),
    );
    await createCluster(app.client, 'staging');
    expect(contexts()).toEqual(['work']);
  });

  it('has the new credentials of a cluster that is made anew, and the same current context', async () => {
    await app.client.send('POST', MERGE, { body: { set_current: true } });
    const before = readFileSync(path, 'utf8');
    const { body } = await app.client.send('POST', '/api/v1/clusters/staging/recreate');
    const job = await jobEnded(app.client, (body as { job_id: number }).job_id);
    expect([job.state, job.warnings]).toEqual(['succeeded', []]);
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    expect(contexts()).toEqual(['work', 'kind-staging']);
    expect(await app.client.get(MERGE)).toMatchObject({ merged: true, current: true, outdated: false });
  });

  it('does not keep a cluster from being deleted: the job warns', async () => {
    await app.client.send('POST', MERGE, { body: {} });
    await writeFile(path, 'kind: [Config\n');
    const { status, body } = await app.client.send('DELETE', '/api/v1/clusters/staging');
    const job = await app.client.get<{ state: string; warnings: string[] }>(
      `/api/v1/jobs/${(body as { job_id: number }).job_id}`,
    );
    expect([status, job.state]).toEqual([200, 'succeeded']);
    expect(job.warnings.join()).toContain('It is still in your own kubeconfig');
    expect(readFileSync(path, 'utf8')).toBe('kind: [Config\n');
  });

  it('that cannot be used is told, and stays as it is', async () => {
    await writeFile(path, `${WORK}users: again\n`);
    expect(await app.client.get(MERGE)).toMatchObject({
      merged: false,
      problem: `${path} cannot be used: line 15 has a key that was there before. It was left as it is.`,
    });
    for (const method of ['POST', 'DELETE']) {
      const answer = await app.client.send(method, MERGE, method === 'POST' ? { body: {} } : {});
      expect([answer.status, answer.body]).toMatchObject([422, { code: 'kubeconfig_unusable' }]);
    }
    expect(readFileSync(path, 'utf8')).toBe(`${WORK}users: again\n`);
  });

  it('with a context of that name of another cluster is left alone', async () => {
    const foreign = WORK.replaceAll('work', 'kind-staging');
    await writeFile(path, foreign);
    const answer = await app.client.send('POST', MERGE, { body: { set_current: true } });
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'kubeconfig_taken', details: { file: path, context: 'kind-staging' } },
    ]);
    await app.client.send('DELETE', '/api/v1/clusters/staging');
    expect(readFileSync(path, 'utf8')).toBe(foreign);
  });

  it('in a folder that is none is not written', async () => {
    await rm(join(home, '.kube'), { recursive: true });
    await writeFile(join(home, '.kube'), '');
    const answer = await app.client.send('POST', MERGE, { body: {} });
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'kubeconfig_not_written' }]);
  });

  it('is locked by another program: nothing is written', async () => {
    await writeFile(`${path}.lock`, '');
    const answer = await app.client.send('POST', MERGE, { body: {} });
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'kubeconfig_locked' }]);
    expect(readFileSync(path, 'utf8')).toBe(WORK);
  });

  it.each([{ set_current: 'yes' }, { set_current: null }, { file: '/etc/passwd' }, { context: 'x' }, []])(
    'is not changed by the body %j',
    async (body) => {
      expect((await app.client.send('POST', MERGE, { body })).status).toBe(400);
      expect(readFileSync(path, 'utf8')).toBe(WORK);
    },
  );

  it('is changed under a loopback name only, also with a session', async () => {
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

  it('leaves no credential in the log, the journal or an answer', async () => {
    await app.client.send('POST', MERGE, { body: {} });
    const text = readFileSync(path, 'utf8');
    const authority = /certificate-authority-data: (\S+)/.exec(text)?.[1] ?? '';
    expect(authority.length).toBeGreaterThan(20);
    const { text: answer } = await app.client.send('GET', MERGE);
    const { text: entries } = await app.client.send('GET', '/api/v1/journal/recent');
    for (const place of [app.log(), answer, entries]) expect(place).not.toContain(authority);
  });
});
