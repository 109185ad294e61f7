import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createCluster, requestCluster } from '../support/app/clusters.js';
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
