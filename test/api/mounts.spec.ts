import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterSpec } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('POST /clusters with mounts', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it.each([
    [['/code', '/code/'], 'mounts', 'contains the container path /code twice'],
    [
      ['/code', '/var/'],
      'mounts[1].container_path',
      'is a mount point of kind; use another path, such as /data',
    ],
    [['/usr'], 'mounts[0].container_path', 'is a system folder of the node; use another path, such as /data'],
  ])('rejects the container paths %j', async (paths, field, problem) => {
    const mounts = paths.map((container_path) => ({ host_path: '/srv/code', container_path }));
    const answer = await app.client.send('POST', '/api/v1/clusters', {
      body: clusterSpec('folders', { mounts }),
    });
    expect([answer.status, (answer.body as ErrorResponse).details]).toEqual([400, [{ field, problem }]]);
  });

  it.each(['', '/', '/clusters', '/not/there'])(
    'rejects a mount of the data folder%s, in fields and in a config',
    async (inside) => {
      const path = inside === '/' ? inside : app.dataDirectory + inside;
      const mounts = [{ host_path: path, container_path: '/data' }];
      const fields = await app.client.send('POST', '/api/v1/clusters', {
        body: clusterSpec('folders', { mounts }),
      });
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
});
