import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';
import { driverOf } from '../contract/support/drivers.js';

describe.each(['docker', 'podman'] as const)('a %s that does not answer', (engine) => {
  let machine: ScriptedMachine;
  let driver: RuntimeDriver;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: [engine] });
    driver = await driverOf(machine, engine);
  });

  afterEach(() => machine.close());

  it('ends a call after 4 s, and then fails without another request', async () => {
    const { requests } = machine.engine(engine);
    machine.engine(engine).hang();
    const fails = (): Promise<void> =>
      expect(driver.listNodes()).rejects.toMatchObject({
        code: 'runtime_unavailable',
        message: expect.stringContaining('accepted the connection but did not respond within 4 s'),
      });
    await fails();
    const { length } = requests;
    await fails();
    expect(requests).toHaveLength(length);
  });

  it('is available although it is too busy to return its version', async () => {
    machine.engine(engine).hold('/version');
    await expect(driver.probe()).rejects.toMatchObject({ code: 'runtime_unavailable' });
    // Sent although the last call timed out.
    await driver.ping();
    expect(await driver.listNodes()).toEqual([]);
    machine.engine(engine).release('/version');
  });

  it('reports a missing socket, and recovers when it is back', async () => {
    await machine.engine(engine).goAway();
    await expect(driver.ping()).rejects.toMatchObject({
      code: 'runtime_unavailable',
      message: expect.stringContaining('its socket does not exist; the engine is not running'),
    });
    await machine.engine(engine).comeBack();
    const answers = (): Promise<boolean> =>
      driver.ping().then(
        () => true,
        () => false,
      );
    await waitFor(answers, 'an answer');
  });

  it('ends the stream of events with a reason', async () => {
    const following = driver.followEvents(() => undefined, new AbortController().signal);
    const ended = expect(following).rejects.toMatchObject({ code: 'runtime_unavailable' });
    await machine.engine(engine).goAway();
    await ended;
  });

  it('counts an end from outside: state, exit status, and no address', async () => {
    const { world } = machine.engine(engine);
    world.addNode({
      name: 'a-worker',
      cluster: 'a',
      role: 'worker',
      image: 'kindest/node:v1.34.4',
      port: null,
      volume: world.addVolume('a-worker'),
    });
    expect(await driver.listNodes()).toMatchObject([{ name: 'a-worker', state: 'running', exitCode: null }]);
    world.kill('a-worker');
    expect(await driver.listNodes()).toMatchObject([
      { name: 'a-worker', state: 'exited', exitCode: 137, outOfMemory: false, address: null },
    ]);
  });
});
