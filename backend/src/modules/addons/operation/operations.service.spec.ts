import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  FakePackageManager,
  SHOP,
  shopChart,
  shopRevision as revision,
} from '../../../../../test/support/charts/fake-package-manager.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { DomainError } from '../../../core/errors/index.js';
import type { ResourceApi } from '../../../drivers/kubernetes/index.js';
import { JobsService, type Job } from '../../jobs/index.js';
import { TableWatches } from '../../resources/index.js';
import { AddonClusters, type RunningCluster } from '../common/addon-clusters.js';
import { CATALOG } from '../catalog/catalog.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { ChartFinder, type FoundChart } from '../charts/chart-finder.js';
import { ReleasesService } from '../release/releases.service.js';
import { AddonValues } from './addon-values.js';
import { OperationFilesStore } from './operation-files.js';
import { OperationsService } from './operations.service.js';

const ORIGIN = { source: 'uploaded', chart: 'shop' };
const REQUEST = { repository: 'uploaded', chart: 'shop' };
const config = (mood: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mood: ${mood}\n`;

describe('OperationsService', () => {
  let manager: FakePackageManager;
  let found: FoundChart;
  let submitted: { kind: string; input: unknown }[];
  let removedFiles: string[];
  let jobs: Job[];
  let busy: DomainError | undefined;
  let submitError: DomainError | undefined;
  let origin: typeof ORIGIN | undefined;

  beforeEach(() => {
    manager = new FakePackageManager();
    manager.manifest = config('calm');
    found = { chart: shopChart(), entry: null, origin: ORIGIN };
    [submitted, removedFiles, jobs] = [[], [], []];
    [busy, submitError] = [undefined, undefined];
    origin = ORIGIN;
  });

  function service(): OperationsService {
    const running: RunningCluster = {
      name: 'c',
      runtime: 'docker',
      target: { name: 'c', runtime: 'docker', kubeconfig: {} as never },
      manager,
      api: () => Promise.resolve({ types: () => Promise.resolve([]) } as unknown as ResourceApi),
      podLogs: () => Promise.reject(new Error('no logs')),
      details: { kubernetes_version: 'v1.34.4' } as RunningCluster['details'],
    };
    const clusters = strictFake(AddonClusters, { running: () => Promise.resolve(running) });
    const jobsService = strictFake(JobsService, {
      list: () => jobs,
      assertIdle: () => {
        if (busy) throw busy;
      },
      submit: (kind, _owner, input) => {
        if (submitError) throw submitError;
        submitted.push({ kind, input });
        return { id: 1 } as Job;
      },
    });
    return new OperationsService(
      clusters,
      strictFake(ChartFinder, { find: () => Promise.resolve(found), ofOrigin: () => Promise.resolve(found) }),
      new ReleasesService(
        clusters,
        strictFake(AddonSourceStore, { get: () => origin }),
        jobsService,
        strictFake(TableWatches, {}),
        strictFake(ChartFinder, { newerThan: () => Promise.resolve(null) }),
      ),
      strictFake(AddonValues, { prepare: (_cluster, _chart, given) => Promise.resolve(given) }),
      strictFake(OperationFilesStore, {
        write: () => Promise.resolve('f'.repeat(24)),
        remove: (id) => Promise.resolve(void removedFiles.push(id)),
      }),
      jobsService,
    );
  }

  const rejection = async (result: Promise<unknown>): Promise<DomainError> => {
    const error: unknown = await result.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect(submitted).toEqual([]);
    return error as DomainError;
  };

  describe('install', () => {
    it('submits a job with the chart, its source and the defaults', async () => {
      expect(await service().install('c', {}, REQUEST)).toMatchObject({
        release: 'shop',
        namespace: 'shop',
        cluster: 'c',
        job: { id: 1 },
        diff: null,
      });
      expect(submitted).toMatchObject([
        {
          kind: 'addon-install',
          input: {
            title: 'shop',
            version: '1.0.0',
            origin: ORIGIN,
            keepOnFailure: false,
            timeoutMs: 600_000,
          },
        },
      ]);
    });

    it('uses the title, release and namespace of a catalog entry', async () => {
      const [entry] = CATALOG;
      if (!entry) throw new Error('the catalog is empty');
      found = { ...found, entry };
      await service().install('c', {}, { addon: entry.name });
      expect(submitted[0]?.input).toMatchObject({
        title: 'Metrics Server',
        release: 'metrics-server',
        namespace: 'kube-system',
      });
    });

    it('returns the diff of a dry run, with notes and CRD warnings, even for a busy cluster', async () => {
      busy = new DomainError('cluster_busy', 'Busy.');
      found = { ...found, chart: shopChart('1.0.0', { crds: ['a.yaml'] }) };
      const { job, diff } = await service().install('c', {}, { ...REQUEST, dry_run: true });
      expect([job, diff?.changes.map(({ change, name }) => [change, name])]).toEqual([
        null,
        [['added', 'settings']],
      ]);
      expect(diff?.warnings).toEqual([expect.stringContaining('1 CRD files')]);
      expect(submitted).toEqual([]);
    });

    it('removes the files if the job is rejected', async () => {
      submitError = new DomainError('cluster_busy', 'Busy.');
      expect(await rejection(service().install('c', {}, REQUEST))).toBe(submitError);
      expect(removedFiles).toEqual(['f'.repeat(24)]);
    });

    it.each([
      [{ release: '--kubeconfig' }, 'release is required. The chart name is not a valid release name'],
      [{ release: 'a.b' }, 'release is required'],
    ])('rejects the name %j', async (name, problem) => {
      const error = await rejection(service().install('c', {}, { ...REQUEST, ...name }));
      expect([error.code, error.message]).toEqual(['invalid_input', expect.stringContaining(problem)]);
    });

    it('rejects a chart name that is not a valid release name without a release', async () => {
      found = { ...found, chart: shopChart('1.0.0', { name: 'my_shop' }) };
      const { message } = await rejection(service().install('c', {}, REQUEST));
      expect(message).toContain('The chart name is not a valid release name');
    });

    it.each([
      ['an existing release', [revision(1, 'deployed')], /already exists\. Upgrade it/],
      ['a failed first installation', [revision(1, 'failed')], /its installation failed\. Upgrade it/],
    ])('rejects %s with release_exists', async (_release, history, message) => {
      manager.revisions = history;
      const error = await rejection(service().install('c', {}, { ...REQUEST, namespace: SHOP.namespace }));
      expect([error.code, error.message]).toEqual(['release_exists', expect.stringMatching(message)]);
    });

    it('accepts the name of an interrupted first installation', async () => {
      manager.revisions = [revision(1, 'pending-install')];
      await service().install('c', {}, { ...REQUEST, namespace: SHOP.namespace });
      expect(submitted).toHaveLength(1);
    });
  });

  describe('upgrade', () => {
    beforeEach(() => {
      manager.revisions = [revision(3, 'failed'), revision(2, 'deployed')];
    });

    it('submits a job that returns to the last good revision on failure', async () => {
      await service().upgrade('c', {}, 'shop', { version: '1.1.0' });
      expect(submitted).toMatchObject([{ kind: 'addon-upgrade', input: { ...SHOP, before: 2 } }]);
    });

    it('requires a chart if its source is unknown', async () => {
      origin = undefined;
      const { message } = await rejection(service().upgrade('c', {}, 'shop', {}));
      expect(message).toContain('chart and repository are required. Slipway did not install shop');
    });

    it('rejects another chart with chart_refused', async () => {
      found = { ...found, chart: shopChart('1.0.0', { name: 'bakery' }) };
      const error = await rejection(service().upgrade('c', {}, 'shop', REQUEST));
      expect([error.code, error.message]).toEqual([
        'chart_refused',
        'Release shop uses chart shop, not bakery. Install bakery as a new release.',
      ]);
    });

    it('rejects a release that does not exist with addon_not_found', async () => {
      expect(await rejection(service().upgrade('c', {}, 'bakery', {}))).toMatchObject({
        code: 'addon_not_found',
        message: 'Release bakery does not exist in cluster c.',
      });
    });
  });

  describe('rollback', () => {
    beforeEach(() => {
      manager.revisions = [revision(2, 'deployed'), revision(1, 'superseded')];
    });

    it.each([
      [7, 'revision 7 of shop does not exist. Available: 2, 1'],
      [2, 'revision 2 is the current revision of shop'],
    ])('rejects revision %i', async (number, problem) => {
      const { message } = await rejection(service().rollback('c', {}, 'shop', { revision: number }));
      expect(message).toContain(problem);
    });

    it('submits a job, and returns the diff of a dry run', async () => {
      const { diff } = await service().rollback('c', {}, 'shop', { revision: 1, dry_run: true });
      expect([diff?.unchanged, submitted]).toEqual([1, []]);
      await service().rollback('c', {}, 'shop', { revision: 1 });
      expect(submitted).toMatchObject([{ kind: 'addon-rollback', input: { revision: 1, before: 2 } }]);
    });
  });

  describe('a pending release', () => {
    const pending = (minutesAgo: number): void => {
      const updatedAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      manager.revisions = [revision(1, 'pending-upgrade', { updatedAt })];
    };

    it('of another program is rejected with release_busy for 5 minutes', async () => {
      pending(4);
      const error = await rejection(service().uninstall('c', {}, 'shop'));
      expect([error.code, error.message]).toEqual([
        'release_busy',
        expect.stringContaining('Slipway did not start this operation'),
      ]);
      pending(6);
      await service().uninstall('c', {}, 'shop');
      expect(submitted).toMatchObject([{ kind: 'addon-uninstall', input: SHOP }]);
    });

    it('of an earlier job is accepted immediately', async () => {
      pending(1);
      const own = { kind: 'addon-upgrade', cluster: 'c', runtime: 'docker', input: SHOP };
      jobs = [{ ...own, created_at: new Date(Date.now() - 120_000).toISOString() } as Job];
      await service().uninstall('c', {}, 'shop');
      expect(submitted).toHaveLength(1);
    });
  });
});
