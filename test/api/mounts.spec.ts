import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { wish } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('folders of this machine in the nodes', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it.each([
    [['/code', '/code/'], 'mounts', 'has the container path /code twice; each may be given once'],
    [
      ['/code', '/var/'],
      'mounts[1].container_path',
      'is where kind mounts what the node needs; take another, such as /data',
    ],
    [['/usr'], 'mounts[0].container_path', 'hides what the node runs from; take another, such as /data'],
  ])('are refused at %j', async (places, field, problem) => {
    const mounts = places.map((container_path) => ({ host_path: '/srv/code', container_path }));
    const answer = await app.client.send('POST', '/api/v1/clusters', { body: wish('folders', { mounts }) });
    expect([answer.status, (answer.body as ErrorResponse).details]).toEqual([400, [{ field, problem }]]);
  });

  it.each(['', '/', '/clusters', '/not/there'])(
    'are refused where they reach the data folder%s',
    async (inside) => {
      const path = inside === '/' ? inside : app.dataDirectory + inside;
      const mounts = [{ host_path: path, container_path: '/data' }];
      const fields = await app.client.send('POST', '/api/v1/clusters', { body: wish('folders', { mounts }) });
      expect([fields.status, fields.body]).toMatchObject([
        400,
        { details: [{ field: 'mounts[0].host_path', problem: expect.stringContaining('APP_DATA_DIR') }] },
      ]);
      const config = `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n  extraMounts:\n  - hostPath: ${path}\n    containerPath: /data\n`;
      const body = { name: 'folders', config, accept_host_access: true };
      const whole = await app.client.send('POST', '/api/v1/clusters', { body });
      expect([whole.status, whole.body]).toMatchObject([
        422,
        { details: [{ path: 'nodes[0].extraMounts[0].hostPath', line: 6 }] },
      ]);
    },
  );

  it('are refused in a config where they stand, before there is a cluster', async () => {
    const config = [
      'kind: Cluster',
      'apiVersion: kind.x-k8s.io/v1alpha4',
      'nodes:',
      '- role: control-plane',
      '  extraMounts: [{ hostPath: /srv, containerPath: /run }]',
    ].join('\n');
    const body = { name: 'folders', config, accept_host_access: true };
    const answer = await app.client.send('POST', '/api/v1/clusters', { body });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        code: 'config_refused',
        details: [{ path: 'nodes[0].extraMounts[0].containerPath', line: 5, column: 50 }],
      },
    ]);
    expect(await app.client.get('/api/v1/clusters')).toEqual([]);
  });
});
