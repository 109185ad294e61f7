import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import type { SealedSecretStore } from '../../backend/src/core/secrets/index.js';
import { DemoPackageManager } from '../../backend/src/drivers/demo/package-manager/demo-package-manager.js';
import { HelmPackageManager } from '../../backend/src/drivers/package-manager/helm/helm-package-manager.js';
import { readChartArchive } from '../../backend/src/drivers/package-manager/chart-archive.js';
import type {
  Chart,
  PackageManagerStatus,
} from '../../backend/src/drivers/package-manager/package-manager.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/local-process-runner.js';
import { AddonValues } from '../../backend/src/modules/addons/operation/addon-values.js';
import { HOPELESS, packChart, shopChart } from '../support/charts/own-chart.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { targetOf } from '../support/engine/target-of.js';
import { ProgramStage, type ScriptedProcess } from '../support/programs/program-stage.js';
import { ScriptedHelm } from '../support/programs/scripted-helm.js';
import { isAlive } from '../support/server/processes.js';
import { packageManagerContract } from './ports/package-manager.contract.js';
import { DEMO_TARGET, makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { testKubeconfig } from '../support/kubernetes/test-kubeconfig.js';

describe('HelmPackageManager', () => {
  let folder: string;
  let stage: ProgramStage | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helm-'));
  });

  afterEach(async () => {
    await stage?.close();
    stage = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const statusWith = async (output: string, exitStatus = 0): Promise<PackageManagerStatus> => {
    stage = await ProgramStage.open(folder, {
      helm: (running) => {
        running.print('stdout', output);
        running.exit(exitStatus);
        return Promise.resolve();
      },
    });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    return await new HelmPackageManager(new LocalProcessRunner(configuration), join(folder, 'home')).status();
  };

  it.each([
    ['v3.16.2+g13654a5\n', '3.16.2', '3.20.2'],
    ['v3.22.0+gabcdef0\n', '3.22.0', null],
    ['v4.1.3+gabcdef0\n', '4.1.3', '4.1.4'],
    ['v4.2.4+gabcdef0\n', '4.2.4', null],
  ])('accepts the version output %j', async (output, version, safer) => {
    const { warning, ...status } = await statusWith(output);
    expect(status).toEqual({ name: 'helm', version, problem: null });
    expect(warning).toEqual(safer === null ? null : expect.stringContaining(`Upgrade to ${safer}`));
    expect(stage?.calls.map(({ args }) => args)).toEqual([['version', '--short']]);
  });

  it.each([
    ['Client: &version.Version{SemVer:"v2.17.0"}\n', 0, 'does not report its version'],
    ['v2.17.0+g1\n', 0, 'helm 2.17.0 is not supported'],
    ['v5.0.0\n', 0, '3 or 4 is required'],
    ['', 1, 'does not work'],
  ])('rejects the version output %j', async (output, exitStatus, reason) => {
    const { problem } = await statusWith(output, exitStatus);
    expect(problem?.reason).toContain(reason);
    expect(problem?.fix).toContain('https://helm.sh/');
  });

  it('reports a missing helm', async () => {
    const configuration = readConfiguration({ PATH: folder, APP_HELM: join(folder, 'helm') });
    const { version, problem } = await new HelmPackageManager(
      new LocalProcessRunner(configuration),
      join(folder, 'home'),
    ).status();
    expect([version, problem?.reason]).toEqual([null, 'helm is not installed.']);
  });

  it('passes values and kubeconfig by private files, and disables the sign-in of Kiali', async () => {
    const given: { values: string; kubeconfig: string; modes: number[]; args: string[] }[] = [];
    stage = await ProgramStage.open(folder, {
      helm: async (running) => {
        const { args } = running.call;
        if (args[0] === 'version') running.print('stdout', 'v4.3.1+g0000000');
        else {
          const [values = '', kubeconfig = ''] = ['--values=', '--kubeconfig='].map((flag) =>
            (args.find((arg) => arg.startsWith(flag)) ?? '').slice(flag.length),
          );
          given.push({
            values: await readFile(values, 'utf8'),
            kubeconfig: await readFile(kubeconfig, 'utf8'),
            modes: [(await stat(values)).mode & 0o777, (await stat(kubeconfig)).mode & 0o777],
            args,
          });
        }
        running.exit(0);
      },
    });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    const manager = new HelmPackageManager(new LocalProcessRunner(configuration), join(folder, 'home'));
    const chart: Chart = {
      name: 'kiali-server',
      version: '2.29.0',
      appVersion: null,
      description: '',
      kubeVersion: null,
      defaultValues: '',
      schema: null,
      crds: [],
      dependencies: [],
      source: { type: 'archive', file: join(folder, 'kiali-server.tgz') },
    };
    const kept = new Map<string, string>();
    const sealed = {
      get: (name: string) => kept.get(name),
      put: (name: string, secret: string) => kept.set(name, secret),
    };
    const preparing = new AddonValues(sealed as unknown as SealedSecretStore);
    const cluster = { name: 'staging', runtime: 'docker' };
    for (const text of ['', 'deployment: { replicas: 2 }\n']) {
      const values = await preparing.prepare(cluster, chart, text);
      await manager.install(
        { ...cluster, kubeconfig: testKubeconfig() },
        { release: 'kiali', namespace: 'istio-system', chart, values },
        { tracking: {}, timeoutMs: 5000 },
      );
    }
    const [first, second] = given.map(({ values }) => parseYaml(values) as Record<string, unknown>);
    expect(first).toMatchObject({ auth: { strategy: 'anonymous' }, deployment: { view_only_mode: true } });
    expect(second).toMatchObject({ auth: { strategy: 'anonymous' }, deployment: { replicas: 2 } });
    // A new key would restart Kiali.
    expect(second?.['login_token']).toEqual(first?.['login_token']);
    expect(first?.['login_token']).toEqual({ signing_key: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(given.map(({ modes }) => modes)).toEqual([
      [0o600, 0o600],
      [0o600, 0o600],
    ]);
    expect(given[0]?.kubeconfig).toBe(testKubeconfig().text);
    expect(given[0]?.args).toEqual([
      'install',
      '--create-namespace',
      '--hide-notes',
      '--namespace=istio-system',
      '--wait',
      '--timeout=5s',
      expect.stringMatching(/^--kubeconfig=/),
      expect.stringMatching(/^--values=/),
      '--',
      'kiali',
      join(folder, 'kiali-server.tgz'),
    ]);
    expect(await readdir(join(folder, 'home', 'calls'))).toEqual([]);
  });

  it('previews a chart without access to the cluster and its Secrets', async () => {
    stage = await ProgramStage.open(folder, {
      helm: (running) => {
        running.print('stdout', running.call.args[0] === 'version' ? 'v4.3.1+g0000000' : 'kind: ConfigMap');
        running.exit(0);
        return Promise.resolve();
      },
    });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    const manager = new HelmPackageManager(new LocalProcessRunner(configuration), join(folder, 'home'));
    const manifest = await manager.preview({
      ...{ release: 'shop', namespace: 'market', values: '', upgrade: true, kubernetes: 'v1.34.4' },
      chart: await shopArchive(folder, '1.0.0'),
      apiVersions: ['apps/v1', 'apps/v1/Deployment'],
    });
    expect(manifest.trim()).toBe('kind: ConfigMap');
    expect(stage.calls.at(-1)?.args).toEqual([
      ...['template', '--namespace=market', '--no-hooks', '--skip-tests', '--is-upgrade'],
      ...['--dry-run=client', '--kube-version=v1.34.4', '--api-versions=apps/v1,apps/v1/Deployment'],
      ...[expect.stringMatching(/^--values=/), '--', 'shop', join(folder, 'shop-1.0.0.tgz')],
    ]);
  });

  it('kills a helm that hangs, and reports the timeout', async () => {
    let hanging: ScriptedProcess | undefined;
    stage = await ProgramStage.open(folder, {
      helm: async (running) => {
        if (running.call.args[0] === 'version') {
          running.print('stdout', 'v4.3.1+g0000000');
          running.exit(0);
          return;
        }
        hanging = running;
        await once(running.gone, 'abort');
      },
    });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    const processes = new LocalProcessRunner(configuration);
    const manager = new HelmPackageManager(processes, join(folder, 'home'), { extraMs: 200 });
    const target = { name: 'staging', runtime: 'docker', kubeconfig: testKubeconfig() };
    const shop = { release: 'shop', namespace: 'market' };
    await expect(manager.rollback(target, shop, 1, { tracking: {}, timeoutMs: 1000 })).rejects.toMatchObject({
      failure: 'timed-out',
      message: 'helm timed out after 1 s',
    });
    expect(isAlive(hanging?.call.pid ?? 0)).toBe(false);
    expect(await readdir(join(folder, 'home', 'calls'))).toEqual([]);
  });
});

describe('DemoPackageManager', () => {
  packageManagerContract(async () => {
    const { world, remove } = await makeDemoCluster();
    const folder = await mkdtemp(join(tmpdir(), 'demo-charts-'));
    return {
      manager: new DemoPackageManager(world),
      target: DEMO_TARGET,
      namespace: 'contract',
      hopeless: HOPELESS,
      chart: (wanted) => shopArchive(folder, wanted),
      stop: async () => {
        await remove();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
});

describe.each(['3.22.0', '4.3.1'] as const)('HelmPackageManager with scripted helm %s', (version) => {
  packageManagerContract(async () => {
    const { world, remove } = await makeDemoCluster();
    const api = await ScriptedApiServer.start();
    api.behind = world.apiServer('demo');
    const folder = await mkdtemp(join(tmpdir(), 'helm-'));
    const stage = await ProgramStage.open(folder, { helm: new ScriptedHelm(version).play });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    const manager = new HelmPackageManager(new LocalProcessRunner(configuration), join(folder, 'home'));
    return {
      manager,
      target: targetOf(api),
      namespace: 'contract',
      hopeless: HOPELESS,
      chart: (wanted) => shopArchive(folder, wanted),
      stop: async () => {
        await stage.close();
        await api.stop();
        await remove();
        await rm(folder, { recursive: true, force: true });
        expect([...stage.unexpected, ...api.unexpected]).toEqual([]);
      },
    };
  });
});

async function shopArchive(folder: string, version: string): Promise<Chart> {
  const file = join(folder, `shop-${version}.tgz`);
  await writeFile(file, await packChart(shopChart(version)));
  return await readChartArchive(file);
}
