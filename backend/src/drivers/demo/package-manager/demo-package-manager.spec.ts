import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../core/config/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { ConnectionResources, type ResourceApi } from '../../kubernetes/index.js';
import type { OperationOptions } from '../../package-manager/index.js';
import { DemoWorld } from '../demo-world.js';
import { DemoPackageManager } from './demo-package-manager.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';

const TARGET = { name: 'demo', runtime: 'demo', kubeconfig: testKubeconfig() };
const KIALI = { namespace: 'istio-system', release: 'kiali' };
const DEPLOYMENT = { group: 'apps', version: 'v1', plural: 'deployments', namespace: 'istio-system' };
const REPOSITORY = { type: 'repository', repository: { url: 'https://charts.example' } } as const;

describe('DemoPackageManager', () => {
  let folder: string;
  let world: DemoWorld;
  let manager: DemoPackageManager;
  let api: ResourceApi;

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    const configuration = readConfiguration({
      APP_DATA_DIR: folder,
      APP_DEMO_SPEED: '1000',
      ...environment,
    });
    world = new DemoWorld(configuration, DataDirectory.open(configuration));
    await world.addNode({ name: 'demo-node', cluster: 'demo', role: 'control-plane', image: '', ports: [] });
    manager = new DemoPackageManager(world);
    api = new ConnectionResources('demo', world.apiServer('demo'));
  };
  const options = (signal?: AbortSignal): OperationOptions => ({
    tracking: { ...(signal ? { signal } : {}) },
    timeoutMs: 5000,
  });
  const request = async (values = ''): Promise<Parameters<DemoPackageManager['install']>[1]> => ({
    ...KIALI,
    chart: await manager.chart({ ...REPOSITORY, chart: 'kiali-server' }),
    values,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
    await start();
  });

  afterEach(async () => {
    await world.removeNodes(world.nodesOf('demo').map(({ id }) => id));
    await rm(folder, { recursive: true });
  });

  it('lists the metrics-server that each demo cluster starts with', async () => {
    expect(await manager.list(TARGET)).toMatchObject([
      { release: 'metrics-server', namespace: 'kube-system', status: 'deployed', revision: 1 },
    ]);
    const { values, manifest } = await manager.contents(TARGET, {
      namespace: 'kube-system',
      release: 'metrics-server',
    });
    expect(values).toContain('--kubelet-insecure-tls');
    expect(manifest).toContain('v1beta1.metrics.k8s.io');
  });

  it('installs, upgrades, rolls back and uninstalls a release and its objects', async () => {
    await manager.install(TARGET, await request('auth: { strategy: anonymous }\n'), options());
    expect(await api.read({ ...DEPLOYMENT, name: 'kiali' })).toMatchObject({ status: { readyReplicas: 1 } });
    const settings = {
      group: '',
      version: 'v1',
      plural: 'configmaps',
      namespace: 'istio-system',
      name: 'kiali',
    };
    expect(await api.read(settings)).toMatchObject({
      data: { 'config.yaml': expect.stringContaining('strategy: anonymous') as unknown },
    });
    await expect(manager.install(TARGET, await request(), options())).rejects.toMatchObject({
      code: 'release_exists',
    });

    await manager.upgrade(TARGET, await request('replicas: 2\n'), options());
    expect(await api.read({ ...DEPLOYMENT, name: 'kiali' })).toMatchObject({ status: { readyReplicas: 2 } });
    await manager.rollback(TARGET, KIALI, 1, options());
    expect(await manager.history(TARGET, KIALI)).toMatchObject([
      { revision: 3, status: 'deployed', description: 'Rollback to 1' },
      { revision: 2, status: 'superseded' },
      { revision: 1, status: 'superseded' },
    ]);

    await manager.uninstall(TARGET, KIALI, options());
    await expect(manager.history(TARGET, KIALI)).rejects.toMatchObject({ code: 'addon_not_found' });
    await expect(api.read({ ...DEPLOYMENT, name: 'kiali' })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });

  it('leaves an aborted release pending and a failed one failed', async () => {
    const ended = new AbortController();
    const installing = manager.install(TARGET, await request(), options(ended.signal));
    ended.abort();
    await expect(installing).rejects.toMatchObject({ failure: 'aborted' });
    expect(await manager.history(TARGET, KIALI)).toMatchObject([{ status: 'pending-install' }]);
    await world.removeNodes(world.nodesOf('demo').map(({ id }) => id));
    await start({ APP_DEMO_FAILURES: 'install:kiali' });
    await expect(manager.install(TARGET, await request(), options())).rejects.toMatchObject({
      code: 'demo_failure',
    });
    expect(await manager.history(TARGET, KIALI)).toMatchObject([{ status: 'failed' }]);
  });

  it('rejects invalid values and an unknown chart', async () => {
    const looked = { ...(await request('a: [')), upgrade: false, kubernetes: null };
    await expect(manager.render(TARGET, looked)).rejects.toMatchObject({ code: 'values_refused' });
    await expect(manager.chart({ ...REPOSITORY, chart: 'nothing' })).rejects.toMatchObject({
      code: 'chart_not_found',
    });
  });
});
