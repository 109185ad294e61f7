import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import type { ScriptedEngine } from '../support/engine/scripted-engine.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { driverOf } from './support/drivers.js';

/** A failure that a real engine cannot produce on request: an end in the middle of binding a node to its address. */
describe('a node of podman that is bound to an address', () => {
  const name = 'c-control-plane2';
  let machine: ScriptedMachine;
  let engine: ScriptedEngine;
  let driver: RuntimeDriver;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    engine = machine.engine('podman');
    driver = await driverOf(machine, 'podman');
    const { world } = engine;
    const volume = world.addVolume(name);
    const role = 'control-plane';
    world.stop(world.addNode({ name, cluster: 'c', role, image: 'node:v1.34.4', port: null, volume }));
  });

  afterEach(() => machine.close());

  it('and cannot be connected again says that it is on no network, and the next try puts it on', async () => {
    engine.offNetwork.add(name);
    await expect(driver.fixAddress(name, '172.18.0.7')).rejects.toMatchObject({
      code: 'node_unchanged',
      details: { node: name },
      message: expect.stringMatching(
        /^podman could not connect c-control-plane2 to network kind, which its next start retries: .*not found\.$/,
      ),
    });
    expect(engine.world.find(name)).toMatchObject({ connected: false });

    engine.offNetwork.clear();
    await driver.fixAddress(name, '172.18.0.7');
    await driver.startNode(name);
    expect(engine.world.find(name)).toMatchObject({ connected: true, address: '172.18.0.7' });
  });

  it('and was cut off from its network in between is put on again without being taken off', async () => {
    Object.assign(engine.world.find(name) ?? {}, { connected: false });
    await driver.fixAddress(name, null);
    await driver.startNode(name);
    expect((await driver.listNodes())[0]).toMatchObject({ state: 'running', address: '172.18.0.2' });
    expect(engine.requests.filter((line) => line.includes('/networks/'))).toEqual([
      'POST /networks/kind/connect',
    ]);
  });
});
