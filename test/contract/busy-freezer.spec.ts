import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import type { ScriptedEngine } from '../support/engine/scripted-engine.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { driverOf } from './support/drivers.js';

describe('a node of podman that makes processes while it is paused', () => {
  const name = 'c-worker';
  let machine: ScriptedMachine;
  let engine: ScriptedEngine;
  let driver: RuntimeDriver;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    engine = machine.engine('podman');
    driver = await driverOf(machine, 'podman');
    const volume = engine.world.addVolume(name);
    const role = 'worker';
    engine.world.addNode({ name, cluster: 'c', role, image: 'node:v1.34.4', port: null, volume });
  });

  afterEach(() => machine.close());

  const pauses = (): number => engine.requests.filter((line) => line.endsWith(`/${name}/pause`)).length;

  it('is tried again until it is paused', async () => {
    engine.busyFreezes = 2;
    await driver.pauseNode(name);
    expect((await driver.listNodes())[0]).toMatchObject({ state: 'paused' });
    expect(pauses()).toBe(3);
  });

  it('and never holds still is refused with the engine’s words', async () => {
    engine.busyFreezes = Infinity;
    await expect(driver.pauseNode(name)).rejects.toMatchObject({
      code: 'node_unchanged',
      details: { node: name },
      message: expect.stringMatching(/could not pause c-worker: .*runc pause \w+` failed: exit status 1\.$/),
    });
    expect(pauses()).toBe(4);
  });

  it('is not tried again where it does not run', async () => {
    await driver.stopNode(name, 30);
    await expect(driver.pauseNode(name)).rejects.toMatchObject({ code: 'node_unchanged' });
    expect(pauses()).toBe(1);
  });
});
