import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClusterTarget } from '../../../backend/src/drivers/kubernetes/index.js';
import type {
  Chart,
  OperationOptions,
  PackageManager,
  Release,
  ReleaseName,
} from '../../../backend/src/drivers/package-manager/index.js';

export interface PackageManagerUnderTest {
  manager: PackageManager;
  /** A running cluster. */
  target: ClusterTarget;
  /** The chart `shop` (test/support/charts) in versions 1.0.0 and 1.1.0. */
  chart: (version: string) => Promise<Chart>;
  /** Values with which the chart never becomes ready. */
  hopeless: string;
  namespace: string;
  stop: () => Promise<void>;
}

/** The contract of PackageManager. */
export function packageManagerContract(
  start: () => Promise<PackageManagerUnderTest>,
  deadlineMs = 20_000,
): void {
  let subject: PackageManagerUnderTest;
  const name = (release: string): ReleaseName => ({ release, namespace: subject.namespace });
  const options = (signal?: AbortSignal): OperationOptions => ({
    tracking: { ...(signal ? { signal } : {}) },
    timeoutMs: deadlineMs / 2,
  });
  const listed = async (release: string): Promise<Release | undefined> =>
    (await subject.manager.list(subject.target)).find(
      (one) => one.release === release && one.namespace === subject.namespace,
    );
  const install = async (release: string, values = '', version = '1.0.0'): Promise<void> => {
    const chart = await subject.chart(version);
    await subject.manager.install(subject.target, { ...name(release), chart, values }, options());
  };
  const upgrade = async (
    release: string,
    values: string,
    { version = '1.1.0', signal }: { version?: string; signal?: AbortSignal } = {},
  ): Promise<void> => {
    const chart = await subject.chart(version);
    await subject.manager.upgrade(subject.target, { ...name(release), chart, values }, options(signal));
  };

  beforeAll(async () => {
    subject = await start();
  }, deadlineMs);

  afterAll(async () => {
    await subject.stop();
  }, deadlineMs);

  it('reports that it is usable', async () => {
    expect(await subject.manager.status()).toMatchObject({ name: expect.any(String), problem: null });
  });

  it('reads a chart with its values and schema', async () => {
    expect(await subject.chart('1.0.0')).toMatchObject({
      name: 'shop',
      version: '1.0.0',
      defaultValues: expect.stringContaining('# How many stand at the counter.'),
      schema: expect.stringContaining('"additionalProperties":false'),
    });
  });

  it(
    'renders without changing anything',
    async () => {
      const chart = await subject.chart('1.0.0');
      const request = {
        ...name('rendered'),
        chart,
        values: 'mood: eager\n',
        upgrade: false,
        kubernetes: null,
      };
      const manifest = await subject.manager.render(subject.target, request);
      expect(manifest).toContain('name: rendered');
      expect(manifest).toMatch(/mood: "?eager/);
      expect(await subject.manager.preview({ ...request, apiVersions: ['v1', 'v1/Pod'] })).toBe(manifest);
      expect(await listed('rendered')).toBeUndefined();
    },
    deadlineMs,
  );

  it(
    'rejects values that violate the schema',
    async () => {
      const chart = await subject.chart('1.0.0');
      const request = {
        ...name('rejected'),
        chart,
        values: 'replicas: many\n',
        upgrade: false,
        kubernetes: null,
      };
      const { manager, target } = subject;
      for (const dryRun of [
        () => manager.render(target, request),
        () => manager.preview({ ...request, apiVersions: [] }),
      ]) {
        await expect(dryRun()).rejects.toMatchObject({
          code: 'values_refused',
          message: expect.stringContaining('replicas'),
        });
      }
    },
    deadlineMs,
  );

  it(
    'installs, lists, upgrades, rolls back and uninstalls a release',
    async () => {
      const { manager, target } = subject;
      await install('full', 'mood: eager\n');
      expect(await listed('full')).toMatchObject({
        revision: 1,
        status: 'deployed',
        chart: 'shop',
        version: '1.0.0',
        appVersion: '1.0.0',
      });
      const first = await manager.contents(target, name('full'));
      expect(first.values).toBe('mood: eager\n');
      expect(first.computedValues).toMatch(/^replicas: 1$/m);
      for (const word of ['full', subject.namespace]) expect(first.notes).toContain(word);
      expect(first.manifest).toContain('name: full');

      await upgrade('full', 'replicas: 2\n');
      expect(await listed('full')).toMatchObject({ revision: 2, status: 'deployed', version: '1.1.0' });
      expect((await manager.contents(target, name('full'))).values).toBe('replicas: 2\n');
      // Without values, an upgrade does not reuse the previous ones.
      await upgrade('full', '');
      expect((await manager.contents(target, name('full'))).values).toBe('');

      await manager.rollback(target, name('full'), 1, options());
      expect(await listed('full')).toMatchObject({ revision: 4, status: 'deployed', version: '1.0.0' });
      expect((await manager.contents(target, name('full'))).values).toBe('mood: eager\n');
      expect((await manager.contents(target, name('full'), 2)).values).toBe('replicas: 2\n');
      expect(
        (await manager.history(target, name('full'))).map(({ revision, status }) => [revision, status]),
      ).toEqual([
        [4, 'deployed'],
        [3, 'superseded'],
        [2, 'superseded'],
        [1, 'superseded'],
      ]);

      await manager.uninstall(target, name('full'), options());
      expect(await listed('full')).toBeUndefined();
      await expect(manager.history(target, name('full'))).rejects.toMatchObject({ code: 'addon_not_found' });
      await expect(manager.contents(target, name('full'))).rejects.toMatchObject({ code: 'addon_not_found' });
      // Idempotent.
      await manager.uninstall(target, name('full'), options());
    },
    deadlineMs,
  );

  it(
    'rejects a taken name, and an upgrade of an unknown release',
    async () => {
      await install('taken');
      await expect(install('taken')).rejects.toMatchObject({ code: 'release_exists' });
      await expect(upgrade('unknown', '')).rejects.toMatchObject({ code: 'addon_not_found' });
      await subject.manager.uninstall(subject.target, name('taken'), options());
    },
    deadlineMs,
  );

  it(
    'can abort an upgrade and roll the release back',
    async () => {
      await install('cancelled');
      const controller = new AbortController();
      const upgrading = upgrade('cancelled', subject.hopeless, { signal: controller.signal });
      const ended = expect(upgrading).rejects.toMatchObject({ failure: 'aborted' });
      while ((await listed('cancelled'))?.revision !== 2) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      controller.abort();
      await ended;
      expect((await listed('cancelled'))?.status).toMatch(/^(failed|pending-upgrade)$/);
      await subject.manager.rollback(subject.target, name('cancelled'), 1, options());
      expect(await listed('cancelled')).toMatchObject({ revision: 3, status: 'deployed', version: '1.0.0' });
      await subject.manager.uninstall(subject.target, name('cancelled'), options());
    },
    deadlineMs,
  );
}
