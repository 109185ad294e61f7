import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NodeContainer, NodeEvent, RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';
import { waitFor } from '../../support/wait-for.js';
import { imagesContract } from './runtime-images.contract.js';
import type { RuntimeUnderTest } from './runtime-under-test.js';

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
    // The tests do not run in a container of the engine.
    expect(info.ownContainer).toBeNull();
    expect(await driver.apiHost('c')).toBeNull();
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

  imagesContract(() => subject, cluster, deadlineMs);

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
        expect(await driver.containerNames()).toContain(`${cluster}-control-plane`);
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
