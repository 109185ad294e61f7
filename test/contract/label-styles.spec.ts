import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { driverOf } from './support/drivers.js';

// Case E07: Podman 5 prints labels as a map, Podman 6 as a list (kubernetes-sigs/kind#4203).
describe('podman', () => {
  let machine: ScriptedMachine;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
  });

  afterEach(() => machine.close());

  it.each(['map', 'list'] as const)('lists clusters and volumes whose labels are a %s', async (style) => {
    const { world } = machine.engine('podman');
    world.labelStyle = style;
    await machine.kind.makeOutside('podman', 'made', {
      nodes: [
        { image: 'docker.io/kindest/node:v1.34.4' },
        { image: 'docker.io/kindest/node:v1.34.4', role: 'worker' },
      ],
    });
    const driver = await driverOf(machine, 'podman');
    const nodes = await driver.listNodes();
    expect(nodes.map(({ name, cluster, role }) => [name, cluster, role]).sort()).toEqual([
      ['made-control-plane', 'made', 'control-plane'],
      ['made-worker', 'made', 'worker'],
    ]);
    const { containers, volumes } = await driver.objectsOf('made');
    expect([containers.length, volumes.length]).toEqual([2, 2]);
  });
});
