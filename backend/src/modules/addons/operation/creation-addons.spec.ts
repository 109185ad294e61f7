import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  FakePackageManager,
  shopChart,
  shopRevision as revision,
} from '../../../../../test/support/charts/fake-package-manager.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { DomainError } from '../../../core/errors/index.js';
import { ChosenAddons } from '../../clusters/index.js';
import type { JobContext } from '../../jobs/index.js';
import { AddonClusters } from '../common/addon-clusters.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { ChartFinder } from '../charts/chart-finder.js';
import { AddonValues } from './addon-values.js';
import { CatalogInstaller } from './catalog-installer.js';
import { CreationAddons } from './creation-addons.js';
import { OperationFilesStore } from './operation-files.js';
import { ReleaseSteps } from './release-steps.js';

const KEY = { name: 'c', runtime: 'docker' };
const TARGET = { runtime: 'docker', kubernetes: 'v1.24.1' };

describe('CreationAddons', () => {
  let manager: FakePackageManager;
  let log: string[];
  let removed: string[];
  let cancel: AbortController;
  let addons: CreationAddons;

  beforeEach(() => {
    manager = new FakePackageManager();
    [log, removed] = [[], []];
    cancel = new AbortController();
    const access = {
      ...KEY,
      target: { ...KEY, kubeconfig: {} as never },
      manager,
      api: () => Promise.reject(new Error('no API')),
      podLogs: () => Promise.reject(new Error('no logs')),
    };
    const clusters = strictFake(AddonClusters, {
      forJob: () => Promise.resolve(access),
      managerOf: () => manager,
    });
    const origin = { source: 'catalogue', chart: 'traefik' };
    const charts = strictFake(ChartFinder, {
      find: () => Promise.resolve({ chart: shopChart(), entry: null, origin }),
    });
    const values = strictFake(AddonValues, {
      prepare: (_cluster, _chart, given) => Promise.resolve(given),
      assertReadable: (_chart, given) =>
        given.includes('[')
          ? Promise.reject(
              new DomainError('values_refused', 'Invalid.', [
                { path: 'crds', line: 2, column: 3, problem: 'is invalid' },
              ]),
            )
          : Promise.resolve(),
      assertFits: () => Promise.resolve(),
    });
    const steps = new ReleaseSteps(clusters);
    addons = new CreationAddons(
      new ChosenAddons(),
      clusters,
      charts,
      values,
      strictFake(OperationFilesStore, {
        writeValues: (values) => Promise.resolve(`file of ${values}`),
        readValues: (id) => Promise.resolve(id),
        remove: (id) => Promise.resolve(void removed.push(id)),
      }),
      new CatalogInstaller(charts, values, strictFake(AddonSourceStore, { put: () => undefined }), steps),
      steps,
    );
  });

  const context = (): JobContext =>
    ({
      job: {},
      signal: cancel.signal,
      log: (text: string) => log.push(text),
      warn: (text: string) => log.push(`warning: ${text}`),
      undone: (text: string) => log.push(text),
      progress: () => undefined,
      tracking: () => ({ signal: cancel.signal }),
    }) as unknown as JobContext;
  const install = async (values: string | null = null): Promise<void> => {
    const [stage] = addons.stages(KEY, [{ addon: 'traefik', values }]);
    await stage?.run(context());
  };

  it('orders addons by their dependencies and stores their values', async () => {
    const chosen = [{ addon: 'istiod' }, { addon: 'traefik', values: 'a: 1\n' }, { addon: 'istio-base' }];
    expect(await addons.keep(chosen, TARGET)).toEqual([
      { addon: 'istio-base', values: null },
      { addon: 'istiod', values: null },
      { addon: 'traefik', values: 'file of a: 1\n' },
    ]);
  });

  it('rejects unknown addons with the available ones', async () => {
    await expect(addons.keep([{ addon: 'nothing' }], TARGET)).rejects.toMatchObject({
      code: 'addon_not_found',
      message: expect.stringMatching(/^Addon nothing does not exist\. Available: metrics-server, traefik/),
    });
  });

  it('reports the field and position of invalid values, and warns of an old Kubernetes version', async () => {
    const chosen = [{ addon: 'traefik', values: 'crds: [' }, { addon: 'nothing' }];
    expect(await addons.check(chosen, TARGET)).toEqual({
      problems: [
        { field: 'addons[0].values', problem: 'crds is invalid', line: 2, column: 3 },
        { field: 'addons[1].addon', problem: expect.stringContaining('nothing'), line: null, column: null },
      ],
      warnings: ['Traefik requires Kubernetes 1.25 or later, but the version is v1.24.1.'],
    });
    await expect(addons.keep([{ addon: 'traefik', values: 'crds: [' }], TARGET)).rejects.toMatchObject({
      code: 'values_refused',
    });
  });

  it('installs an addon and removes its values', async () => {
    await install('file');
    expect([manager.calls, log, removed]).toEqual([
      ['install 1.0.0'],
      ['Installed Traefik as traefik in traefik'],
      ['file'],
    ]);
  });

  it('turns a failure into a warning and uninstalls the addon', async () => {
    manager.failure = { error: new Error('no space'), leaves: 'failed' };
    await install();
    expect(manager.calls).toEqual(['install 1.0.0', 'uninstall']);
    expect(log).toContain(
      'warning: Could not install Traefik. The cluster was created without it. no space.',
    );
  });

  it('does not uninstall an existing release', async () => {
    manager.failure = { error: new DomainError('release_exists', 'It exists.'), leaves: 'deployed' };
    await install();
    expect(manager.calls).toEqual(['install 1.0.0']);
  });

  it('skips an addon that the cluster already contains', async () => {
    manager.revisions = [revision(1, 'deployed', { chart: 'traefik', version: '41.3.0' })];
    await install();
    expect([manager.calls, log]).toEqual([
      [],
      ['Traefik is already installed: traefik in traefik (traefik 41.3.0)'],
    ]);
    await install('file');
    expect(manager.calls).toEqual(['install 1.0.0']);
  });

  it('fails when the creation is cancelled, because the cluster is deleted', async () => {
    manager.failure = { error: new Error('aborted'), leaves: 'pending-install' };
    manager.beforeEnd = () => {
      cancel.abort();
      return Promise.resolve();
    };
    await expect(install('file')).rejects.toThrow('aborted');
    expect([manager.calls, removed]).toEqual([['install 1.0.0'], ['file']]);
  });
});
