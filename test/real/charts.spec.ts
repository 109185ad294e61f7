import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { HelmPackageManager } from '../../backend/src/drivers/package-manager/helm/helm-package-manager.js';
import type {
  Chart,
  RepositoryCredentials,
} from '../../backend/src/drivers/package-manager/package-manager.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { ChartServer } from '../support/charts/chart-server.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { freePort } from '../support/free-port.js';
import { pathOf } from './support/engines.js';

jest.setTimeout(60_000);

const CREDENTIALS = { username: 'reader', password: 'canary-of-the-repository' };
const WRONG = { username: 'reader', password: 'canary-that-is-wrong' };

/** Chart sources with both major versions of helm, without a cluster. */
describe.each(['helm', 'helm3'])('charts with %s', (program) => {
  let folder: string;
  let charts: ChartServer;
  let other: ChartServer;
  let manager: HelmPackageManager;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'charts-'));
    charts = await ChartServer.start([shopChart('1.0.0'), shopChart('1.1.0')]);
    other = await ChartServer.start([shopChart('1.0.0'), shopChart('1.1.0')]);
    manager = await managerOf([charts.host]);
  });

  afterEach(async () => {
    await Promise.all([charts.stop(), other.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const managerOf = async (allowed: readonly string[]): Promise<HelmPackageManager> => {
    const path = await pathOf(program);
    const configuration = readConfiguration({ ...process.env, APP_HELM: path });
    return new HelmPackageManager(new LocalProcessRunner(configuration), join(folder, 'helm'), {
      allowedHosts: allowed,
    });
  };
  const ofRepository = (credentials?: RepositoryCredentials, version?: string): Promise<Chart> =>
    manager.chart({
      type: 'repository',
      repository: { url: charts.url, credentials },
      chart: 'shop',
      version,
    });
  const ofRegistry = (
    credentials?: RepositoryCredentials,
    version?: string,
    chart = 'shop',
  ): Promise<Chart> =>
    manager.chart({
      type: 'registry',
      reference: `oci://${charts.host}/charts/${chart}`,
      version,
      credentials,
    });

  it('previews a chart with the given versions and without access to the cluster', async () => {
    const secret = '{{ lookup "v1" "Secret" "kube-system" "bootstrap" | toJson | quote }}';
    const knows = '{{ .Capabilities.APIVersions.Has "shop.test/v1/Counter" | quote }}';
    const text = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {found: ${secret}, knows: ${knows}, version: "{{ .Capabilities.KubeVersion }}"}\n`;
    const file = join(folder, 'curious.tgz');
    await writeFile(
      file,
      await packChart({ name: 'curious', version: '1.0.0', files: { 'templates/a.yaml': text } }),
    );
    const manifest = await manager.preview({
      ...{ release: 'a', namespace: 'b', values: '', upgrade: false, kubernetes: 'v1.34.4' },
      chart: await manager.chart({ type: 'archive', file }),
      apiVersions: ['shop.test/v1', 'shop.test/v1/Counter'],
    });
    expect(manifest).toContain('data: {found: "{}", knows: "true", version: "v1.34.4"}');
  });

  describe.each([
    ['a repository', ofRepository],
    ['a registry', ofRegistry],
  ])('from %s', (_place, fetch) => {
    it('downloads the newest or the requested version', async () => {
      expect(await fetch()).toMatchObject({ name: 'shop', version: '1.1.0' });
      expect(await fetch(undefined, '1.0.0')).toMatchObject({ name: 'shop', version: '1.0.0' });
      await expect(fetch(undefined, '9.9.9')).rejects.toMatchObject({
        code: 'chart_not_found',
        message: expect.stringContaining('9.9.9'),
      });
    });

    it('requires the right password', async () => {
      charts.credentials = CREDENTIALS;
      for (const credentials of [undefined, WRONG]) {
        const refused: unknown = await fetch(credentials).catch((error: unknown) => error);
        expect(refused).toMatchObject({
          code: 'repository_unreachable',
          message: expect.stringMatching(/credentials are invalid/),
        });
        expect(JSON.stringify(refused)).not.toContain('canary');
      }
      expect(await fetch(CREDENTIALS)).toMatchObject({ version: '1.1.0' });
    });
  });

  it('lists charts with their versions', async () => {
    charts.credentials = CREDENTIALS;
    expect(await manager.offered({ url: charts.url, credentials: CREDENTIALS })).toEqual([
      {
        name: 'shop',
        description: 'A chart of a test',
        versions: [
          { version: '1.1.0', appVersion: '1.1.0' },
          { version: '1.0.0', appVersion: '1.0.0' },
        ],
      },
    ]);
  });

  it.each(['an index that names it', 'a redirect'])(
    'follows %s to another host without sending the password',
    async (way) => {
      charts.credentials = CREDENTIALS;
      // The same host by another name, which counts as another host.
      const there = other.url.replace('127.0.0.1', 'localhost');
      if (way === 'a redirect') charts.redirectTo = there;
      else charts.chartsAt = there;
      expect(await ofRepository(CREDENTIALS)).toMatchObject({ version: '1.1.0' });
      expect(other.requests).toEqual([{ path: '/shop-1.1.0.tgz', authorization: undefined }]);
    },
  );

  it('reports an invalid index and an unreachable host', async () => {
    charts.indexText = '<html><body>Welcome to nginx!</body></html>';
    await expect(manager.offered({ url: charts.url })).rejects.toMatchObject({
      code: 'repository_unreachable',
      message: expect.stringContaining('is not a chart index'),
    });
    const host = `127.0.0.1:${await freePort()}`;
    manager = await managerOf([host]);
    const refused = {
      code: 'repository_unreachable',
      message: expect.stringContaining('connection refused'),
    };
    await expect(manager.offered({ url: `http://${host}` })).rejects.toMatchObject(refused);
    const reference = `oci://${host}/charts/shop`;
    await expect(manager.chart({ type: 'registry', reference, version: '1.0.0' })).rejects.toMatchObject(
      refused,
    );
  });

  it('sends no request to a loopback host that is not allowed', async () => {
    manager = await managerOf([]);
    for (const fetch of [ofRepository, ofRegistry]) {
      await expect(fetch()).rejects.toMatchObject({
        code: 'repository_unreachable',
        message: expect.stringContaining('is not allowed'),
      });
    }
    expect(charts.requests).toEqual([]);
  });
});
