import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../backend/src/core/config/configuration.js';
import { ClusterKubeconfig } from '../../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import { HelmPackageManager } from '../../../backend/src/drivers/package-manager/helm/helm-package-manager.js';
import { LocalProcessRunner } from '../../../backend/src/drivers/process/local-process-runner.js';
import type {
  AddonOperationDto,
  ReleaseDetailsDto,
} from '../../../backend/src/modules/addons/common/addon.dto.js';
import type { AddonForwardDto } from '../../../backend/src/modules/addons/common/operation.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { ResourceTableDto } from '../../../backend/src/modules/resources/common/resource.dto.js';
import { packageManagerContract } from '../../contract/ports/package-manager.contract.js';
import { ChartServer } from '../../support/charts/chart-server.js';
import { METRICS_SERVER_CHART } from '../../support/charts/metrics-server-chart.js';
import { HOPELESS, packChart, shopChart } from '../../support/charts/own-chart.js';
import { waitFor } from '../../support/wait-for.js';
import { pathOf, run } from '../support/engines.js';
import { HELM_OF_API } from '../support/helm-programs.js';
import { Product } from '../support/product.js';
import type { RealCluster } from '../support/real-cluster.js';
import { isAll } from '../support/scope.js';

const DEADLINE_MS = 180_000;

