import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterCheckDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import { createCluster, jobEnded, submit } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('ports of a stopped cluster', () => {
  let app: TestApp;
  // Below the ports that this machine gives to other programs, such as servers of other tests.
  const [appPort, apiPort, freePort] = [28_180, 28_181, 28_182];
  const config = `
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
networking: { apiServerPort: ${apiPort} }
nodes: [{ role: control-plane, extraPortMappings: [{ containerPort: 80, hostPort: ${appPort}, listenAddress: 127.0.0.1 }] }]
`;

  const mapping = (hostPort: number): object => ({ container_port: 80, host_port: hostPort });
  const check = async (body: object): Promise<ClusterCheckDto> =>
    (await app.client.send('POST', '/api/v1/clusters/check', { body })).body as ClusterCheckDto;
  const wanting = (...ports: number[]): object => ({
    name: 'other',
    workers: 0,
    node_image_tag: 'v1.34.4',
    port_mappings: ports.map(mapping),
  });

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { config, workers: undefined });
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/shop/stop'));
  });

  afterAll(() => app.stop());

  it('are a warning of POST /clusters/check for another cluster', async () => {
    const found = await check(wanting(appPort, apiPort, freePort));
    const warning = (port: number): string =>
      `Host port ${port}/TCP is also needed by shop when it starts. Only one of them can use it.`;
    expect([found.acceptable, found.problems]).toEqual([true, []]);
    expect(found.warnings.filter((text) => text.startsWith('Host port'))).toEqual([
      warning(appPort),
      warning(apiPort),
    ]);
  });

  it('are a warning of the job that takes them', async () => {
    const job = await jobEnded(app.client, await submit(app.client, '/api/v1/clusters', wanting(appPort)));
    expect(job.state).toBe('succeeded');
    expect(job.warnings).toContain(
      `Host port ${appPort}/TCP is also needed by shop when it starts. Only one of them can use it.`,
    );
  });

  it('are not a warning of its own recreation', async () => {
    const { status, body } = await app.client.send('GET', '/api/v1/clusters/shop/recreate/check');
    expect(status).toBe(200);
    expect(body).toMatchObject({ warnings: expect.not.arrayContaining([expect.stringMatching(/shop/)]) });
  });
});
