import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CloneCheckDto } from '../../backend/src/modules/clusters/clone/clone.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** Its ports are below those that the system gives to clients. */
const CONFIG = `# The shop, as the team runs it.
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
networking:
  apiServerPort: 26443
nodes:
- role: control-plane
  extraPortMappings:
  - containerPort: 80
    hostPort: 28080 # the web
    listenAddress: 127.0.0.1
  - containerPort: 53
    hostPort: 28081
    listenAddress: 127.0.0.1
    protocol: UDP
- role: worker
  extraMounts:
  - hostPath: /srv/shop
    containerPath: /data
`;

describe('clones', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', {
      config: CONFIG,
      workers: undefined,
      accept_host_access: true,
    });
  });

  afterAll(() => app.stop());

  const send = (path: string, body: unknown): ReturnType<TestApp['client']['send']> =>
    app.client.send('POST', `/api/v1/clusters/${path}`, { body });

  it('list moved ports and shared host paths in the check', async () => {
    const answer = await send('shop/clone/check', { name: 'shop-2' });
    expect(answer.status).toBe(200);
    const check = answer.body as CloneCheckDto;
    expect(
      check.moves.map(({ where, protocol, from, to, reason }) => [where, protocol, from, to, reason]),
    ).toEqual([
      ['networking.apiServerPort', 'TCP', 26443, 26444, 'shop needs it'],
      [
        'nodes[0].extraPortMappings[0].hostPort',
        'TCP',
        28080,
        28081,
        expect.stringMatching(/^shop (uses|needs) it$/),
      ],
      [
        'nodes[0].extraPortMappings[1].hostPort',
        'UDP',
        28081,
        28082,
        expect.stringMatching(/^shop (uses|needs) it$/),
      ],
    ]);
    expect(check).toMatchObject({ acceptable: true, problems: [] });
    expect(check.warnings.join()).toContain('/srv/shop');
    expect(check.config).toContain('# The shop, as the team runs it.');
    expect(check.config).toMatch(/hostPort: 28081 # the web/);
    const taken = (await send('shop/clone/check', { name: 'shop' })).body as CloneCheckDto;
    expect(taken).toMatchObject({ acceptable: false, problems: [{ field: 'name' }] });
  });

  it('are created by a job that logs all moved ports', async () => {
    const answer = await send('shop/clone', { name: 'shop-2' });
    expect([answer.status, answer.headers.location]).toEqual([202, expect.stringContaining('/api/v1/jobs/')]);
    const job = await jobEnded(app.client, (answer.body as { job_id: number }).job_id);
    expect(job).toMatchObject({ kind: 'clone', cluster: 'shop-2', state: 'succeeded' });
    expect(job.result).toMatchObject({
      source: 'shop',
      moves: [{ to: 26444 }, { to: 28081 }, { to: 28082 }],
    });
    expect(job.progress_log.filter(({ text }) => text.startsWith('Changed host port ')).length).toBe(3);
    expect(job.warnings.join()).toContain('/srv/shop');
    expect(await clusterOf(app.client, 'shop-2')).toMatchObject({
      state: 'running',
      origin: 'created',
      workers: 1,
      config_changed: false,
    });
    const third = (await send('shop/clone/check', { name: 'shop-3' })).body as CloneCheckDto;
    expect(third.moves.map(({ to }) => to)).toEqual([26445, 28082, 28083]);
  });

  it('reject existing and invalid names, and missing clusters', async () => {
    const code = async (path: string, body: unknown): Promise<unknown> => {
      const answer = await send(path, body);
      return [answer.status, (answer.body as ErrorResponse).code];
    };
    expect(await code('shop/clone', { name: 'shop' })).toEqual([409, 'cluster_exists']);
    expect(await code('shop/clone', { name: '../shop' })).toEqual([400, 'invalid_input']);
    expect(await code('shop/clone', { name: 'shop-4', runtime: 'docker' })).toEqual([
      503,
      'runtime_unavailable',
    ]);
    expect(await code('missing/clone', { name: 'shop-4' })).toEqual([404, 'cluster_not_found']);
  });

  it('leave nothing when cancelled', async () => {
    const { body } = await send('shop/clone', { name: 'brief' });
    const { job_id } = body as { job_id: number };
    await app.client.send('POST', `/api/v1/jobs/${job_id}/cancel`);
    expect((await jobEnded(app.client, job_id)).state).toBe('cancelled');
    expect((await app.client.send('GET', '/api/v1/clusters/brief')).status).toBe(404);
  });
});
