import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  FakePackageManager,
  SHOP,
  shopChart,
  shopRevision as revision,
} from '../../../../../test/support/charts/fake-package-manager.js';
import { JobBench, ScriptedHandler } from '../../../../../test/support/jobs/job-bench.js';
import {
  controlledBy,
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { PodLogs, type LoggedPod, type ResourceApi } from '../../../drivers/kubernetes/index.js';
import type { Job, JobHandler, UndoContext } from '../../jobs/index.js';
import { AddonClusters } from '../common/addon-clusters.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { CatalogInstaller } from './catalog-installer.js';
import { OperationFilesStore } from './operation-files.js';
import {
  InstallAddonHandler,
  RollbackAddonHandler,
  UninstallAddonHandler,
  UpgradeAddonHandler,
} from './operation-handlers.js';
import type { AddonJobInput, ChartJobInput, InstallJobInput } from '../release/operation-input.js';
import { ReleaseSteps } from './release-steps.js';

const KEY = { name: 'c', runtime: 'docker' };
const INPUT: AddonJobInput = { ...KEY, ...SHOP, title: 'Shop' };
const ORIGIN = { source: 'uploaded', chart: 'shop' };
const BROKEN = new Error('the webhook denied the request');

describe('addon operations', () => {
  let folder: string;
  let bench: JobBench;
  let manager: FakePackageManager;
  let api: () => Promise<ResourceApi>;
  let logs: PodLogs;
  let files: OperationFilesStore;
  let sources: AddonSourceStore;
  let steps: ReleaseSteps;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-operations-'));
    bench = new JobBench(new ScriptedHandler());
    manager = new FakePackageManager();
    api = () => Promise.reject(new DomainError('cluster_unreachable', 'No connection.'));
    files = new OperationFilesStore(DataDirectory.open(readConfiguration({ APP_DATA_DIR: folder })));
    sources = new AddonSourceStore(bench.database);
    const target = { ...KEY, kubeconfig: {} as never };
    steps = new ReleaseSteps(
      strictFake(AddonClusters, {
        forJob: () =>
          Promise.resolve({
            ...KEY,
            target,
            manager,
            api: () => api(),
            podLogs: () => Promise.resolve(logs),
          }),
      }),
    );
  });

  afterEach(async () => {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const chartInput = async (version: string, more: Partial<ChartJobInput> = {}): Promise<ChartJobInput> => ({
    ...INPUT,
    files: await files.write(shopChart(version), 'replicas: 2\n', manager.manifest),
    chart: 'shop',
    version,
    origin: ORIGIN,
    keepOnFailure: false,
    timeoutMs: 1000,
    ...more,
  });
  const installInput = async (prerequisite: string): Promise<InstallJobInput> => ({
    ...(await chartInput('1.0.0')),
    prerequisites: [prerequisite],
  });
  const run = async (handler: JobHandler, input: AddonJobInput): Promise<Job> => {
    bench.jobs.register(handler);
    const { kind } = handler;
    return await bench.jobs.whenEnded(bench.jobs.submit(kind, KEY, input).id);
  };
  const message = async (): Promise<string | undefined> =>
    (await bench.journal.recent({}, 1, 0)).entries[0]?.message;
  const installer = strictFake(CatalogInstaller, {
    install: (_input, { name, release }) => {
      manager.calls.push(`install ${release}`);
      return name === 'istiod' ? Promise.reject(BROKEN) : Promise.resolve();
    },
  });
  const install = (): InstallAddonHandler => new InstallAddonHandler(steps, files, sources, installer);
  const upgrade = (): UpgradeAddonHandler => new UpgradeAddonHandler(steps, files, sources);
  const rollback = (): RollbackAddonHandler => new RollbackAddonHandler(steps, files, sources);
  const uninstall = (): UninstallAddonHandler => new UninstallAddonHandler(steps, files, sources);

  describe('InstallAddonHandler', () => {
    it('installs, verifies, records the source, and removes its files', async () => {
      const job = await run(install(), await chartInput('1.0.0'));
      expect(job).toMatchObject({
        state: 'succeeded',
        result: { ...SHOP, revision: 1, chart: 'shop', version: '1.0.0' },
      });
      expect(job.steps.map(({ name, title }) => [name, title])).toEqual([
        ['repair', 'Checking for unfinished operations'],
        ['install', 'Installing Shop'],
        ['confirm', 'Verifying the release'],
      ]);
      expect(manager.calls).toEqual(['install 1.0.0']);
      expect(await message()).toBe('Installed Shop (shop 1.0.0) as shop in namespace market of c.');
      expect(sources.get(KEY, SHOP)).toEqual(ORIGIN);
      expect(readdirSync(join(folder, 'helm', 'operations'))).toEqual([]);
    });

    it('installs prerequisites first', async () => {
      const job = await run(install(), await installInput('istio-base'));
      expect(job.steps.map(({ title }) => title).slice(0, 2)).toEqual([
        'Installing Istio CRDs (base)',
        'Checking for unfinished operations',
      ]);
      expect(manager.calls).toEqual(['install istio-base', 'install 1.0.0']);
    });

    it('stops at a prerequisite that cannot be installed', async () => {
      expect(await run(install(), await installInput('istiod'))).toMatchObject({ state: 'failed' });
      expect(manager.calls).not.toContain('install 1.0.0');
    });

    it('uninstalls a failed release and reports the step and reason', async () => {
      manager.failure = { error: BROKEN, leaves: 'failed' };
      expect(await run(install(), await chartInput('1.0.0'))).toMatchObject({ state: 'failed' });
      expect(manager.calls).toEqual(['install 1.0.0', 'uninstall']);
      expect(await message()).toBe(
        'Failed at Installing Shop: the webhook denied the request. Uninstalled shop.',
      );
      expect(sources.get(KEY, SHOP)).toBeUndefined();
      expect(readdirSync(join(folder, 'helm', 'operations'))).toEqual([]);
    });

    it('keeps a failed release with keepOnFailure', async () => {
      manager.failure = { error: BROKEN, leaves: 'failed' };
      await run(install(), await chartInput('1.0.0', { keepOnFailure: true }));
      expect(manager.calls).toEqual(['install 1.0.0']);
      expect(await message()).toMatch(/The failed release was kept\.$/);
    });

    it('does not remove a release of another program with the same name', async () => {
      const error = new DomainError('release_exists', 'Release shop already exists.');
      manager.failure = { error, leaves: 'deployed' };
      expect(await run(install(), await chartInput('1.0.0'))).toMatchObject({
        error: { code: 'release_exists' },
      });
      expect(manager.calls).toEqual(['install 1.0.0']);
    });

    it('uninstalls the release when cancelled', async () => {
      const input = await chartInput('1.0.0');
      manager.failure = { error: new Error('aborted'), leaves: 'pending-install' };
      manager.beforeEnd = async (signal) => {
        const [job] = bench.jobs.active();
        bench.jobs.cancel(job?.id ?? 0);
        await delay(5);
        expect(signal?.aborted).toBe(true);
      };
      expect(await run(install(), input)).toMatchObject({ state: 'cancelled' });
      expect(manager.calls).toEqual(['install 1.0.0', 'uninstall']);
      expect(await message()).toBe('Canceled at Installing Shop. Uninstalled shop.');
    });

    it('repairs an interrupted installation first', async () => {
      manager.revisions = [revision(1, 'pending-install')];
      const job = await run(install(), await chartInput('1.0.0'));
      expect(manager.calls).toEqual(['uninstall', 'install 1.0.0']);
      expect(job.warnings).toEqual([
        'The previous operation did not finish. Removed the incomplete installation of shop.',
      ]);
    });

    it('fails with release_busy if the release is not deployed afterwards', async () => {
      manager.failure = { error: null, leaves: 'pending-upgrade' };
      expect(await run(install(), await chartInput('1.0.0'))).toMatchObject({
        state: 'failed',
        error: { code: 'release_busy', message: expect.stringContaining('is pending-upgrade') },
      });
    });

    it('logs resources that are not ready after a failure', async () => {
      manager.manifest = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data\n';
      const type = {
        group: '',
        version: 'v1',
        kind: 'PersistentVolumeClaim',
        plural: 'persistentvolumeclaims',
      };
      const object = { ...type, apiVersion: 'v1', metadata: { name: 'data' }, status: { phase: 'Pending' } };
      api = () =>
        Promise.resolve({
          typeOfKind: () => Promise.resolve({ ...type, namespaced: true }),
          read: () => Promise.resolve(object),
        } as unknown as ResourceApi);
      manager.failure = { error: BROKEN, leaves: 'failed' };
      const { id } = await run(install(), await chartInput('1.0.0'));
      expect(bench.jobs.log(id).map(({ text }) => text)).toContain(
        'PersistentVolumeClaim data is not ready: Pending',
      );
    });
  });

  describe('failed hooks', () => {
    const cluster = (created: number): void => {
      const metadata = (more: object = {}): object => ({
        creationTimestamp: new Date(created).toISOString(),
        ...more,
      });
      const resources = new ScriptedResources();
      const hook = { annotations: { 'helm.sh/hook': 'pre-install' } };
      resources.put('jobs', kubernetesObject('Job', 'migrate', { metadata: metadata(hook) }));
      resources.put(
        'pods',
        kubernetesObject('Pod', 'migrate-x', {
          metadata: metadata(controlledBy('Job', 'migrate', 'batch/v1')),
          status: { phase: 'Failed' },
        }),
        kubernetesObject('Pod', 'web', { metadata: metadata(), status: { phase: 'Running' } }),
      );
      api = () => Promise.resolve(resources);
      const lines = Array.from({ length: 25 }, (_, at) => `migration ${at + 1} password=secret-${at}\n`);
      logs = strictFake(PodLogs, {
        find: ({ name }) =>
          Promise.resolve({ name, containers: [{ name: 'main', waiting: 'exit code 3' }] } as LoggedPod),
        open: async function* (_pod, { tail }) {
          const data = Buffer.from(lines.slice(-tail).join(''));
          yield await Promise.resolve([{ stream: null, time: 1, data }]);
        },
      });
      manager.failure = { error: BROKEN, leaves: 'failed' };
    };
    const logged = async (handler: JobHandler): Promise<string[]> => {
      const { id } = await run(handler, await chartInput('1.0.0'));
      return bench.jobs.log(id).map(({ text }) => text);
    };

    it('log their last 20 lines, without secrets', async () => {
      cluster(Date.now() + 60_000); // The operation begins later.
      const texts = await logged(install());
      const lines = texts.filter((text) => text.startsWith('migration'));
      expect(lines).toHaveLength(20);
      expect(lines.at(-1)).toMatch(/^migration 25 password=\[removed]$/);
      expect(texts).toContain('Hook Pod migrate-x, container main: exit code 3');
      expect(texts.join()).not.toContain('Hook Pod web');
    });

    it('log nothing of hooks of an earlier operation', async () => {
      cluster(Date.now() - 60_000);
      expect((await logged(install())).join()).not.toContain('migration');
    });
  });

  describe('UpgradeAddonHandler', () => {
    beforeEach(() => {
      manager.revisions = [revision(1, 'deployed')];
    });

    it('upgrades and reports the revision', async () => {
      expect(await run(upgrade(), { ...(await chartInput('1.1.0')), before: 1 })).toMatchObject({
        state: 'succeeded',
        result: { revision: 2, version: '1.1.0' },
      });
      expect(await message()).toBe('Upgraded Shop (shop) in c to shop 1.1.0, revision 2.');
    });

    it('names a release once that has the name of its addon', async () => {
      await run(upgrade(), { ...(await chartInput('1.1.0')), before: 1, title: 'shop' });
      expect(await message()).toBe('Upgraded shop in c to shop 1.1.0, revision 2.');
    });

    it('rolls a failed release back to the revision before', async () => {
      manager.failure = { error: BROKEN, leaves: 'failed' };
      await run(upgrade(), { ...(await chartInput('1.1.0')), before: 1 });
      expect(manager.calls).toEqual(['upgrade 1.1.0', 'rollback 1']);
      expect(await message()).toMatch(/Rolled back shop to revision 1 \(shop 1\.0\.0\)\.$/);
    });

    it('does nothing if a failed upgrade left no revision', async () => {
      manager.failure = { error: BROKEN, leaves: null };
      await run(upgrade(), { ...(await chartInput('1.1.0')), before: 1 });
      expect(manager.calls).toEqual(['upgrade 1.1.0']);
      expect(await message()).toMatch(/shop is unchanged at revision 1\.$/);
    });
  });

  it('RollbackAddonHandler rolls back to the requested revision', async () => {
    manager.revisions = [revision(2, 'deployed', { version: '1.1.0' }), revision(1, 'superseded')];
    expect(await run(rollback(), { ...INPUT, before: 2, revision: 1 } as AddonJobInput)).toMatchObject({
      state: 'succeeded',
      result: { revision: 3, version: '1.0.0' },
    });
    expect(await message()).toBe('Rolled back Shop (shop) in c to revision 1.');
  });

  describe('UninstallAddonHandler', () => {
    beforeEach(() => {
      manager.revisions = [revision(1, 'deployed')];
      sources.put(KEY, SHOP, ORIGIN);
    });

    it('uninstalls and forgets the source', async () => {
      expect(await run(uninstall(), INPUT)).toMatchObject({ state: 'succeeded' });
      expect(sources.get(KEY, SHOP)).toBeUndefined();
      expect(await message()).toBe('Uninstalled Shop (shop) from namespace market of c.');
    });

    it('passes on that no hooks run', async () => {
      await run(uninstall(), { ...INPUT, noHooks: true });
      expect(manager.calls).toEqual(['uninstall --no-hooks']);
    });

    it('fails if the release still exists', async () => {
      manager.keepsUninstalled = true;
      expect(await run(uninstall(), INPUT)).toMatchObject({ state: 'failed' });
      expect(await message()).toBe(
        'Failed at Uninstalling Shop: helm reported success, but release shop still exists. Release shop still exists. Uninstall the addon again to remove the rest, without its hooks if one of them fails.',
      );
      expect(sources.get(KEY, SHOP)).toEqual(ORIGIN);
    });
  });

  describe('recovery', () => {
    const undone: string[] = [];
    const context = (step: string, state = 'running'): UndoContext =>
      ({
        job: { steps: [{ name: step, state }] },
        signal: new AbortController().signal,
        log: () => undefined,
        undone: (sentence: string) => undone.push(sentence),
        tracking: () => ({}),
      }) as unknown as UndoContext;

    beforeEach(() => void undone.splice(0));

    it('keeps a complete installation and records its source', async () => {
      manager.revisions = [revision(1, 'deployed')];
      expect(await install().recover(await chartInput('1.0.0'), context('install'))).toBe(true);
      expect([manager.calls, sources.get(KEY, SHOP)]).toEqual([[], ORIGIN]);
    });

    it('removes an incomplete installation', async () => {
      manager.revisions = [revision(1, 'pending-install')];
      expect(await install().recover(await chartInput('1.0.0'), context('install'))).toBe(false);
      expect([manager.calls, undone]).toEqual([['uninstall'], ['Uninstalled shop.']]);
    });

    it('rolls an incomplete upgrade back', async () => {
      manager.revisions = [revision(2, 'pending-upgrade'), revision(1, 'deployed')];
      const input = { ...(await chartInput('1.1.0')), before: 1 };
      expect(await upgrade().recover(input, context('upgrade'))).toBe(false);
      expect(undone).toEqual(['Rolled back shop to revision 1 (shop 1.0.0).']);
    });

    it('finishes a removal', async () => {
      manager.revisions = [revision(1, 'uninstalling')];
      expect(await uninstall().recover(INPUT, context('uninstall'))).toBe(true);
      expect(manager.calls).toEqual(['uninstall']);
    });

    it('does nothing for an operation that had not started', async () => {
      expect(await install().recover(await chartInput('1.0.0'), context('install', 'pending'))).toBe(false);
      expect(await uninstall().recover(INPUT, context('uninstall', 'pending'))).toBe(false);
      expect(manager.calls).toEqual([]);
    });

    it.each([
      [
        'cluster_unreachable',
        [expect.stringMatching(/^Could not repair shop\. .* repairs it first\. No API\.$/)],
      ],
      // The job engine retries.
      ['runtime_unavailable', []],
    ] as const)('passes on %s', async (code, sentences) => {
      manager.history = () => Promise.reject(new DomainError(code, 'No API.'));
      const recovery = upgrade().recover({ ...(await chartInput('1.1.0')), before: 1 }, context('upgrade'));
      await expect(recovery).rejects.toMatchObject({ code });
      expect(undone).toEqual(sentences);
    });
  });
});
