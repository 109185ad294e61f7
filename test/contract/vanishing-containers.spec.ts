import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import type { ScriptedEngine } from '../support/engine/scripted-engine.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { driverOf } from './support/drivers.js';

describe('podman, whose list fails where a container goes in the meantime', () => {
  let machine: ScriptedMachine;
  let engine: ScriptedEngine;
  let driver: RuntimeDriver;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    engine = machine.engine('podman');
    driver = await driverOf(machine, 'podman');
  });

  afterEach(() => machine.close());

  it('is retried while the nodes of a cluster are removed', async () => {
    for (const list of [
      () => driver.listNodes(),
      () => driver.inspectNodes('gone'),
      () => driver.listVolumes(),
    ]) {
      engine.vanishing = 5;
      expect(await list()).toEqual([]);
      expect(engine.vanishing).toBe(0);
    }
  });

  it('inspects a container that goes in the meantime as one that is gone', async () => {
    await machine.kind.makeOutside('podman', 'going', {
      nodes: [{ image: 'docker.io/kindest/node:v1.34.4' }],
    });
    engine.vanishingInspections = 1;
    expect(await driver.inspectNodes('going')).toEqual([]);
    expect(engine.vanishingInspections).toBe(0);
    expect(await driver.inspectNodes('going')).toHaveLength(1);
  });

  it('cannot be used where it goes on, and says why', async () => {
    engine.vanishing = Infinity;
    await expect(driver.listNodes()).rejects.toMatchObject({
      code: 'runtime_unavailable',
      message: expect.stringMatching(/cannot list its containers \(.*no such container/),
    });
  });
});
