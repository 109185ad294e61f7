import { afterEach, describe, expect, it } from '@jest/globals';
import type { NodeEvent } from '../../backend/src/drivers/runtime/index.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';
import { driverOf } from './support/drivers.js';

const NAME = 'c-worker';

describe('a node that runs out of memory', () => {
  let machine: ScriptedMachine;
  let events: NodeEvent[];
  let following: AbortController;

  afterEach(async () => {
    following.abort();
    await machine.close();
  });

  const follow = async (engine: 'docker' | 'podman'): Promise<ScriptedMachine> => {
    machine = await ScriptedMachine.start({ engines: [engine] });
    events = [];
    following = new AbortController();
    const driver = await driverOf(machine, engine);
    const { world, requests } = machine.engine(engine);
    const volume = world.addVolume(NAME);
    world.addNode({ name: NAME, cluster: 'c', role: 'worker', image: 'node:v1.34.4', port: null, volume });
    void driver.followEvents((event) => events.push(event), following.signal).catch(() => undefined);
    await waitFor(() => requests.some((line) => line.includes(' /events')), 'a follower of the events');
    return machine;
  };
  const actions = (): string[] => events.map(({ action }) => action);

  it('is reported by docker at once, while the node runs', async () => {
    const { world } = (await follow('docker')).engine('docker');
    world.runOutOfMemory(NAME);
    await waitFor(() => events.length > 0, 'the event');
    expect(events).toMatchObject([{ action: 'oom', container: NAME, cluster: 'c', exitCode: null }]);
  });

  it('is reported for podman after the end of the node', async () => {
    const { world } = (await follow('podman')).engine('podman');
    world.runOutOfMemory(NAME);
    world.kill(NAME);
    await waitFor(() => actions().includes('oom'), 'the event');
    expect(actions()).toEqual(['die', 'oom']);
    expect(events[1]).toMatchObject({ container: NAME, cluster: 'c', exitCode: null });
  });

  it.each(['docker', 'podman'] as const)('is not mistaken for a killed node of %s', async (engine) => {
    const { world } = (await follow(engine)).engine(engine);
    world.kill(NAME);
    const node = world.find(NAME);
    if (!node) throw new Error('there is no node');
    world.start(node);
    await waitFor(() => actions().includes('start'), 'its start');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(actions()).toEqual(['die', 'start']);
  });

  it('is not reported for podman if the node is removed before it can be inspected', async () => {
    const { world } = (await follow('podman')).engine('podman');
    const node = world.find(NAME);
    if (!node) throw new Error('there is no node');
    world.runOutOfMemory(NAME);
    world.remove(node);
    await waitFor(() => actions().includes('destroy'), 'its removal');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(actions()).toEqual(['die', 'destroy']);
  });
});