/** Charts come from a loopback repository, and their images are part of the node image. */
export function testAddons(cluster: RealCluster): void {
  const { engine, name } = cluster;
  const program = HELM_OF_API[engine];
  let charts: ChartServer;

  beforeAll(async () => {
    charts = await ChartServer.start([shopChart('1.0.0'), shopChart('1.1.0')]);
  }, DEADLINE_MS);

  afterAll(async () => {
    await charts.stop();
  });

  describe(`with ${program}`, () => {
    let product: Product;
    const addons = `/clusters/${name}/addons`;
    const where = `?runtime=${engine}`;

    beforeAll(async () => {
      product = await Product.started({ APP_HELM: await pathOf(program), APP_CHART_HOSTS: charts.host });
      const repository = { name: 'own', url: charts.url };
      const { status } = await product.call('POST', `${addons}/repositories${where}`, repository);
      expect(status).toBe(201);
    }, DEADLINE_MS);

    afterAll(async () => {
      await product.discard();
    }, DEADLINE_MS);

    const begin = async (method: string, path: string, body?: object): Promise<number> => {
      const response = await product.call<AddonOperationDto>(method, `${addons}${path}${where}`, body);
      if (response.status !== 202) {
        throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
      }
      return response.body.job_id ?? 0;
    };
    const done = async (id: number): Promise<JobWithLogDto> => {
      const job = await product.ended(id);
      expect([job.state, job.error]).toEqual(['succeeded', null]);
      return job;
    };
    const details = async (): Promise<ReleaseDetailsDto> =>
      (await product.call<ReleaseDetailsDto>('GET', `${addons}/releases/shop${where}`)).body;

    it('installs, upgrades and rolls back a chart', async () => {
      const chart = { repository: 'own', chart: 'shop', release: 'shop', namespace: `shop-${program}` };
      const refused = await product.call('POST', `${addons}${where}`, {
        ...chart,
        values: 'replicas: many\n',
      });
      expect([refused.status, refused.body]).toMatchObject([
        422,
        // On a busy machine, helm checks the schema instead of Slipway, with another wording.
        { code: 'values_refused', message: expect.stringMatching(/replicas.*integer/) },
      ]);

      const installed = await done(await begin('POST', '', { ...chart, version: '1.0.0' }));
      expect(installed.progress_steps.find(({ name }) => name === 'install')?.detail).toBe('4 of 4 ready');
      expect(await details()).toMatchObject({
        state: 'deployed',
        revision: 1,
        resources_ready: 4,
        resources_total: 4,
        source: 'own',
      });

      const wanted = { version: '1.1.0', values: 'replicas: 2\npassword: canary\n' };
      const dry = await product.call<AddonOperationDto>('PUT', `${addons}/releases/shop${where}`, {
        ...wanted,
        dry_run: true,
      });
      expect(dry.body.difference?.changes.map(({ kind, change }) => `${change} ${kind}`).sort()).toEqual([
        'changed ConfigMap',
        'changed Deployment',
        'changed Secret',
      ]);
      expect(JSON.stringify(dry.body)).not.toContain('canary');
      await done(await begin('PUT', '/releases/shop', wanted));
      await done(await begin('POST', '/releases/shop/rollback', { revision: 1 }));
      expect(await details()).toMatchObject({
        state: 'deployed',
        revision: 3,
        version: '1.0.0',
        values: '',
      });
    });

    if (isAll) {
      it('rolls back an upgrade that SIGKILL of the server interrupts', async () => {
        const upgrade = await begin('PUT', '/releases/shop', { values: HOPELESS });
        const listed = (): Promise<string> =>
          run(program, ['list', '-A', `--kubeconfig=${cluster.kubeconfigFile}`, '--pending']);
        await waitFor(async () => (await listed()).includes('pending-upgrade'), 'a running helm', 30_000);
        await product.kill();
        await product.start();
        const ended = await product.ended(upgrade);
        expect([ended.state, ended.warnings]).toEqual(['interrupted', []]);
        expect(ended.progress_log.at(-1)?.text).toContain('Rolled back shop to revision 3');
        expect(await details()).toMatchObject({
          state: 'deployed',
          revision: 5,
          version: '1.0.0',
          values: '',
        });
      });
    }

    it('forwards a port, and uninstalls the chart with its forwards', async () => {
      const opened = await product.call<AddonForwardDto>(
        'POST',
        `${addons}/releases/shop/forward${where}`,
        {},
      );
      expect(opened.body.url).toMatch(/^http:\/\/[a-z]{12}\.localhost:\d+\/\?slipway_key=[\w-]+$/);
      const closed = await product.call('DELETE', `${addons}/forwards/${opened.body.id}${where}`);
      expect([closed.status, closed.body]).toEqual([200, []]);
      await product.call('POST', `${addons}/releases/shop/forward${where}`, {});
      await done(await begin('DELETE', '/releases/shop'));
      expect((await product.call<AddonForwardDto[]>('GET', `${addons}/forwards${where}`)).body).toEqual([]);
      expect((await product.call('GET', `${addons}/releases/shop${where}`)).status).toBe(404);
    });
  });

  if (!isAll) return;

  describe(`HelmPackageManager with ${program}`, () => {
    packageManagerContract(async () => {
      const configuration = readConfiguration({ ...process.env, APP_HELM: await pathOf(program) });
      const processes = new LocalProcessRunner(configuration);
      const manager = new HelmPackageManager(processes, join(cluster.folder, `contract-${program}`), {
        allowedHosts: [charts.host],
      });
      const kubeconfig = ClusterKubeconfig.parse(await readFile(cluster.kubeconfigFile, 'utf8'));
      return {
        manager,
        target: { name, runtime: engine, kubeconfig },
        namespace: `contract-${program}`,
        hopeless: HOPELESS,
        chart: (version) =>
          manager.chart({ type: 'repository', repository: { url: charts.url }, chart: 'shop', version }),
        stop: () => Promise.resolve(),
      };
    }, 60_000);
  });

  it('reports usage of Pods and nodes with an uploaded metrics-server', async () => {
    const product = await Product.started();
    try {
      const addons = `/clusters/${name}/addons`;
      const table = async (plural: string): Promise<ResourceTableDto> =>
        (await product.call<ResourceTableDto>('GET', `/clusters/${name}/resources/core/v1/${plural}`)).body;
      expect(await table('nodes')).toMatchObject({
        usage: false,
        rows: [{ cpu_millicores: null }, { cpu_millicores: null }],
      });

      const packed = await packChart(METRICS_SERVER_CHART);
      const type = { 'content-type': 'application/gzip' };
      expect((await product.call('POST', `${addons}/charts`, packed, type)).status).toBe(201);
      const chart = {
        repository: 'uploaded',
        chart: 'metrics-server',
        namespace: 'kube-system',
        timeout_seconds: 60,
      };
      const succeeds = async (method: string, path: string, body?: object): Promise<void> => {
        const { status, body: started } = await product.call<AddonOperationDto>(
          method,
          `${addons}${path}`,
          body,
        );
        expect([status, started]).toMatchObject([202, { dry_run: false }]);
        expect(await product.ended(started.job_id ?? 0)).toMatchObject({ state: 'succeeded', error: null });
      };
      await succeeds('POST', '', { ...chart, values: 'apiService: { create: false }\n' });
      await succeeds('PUT', '/releases/metrics-server', { values: 'apiService: { create: true }\n' });

      for (const plural of ['nodes', 'pods']) {
        const measured = async (): Promise<boolean> => {
          const { usage, rows } = await table(plural);
          return usage && rows.some((row) => (row.cpu_millicores ?? 0) > 0 && (row.memory_bytes ?? 0) > 1e6);
        };
        await waitFor(measured, `CPU and memory of ${plural}`, 90_000);
      }
      await succeeds('DELETE', '/releases/metrics-server');
    } finally {
      await product.discard();
    }
  });
}
