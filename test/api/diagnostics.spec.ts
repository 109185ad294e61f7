import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DiagnosticsDto } from '../../backend/src/modules/diagnostics/index.js';
import { createCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** A port of a cluster's config. */
function configOn(port: number): string {
  return `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
    extraPortMappings:
      - containerPort: 80
        hostPort: ${port}
        listenAddress: 127.0.0.1
`;
}

describe('GET /diagnostics', () => {
  let app: TestApp;
  let other: Server;
  let port: number;

  const checks = async (): Promise<DiagnosticsDto['checks']> =>
    (await app.client.get<DiagnosticsDto>('/api/v1/diagnostics')).checks;

  beforeAll(async () => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as { port: number });
    app = await startApp({
      environment: { HTTPS_PROXY: 'http://me:hidden@127.0.0.1:3128' },
      prepare: (folder) => {
        const cluster = join(folder, 'clusters', 'waiting');
        mkdirSync(cluster, { recursive: true });
        const meta = { name: 'waiting', runtime: 'demo', creation: 'created', workers: 0, control_planes: 1 };
        writeFileSync(join(cluster, 'meta.json'), JSON.stringify(meta));
        writeFileSync(join(cluster, 'cluster.yaml'), configOn(port));
      },
    });
  });

  afterAll(async () => {
    await app.stop();
    other.close();
  });

  it('checks engines, programs, the host, ports and proxies', async () => {
    const names = (await checks()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['runtime-demo', 'provisioner', 'package-manager', 'memory', 'proxies']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('reports a port of an inactive cluster that another program uses, with a command to find it', async () => {
    const found = (await checks()).find(({ name }) => name === `port-demo-waiting-${port}-tcp`);
    expect(found).toMatchObject({
      title: `Port ${port} of waiting`,
      level: 'warning',
      message: `host port ${port}/TCP on 127.0.0.1 is in use by another program; waiting cannot start until it is free`,
    });
    expect(found?.fix).toContain(String(port));
    other.close();
    await once(other, 'close');
    const later = await checks();
    expect(later.filter(({ name }) => name.startsWith('port-'))).toEqual([]);
    expect(later.find(({ name }) => name === 'ports')).toMatchObject({ level: 'ok' });
  });

  it('ignores an unreadable config', async () => {
    writeFileSync(join(app.dataDirectory, 'clusters', 'waiting', 'cluster.yaml'), 'nodes: [');
    expect((await checks()).find(({ name }) => name === 'ports')).toMatchObject({ level: 'ok' });
  });

  it('does not check the ports of a running cluster', async () => {
    await createCluster(app.client, 'running');
    expect((await checks()).filter(({ name }) => name.includes('running'))).toEqual([]);
  });

  it('shows proxies without credentials', async () => {
    const proxies = (await checks()).find(({ name }) => name === 'proxies');
    expect(proxies).toMatchObject({ level: 'warning' });
    expect(proxies?.message).toContain('HTTPS_PROXY=http://127.0.0.1:3128');
    expect(JSON.stringify(await checks())).not.toContain('hidden');
  });
});
