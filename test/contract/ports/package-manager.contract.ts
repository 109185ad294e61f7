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
  /** A cluster that is ready. */
  target: ClusterTarget;
  /** The chart `shop` (test/support/charts) in versions 1.0.0 and 1.1.0. */
  chart: (version: string) => Promise<Chart>;
  /** Values with which it never becomes ready. */
  hopeless: string;
  namespace: string;
  stop: () => Promise<void>;
}

/** What every package manager keeps to. */
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

  it('can be used', async () => {
    expect(await subject.manager.status()).toMatchObject({ name: expect.any(String), problem: null });
  });

  it('reads a chart with its values and its schema', async () => {
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
        ...name('looked-at'),
        chart,
        values: 'mood: eager\n',
        upgrade: false,
        kubernetes: null,
      };
      const manifest = await subject.manager.render(subject.target, request);
      expect(manifest).toContain('name: looked-at');
      expect(manifest).toMatch(/mood: "?eager/);
      expect(await subject.manager.preview({ ...request, apiVersions: ['v1', 'v1/Pod'] })).toBe(manifest);
      expect(await listed('looked-at')).toBeUndefined();
    },
    deadlineMs,
  );

  it(
    'refuses values that the schema refuses',
    async () => {
      const chart = await subject.chart('1.0.0');
      const request = {
        ...name('refused'),
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
    'installs, tells what it installed, upgrades, rolls back and removes',
    async () => {
      const { manager, target } = subject;
      await install('life', 'mood: eager\n');
      expect(await listed('life')).toMatchObject({
        revision: 1,
        status: 'deployed',
        chart: 'shop',
        version: '1.0.0',
        appVersion: '1.0.0',
      });
      const first = await manager.contents(target, name('life'));
      expect(first.values).toBe('mood: eager\n');
      expect(first.computedValues).toMatch(/^replicas: 1$/m);
      for (const word of ['life', subject.namespace]) expect(first.notes).toContain(word);
      expect(first.manifest).toContain('name: life');

      await upgrade('life', 'replicas: 2\n');
      expect(await listed('life')).toMatchObject({ revision: 2, status: 'deployed', version: '1.1.0' });
      expect((await manager.contents(target, name('life'))).values).toBe('replicas: 2\n');
      // Values are those that were given last, and not those before where none are given.
      await upgrade('life', '');
      expect((await manager.contents(target, name('life'))).values).toBe('');

      await manager.rollback(target, name('life'), 1, options());
      expect(await listed('life')).toMatchObject({ revision: 4, status: 'deployed', version: '1.0.0' });
      expect((await manager.contents(target, name('life'))).values).toBe('mood: eager\n');
      expect((await manager.contents(target, name('life'), 2)).values).toBe('replicas: 2\n');
      expect(
        (await manager.history(target, name('life'))).map(({ revision, status }) => [revision, status]),
      ).toEqual([
        [4, 'deployed'],
        [3, 'superseded'],
        [2, 'superseded'],
        [1, 'superseded'],
      ]);

      await manager.uninstall(target, name('life'), options());
      expect(await listed('life')).toBeUndefined();
      await expect(manager.history(target, name('life'))).rejects.toMatchObject({ code: 'addon_not_found' });
      await expect(manager.contents(target, name('life'))).rejects.toMatchObject({ code: 'addon_not_found' });
      // Idempotent.
      await manager.uninstall(target, name('life'), options());
    },
    deadlineMs,
  );

  it(
    'refuses a name that is taken, and to upgrade what is not there',
    async () => {
      await install('taken');
      await expect(install('taken')).rejects.toMatchObject({ code: 'release_exists' });
      await expect(upgrade('unknown', '')).rejects.toMatchObject({ code: 'addon_not_found' });
      await subject.manager.uninstall(subject.target, name('taken'), options());
    },
    deadlineMs,
  );

  it(
    'can be ended in the middle of an upgrade, and the release goes back',
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
