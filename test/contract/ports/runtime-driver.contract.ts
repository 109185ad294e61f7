import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readImageArchive } from '../../../backend/src/drivers/provisioner/index.js';
import type {
  NodeContainer,
  NodeEvent,
  PullProgress,
  RuntimeDriver,
} from '../../../backend/src/drivers/runtime/index.js';
import { waitFor } from '../../support/wait-for.js';

/** A runtime under test. */
export interface RuntimeUnderTest {
  driver: RuntimeDriver;
  /**
   * Creates a cluster with the nodes `<name>-control-plane` and `<name>-worker`. The control plane mounts `hostPath` at
   * /contract, read-only, and has the version of Kubernetes in /kind/version. Its API server has a loopback port.
   */
  makeCluster: (name: string) => Promise<void>;
  hostPath: string;
  /** Repository and reference of a local image. */
  repository: string;
  presentImage: string;
  /** An image that can be pulled, and one that does not exist. */
  pullableImage: string;
  missingImage: string;
  /** A small image of a user, and an unused one that can be removed. */
  builtImage: string;
  spareImage: string;
  /** Creates a container of the spare image. @returns a function that removes it. */
  useSpareImage: () => Promise<() => Promise<unknown>>;
  /** An unused volume. */
  spareVolume: string;
  /** A program for the control plane, and its output. */
  program: { command: string[]; says: RegExp };
  /** The restart policy in the engine's format: `on-failure:1`. */
  restartPolicyOf: (name: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** The contract of RuntimeDriver. */
export function runtimeDriverContract(start: () => Promise<RuntimeUnderTest>, deadlineMs = 20_000): void {
  const cluster = 'contract';
  let subject: RuntimeUnderTest;
  let driver: RuntimeDriver;
  const events: NodeEvent[] = [];
  const following = new AbortController();
  let followed: Promise<unknown>;
  const ours = async (): Promise<NodeContainer[]> =>
    (await driver.listNodes()).filter((node) => node.cluster === cluster);

  beforeAll(async () => {
    subject = await start();
    ({ driver } = subject);
    await driver.probe();
    followed = driver
      .followEvents((event) => events.push(event), following.signal)
      .then(
        () => 'ended',
        (error: unknown) => error,
      );
    await subject.makeCluster(cluster);
  }, deadlineMs);

  afterAll(async () => {
    following.abort();
    await subject.stop();
  }, deadlineMs);

  it('returns its info', async () => {
    await driver.ping();
    const info = await driver.probe();
    expect(driver.info()).toEqual(info);
    expect(info.version).toMatch(/^\d+\.\d+/);
    expect(info.host.cpuCores).toBeGreaterThan(0);
    expect(info.host.memoryBytes).toBeGreaterThan(1e8);
    expect(['kind', 'demo']).toContain(info.capabilities.provisioner);
    expect(info.capabilities.hostAlias).toMatch(/^host\.[a-z]+\.internal$/);
    expect(driver.provider().provider).toBe(driver.id);
  });

  it('lists the nodes with their roles, states, addresses and ports', async () => {
    const nodes = await ours();
    expect(nodes.map(({ name, role, state }) => ({ name, role, state })).sort(byName)).toEqual([
      { name: `${cluster}-control-plane`, role: 'control-plane', state: 'running' },
      { name: `${cluster}-worker`, role: 'worker', state: 'running' },
    ]);
    for (const node of nodes) {
      expect(node.id).toMatch(/^[0-9a-f]{64}$/);
      expect(node.image).toContain('kindest/node');
      expect(node.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(node.exitCode).toBeNull();
      expect(Date.now() - Date.parse(node.createdAt)).toBeLessThan(10 * 60_000);
      expect(Date.parse(node.stateSince ?? '')).not.toBeNaN();
    }
    const api = nodes.find(({ role }) => role === 'control-plane')?.ports.at(0);
    expect(api).toMatchObject({ hostAddress: '127.0.0.1', containerPort: 6443, protocol: 'TCP' });
    expect(api?.hostPort).toBeGreaterThan(1023);
  });

  it('reports events of new nodes', async () => {
    const started = (): string[] =>
      events.filter(({ action }) => action === 'start').map(({ container }) => container);
    await waitFor(() => started().length >= 2, 'the two events');
    expect(started().sort()).toEqual([`${cluster}-control-plane`, `${cluster}-worker`]);
    expect(events.every((event) => event.cluster === cluster)).toBe(true);
  });

  it('returns the settings of nodes', async () => {
    const listed = await ours();
    const nodes = [...(await driver.inspectNodes(cluster))].sort(byName);
    expect(nodes.map(({ id, name, role }) => ({ id, name, role }))).toEqual(
      [...listed].sort(byName).map(({ id, name, role }) => ({ id, name, role })),
    );
    const [controlPlane, worker] = nodes;
    const own = controlPlane?.mounts.filter(({ containerPath }) => containerPath === '/contract');
    expect(own).toEqual([
      {
        hostPath: subject.hostPath,
        containerPath: '/contract',
        readOnly: true,
        propagation: 'private',
        relabelled: false,
      },
    ]);
    expect(controlPlane?.ports).toEqual([
      { hostAddress: '127.0.0.1', hostPort: expect.any(Number), containerPort: 6443, protocol: 'TCP' },
    ]);
    expect(controlPlane?.image).toContain('kindest/node');
    expect(worker?.ports).toEqual([]);
    expect(worker?.mounts.map(({ containerPath }) => containerPath)).not.toContain('/contract');
    // Other environment variables are not returned.
    for (const { environment } of nodes) {
      for (const name of Object.keys(environment)) expect(name).toMatch(/^KIND_/);
    }
    expect(await driver.inspectNodes('contrac')).toEqual([]);
  });

  it('reads small files of a node, and rejects large, missing and special files', async () => {
    const node = `${cluster}-control-plane`;
    const version = await driver.readNodeFile(node, '/kind/version', 100);
    expect(version).toMatch(/^v\d+\.\d+\.\d+\s*$/);
    expect(await driver.readNodeFile(node, '/kind/version', 3)).toBeUndefined();
    expect(await driver.readNodeFile(node, '/kind', 100_000)).toBeUndefined();
    expect(await driver.readNodeFile(node, '/kind/absent', 100)).toBeUndefined();
    expect(await driver.readNodeFile(`${cluster}-missing`, '/kind/version', 100)).toBeUndefined();
  });

  it('samples running nodes with cumulative CPU, and omits missing ones', async () => {
    const ids = (await ours()).map(({ id }) => id);
    const first = await driver.sample([...ids, '0'.repeat(64)]);
    expect(first.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const { memoryBytes } = driver.info().host;
    for (const sample of first) {
      expect(sample.memoryBytes).toBeGreaterThan(1e4);
      expect(sample.memoryLimitBytes).toBeLessThanOrEqual(memoryBytes);
      expect(Math.abs(sample.at - Date.now())).toBeLessThan(60_000);
    }
    const cpuOf = async (): Promise<number> =>
      (await driver.sample(ids)).reduce((sum, sample) => sum + sample.cpuNanoseconds, 0);
    const before = await cpuOf();
    await waitFor(async () => (await cpuOf()) > before, 'CPU time that grows');
  });

  it('lists local images', async () => {
    expect(await driver.hasImage(subject.presentImage)).toBe(true);
    expect(await driver.hasImage(subject.missingImage)).toBe(false);
    const images = await driver.listImages(subject.repository);
    const tag = subject.presentImage.slice(subject.presentImage.lastIndexOf(':'));
    const found = images.find(({ reference }) => reference.endsWith(tag));
    expect(found?.sizeBytes).toBeGreaterThan(1e6);
    expect(await driver.listImages('docker.io/kindest/another')).toEqual([]);
  });

  it(
    'pulls an image with bytes that rise and never fall',
    async () => {
      const seen: PullProgress[] = [];
      await driver.pullImage(subject.pullableImage, (progress) => seen.push(progress), signal());
      expect(await driver.hasImage(subject.pullableImage)).toBe(true);
      const bytes = seen.map(({ pulledBytes }) => pulledBytes);
      expect(bytes).toEqual([...bytes].sort((one, other) => one - other));
      expect(new Set(bytes.filter((count) => count > 0)).size).toBeGreaterThanOrEqual(2);
      const last = seen.at(-1);
      expect(last?.pulledBytes).toBe(last?.totalBytes);
      expect(last?.layersDone).toBe(last?.layers);
    },
    deadlineMs,
  );

  it('reports why an image cannot be pulled', async () => {
    await expect(driver.pullImage(subject.missingImage, () => undefined, signal())).rejects.toMatchObject({
      code: 'image_not_pulled',
      message: expect.stringContaining(subject.missingImage),
    });
  });

  it('cancels a pull', async () => {
    const cancel = new AbortController();
    const pulling = driver.pullImage(subject.missingImage, () => undefined, cancel.signal);
    cancel.abort(new Error('no longer wanted'));
    await expect(pulling).rejects.toThrow();
  });

  describe('images and volumes', () => {
    const nothing = { id: `sha256:${'0'.repeat(64)}`, references: ['missing/image:this'] };

    it('lists each image once with all names', async () => {
      const images = await driver.allImages();
      expect(new Set(images.map(({ id }) => id)).size).toBe(images.length);
      const tag = subject.presentImage.slice(subject.presentImage.lastIndexOf(':'));
      const node = images.find(({ references }) => references.some((name) => name.endsWith(`node${tag}`)));
      expect(node?.sizeBytes).toBeGreaterThan(1e6);
      const built = images.find(({ references }) => references.includes(subject.builtImage));
      for (const image of [node, built]) {
        expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
        expect(image?.architecture).toMatch(/^(amd64|arm64)$/);
      }
    });

    it('saves an image as an archive by name and id', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'contract-'));
      const file = join(folder, 'image.tar');
      await pipeline(await driver.saveImage(subject.builtImage, signal()), createWriteStream(file));
      const { id } =
        (await driver.allImages()).find(({ references }) => references.includes(subject.builtImage)) ?? {};
      expect(await readImageArchive(file)).toEqual([{ id, references: [subject.builtImage] }]);
      await rm(folder, { recursive: true });
      await expect(driver.saveImage('missing/image:this', signal())).rejects.toMatchObject({
        code: 'image_not_found',
        message: expect.stringContaining('missing/image:this'),
      });
    });

    it('removes an unused image, rejects a used one, and ignores a missing one', async () => {
      const find = async (): ReturnType<RuntimeDriver['allImages']> =>
        (await driver.allImages()).filter(({ references }) => references.includes(subject.spareImage));
      const [spare = nothing] = await find();
      const release = await subject.useSpareImage();
      await expect(driver.removeImage(spare)).rejects.toMatchObject({ code: 'image_in_use' });
      expect(await find()).toHaveLength(1);
      await release();
      await driver.removeImage(spare);
      expect(await find()).toEqual([]);
      await driver.removeImage(spare);
      await driver.removeImage(nothing);
    });

    it('lists volumes with their users and sizes, and removes an unused one', async () => {
      const find = async (name: string): ReturnType<RuntimeDriver['listVolumes']> =>
        (await driver.listVolumes()).filter((volume) => volume.usedBy.includes(name) || volume.name === name);
      const [own] = await find(`${cluster}-worker`);
      expect(own?.usedBy).toEqual([`${cluster}-worker`]);
      const sizes = await driver.measureVolumes(signal());
      expect(sizes.get(own?.name ?? '')).toBeGreaterThanOrEqual(0);
      await expect(driver.removeVolume(own?.name ?? '')).rejects.toMatchObject({ code: 'volume_in_use' });
      expect(await find(`${cluster}-worker`)).toHaveLength(1);
      expect(await find(subject.spareVolume)).toMatchObject([{ usedBy: [] }]);
      await driver.removeVolume(subject.spareVolume);
      expect(await find(subject.spareVolume)).toEqual([]);
      await driver.removeVolume(subject.spareVolume);
    });
  });

  it('runs a program in a node, and reports a node that does not run', async () => {
    const { command, says } = subject.program;
    const node = (await ours()).find(({ role }) => role === 'control-plane');
    const said = await driver.execInNode(node?.id ?? '', command, 20_000);
    expect(said).toEqual({ exitCode: 0, stdout: expect.stringMatching(says), stderr: '' });
    await expect(driver.execInNode('0'.repeat(64), command, 20_000)).rejects.toMatchObject({
      code: 'node_unavailable',
    });
  });

  describe('a node', () => {
    const worker = `${cluster}-worker`;
    const stateOf = async (name: string): Promise<string | undefined> =>
      (await ours()).find((node) => node.name === name)?.state;
    const expectEvent = (action: NodeEvent['action']): Promise<void> =>
      waitFor(() => events.some((event) => event.action === action && event.container === worker), action);
    const refusal = { code: 'node_unchanged', details: { node: worker } };

    it('pauses and unpauses a node, also repeatedly', async () => {
      await driver.pauseNode(worker);
      expect(await stateOf(worker)).toBe('paused');
      await expectEvent('pause');
      await driver.pauseNode(worker);
      await driver.unpauseNode(worker);
      expect(await stateOf(worker)).toBe('running');
      await expectEvent('unpause');
      await driver.unpauseNode(worker);
    });

    it(
      'ends, keeps its place, and is started again',
      async () => {
        await driver.stopNode(worker, 30);
        const stopped = (await ours()).find(({ name }) => name === worker);
        expect(stopped).toMatchObject({ state: 'exited', address: null, ports: [] });
        expect(stopped?.exitCode).not.toBeNull();
        await expectEvent('die');
        await driver.stopNode(worker, 30);
        await expect(driver.pauseNode(worker)).rejects.toMatchObject(refusal);
        await expect(driver.unpauseNode(worker)).rejects.toMatchObject(refusal);
        const before = events.filter(({ action }) => action === 'start').length;
        await driver.startNode(worker);
        const started = (await ours()).find(({ name }) => name === worker);
        expect(started).toMatchObject({ state: 'running', exitCode: null });
        expect(started?.id).toBe(stopped?.id);
        expect(started?.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        await waitFor(() => events.filter(({ action }) => action === 'start').length > before, 'its start');
        await driver.startNode(worker);
      },
      deadlineMs,
    );

    it(
      'comes back on the address that it is bound to, or says that it cannot be bound',
      async () => {
        const addressOf = async (name: string): Promise<string> =>
          (await ours()).find((node) => node.name === name)?.address ?? '';
        const address = await addressOf(worker);
        const taken = await addressOf(`${cluster}-control-plane`);
        expect(await driver.holderOf(taken)).toBe(`${cluster}-control-plane`);
        expect(await driver.holderOf('203.0.113.250')).toBeNull();
        await driver.stopNode(worker, 30);
        const { fixedAddresses } = driver.info().capabilities;
        if (fixedAddresses) {
          await driver.fixAddress(worker, taken);
          await expect(driver.startNode(worker)).rejects.toMatchObject(refusal);
          await driver.fixAddress(worker, null);
          await driver.fixAddress(worker, address);
        } else await expect(driver.fixAddress(worker, address)).rejects.toMatchObject(refusal);
        await driver.startNode(worker);
        const after = await addressOf(worker);
        if (fixedAddresses) expect(after).toBe(address);
        else expect(after).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      },
      deadlineMs,
    );

    it('sets the restart policy if the engine supports it', async () => {
      if (!driver.info().capabilities.restartPolicies) {
        expect(await subject.restartPolicyOf(worker)).toBe('no');
        return;
      }
      for (const [policy, word] of [
        ['no', 'no'],
        ['on-failure', 'on-failure:1'],
      ] as const) {
        await driver.setRestartPolicy(worker, policy);
        expect(await subject.restartPolicyOf(worker)).toBe(word);
      }
    });

    it('reports which nodes could not be changed and why', async () => {
      const missing = `${cluster}-missing`;
      const changes = [
        () => driver.startNode(missing),
        () => driver.stopNode(missing, 30),
        () => driver.pauseNode(missing),
        () => driver.unpauseNode(missing),
        () => driver.fixAddress(missing, null),
      ];
      for (const change of changes) {
        await expect(change()).rejects.toMatchObject({
          code: 'node_unchanged',
          message: expect.stringContaining(missing),
        });
      }
    });
  });

  it(
    'finds the objects of a cluster by label, removes them by id, and reports the events',
    async () => {
      const nothing = { containers: [], volumes: [] };
      expect(await driver.objectsOf('contrac')).toEqual(nothing);
      const found = await driver.objectsOf(cluster);
      expect(found.containers.map(({ name }) => name).sort()).toEqual([
        `${cluster}-control-plane`,
        `${cluster}-worker`,
      ]);
      const volumes = found.volumes.map(({ name }) => name);
      expect(volumes).toHaveLength(2);
      expect(found.containers.flatMap((container) => container.volumes).sort()).toEqual([...volumes].sort());
      for (const { createdAt } of [...found.containers, ...found.volumes]) {
        expect(Math.abs(Date.now() - Date.parse(createdAt ?? ''))).toBeLessThan(30 * 60_000);
      }
      const ids = found.containers.map(({ id }) => id);
      await driver.removeObjects({ containers: [], volumes: [] });
      expect(await driver.objectsOf(cluster)).toEqual(found);
      await driver.removeObjects({ containers: ids, volumes });
      expect(await driver.objectsOf(cluster, volumes)).toEqual(nothing);
      await driver.removeObjects({ containers: ids, volumes });
      await waitFor(() => events.filter(({ action }) => action === 'destroy').length >= 2, 'both removals');
      expect(await ours()).toEqual([]);
    },
    deadlineMs,
  );

  it('stops reporting events when the signal aborts', async () => {
    following.abort();
    expect(await followed).not.toBe('ended');
  });
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name.localeCompare(other.name);
}

function signal(): AbortSignal {
  return new AbortController().signal;
}
