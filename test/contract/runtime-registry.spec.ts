import { afterEach, describe, expect, it } from '@jest/globals';
import { AppLogger } from '../../backend/src/core/logging/app-logger.js';
import { DataDirectory } from '../../backend/src/core/storage/data-directory.js';
import { DemoRuntimeDriver } from '../../backend/src/drivers/demo/demo-runtime-driver.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { LocalRuntimeRegistry } from '../../backend/src/drivers/runtime/local-runtime-registry.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';
import type { EngineName } from '../transcripts/transcript.js';
import { configurationOf, discoveryOn } from './support/drivers.js';

describe('the registry of runtimes', () => {
  let machine: ScriptedMachine;
  let registry: LocalRuntimeRegistry;
  let world: DemoWorld;

  const startOn = async (
    engines: EngineName[],
    extra: Record<string, string> = {},
    mayOfferDemo = true,
  ): Promise<void> => {
    machine = await ScriptedMachine.start({ engines });
    await startAgain(extra, mayOfferDemo);
    // On a busy machine, an engine may be added after the start.
    const { APP_RUNTIME: only = 'auto' } = extra;
    const wanted = engines.filter((engine) => only === 'auto' || only === engine);
    await waitFor(() => wanted.every((engine) => ids().includes(engine)), wanted.join(' and '));
  };
  const startAgain = async (extra: Record<string, string> = {}, mayOfferDemo = true): Promise<void> => {
    const configuration = configurationOf(machine, { APP_LOG_LEVEL: 'fatal', ...extra });
    world = new DemoWorld(configuration, DataDirectory.open(configuration));
    registry = new LocalRuntimeRegistry(
      configuration,
      discoveryOn(configuration),
      new DemoRuntimeDriver(world),
      () => Promise.resolve(mayOfferDemo),
      AppLogger.create(configuration, { write: () => undefined }),
    );
    await registry.start();
  };
  const ids = (): string[] => registry.available().map(({ id }) => id);
  const status = (id: string): ReturnType<LocalRuntimeRegistry['statuses']>[number] | undefined =>
    registry.statuses().find((entry) => entry.id === id);

  afterEach(async () => {
    registry.stop();
    await machine.close();
  });

  it('has every engine that answers, Docker before Podman, and no demo beside them', async () => {
    await startOn(['docker', 'podman']);
    expect(ids().sort()).toEqual(['docker', 'podman']);
    expect(registry.active()?.id).toBe('docker');
    expect(registry.statuses().map(({ id }) => id)).toEqual(['docker', 'podman']);
    expect(status('podman')?.info?.version).toBe('4.3.1');
  });

  it('tells of an engine that does not answer why, and what to do', async () => {
    await startOn(['podman']);
    expect(ids()).toEqual(['podman']);
    expect(registry.active()?.id).toBe('podman');
    expect(status('docker')).toMatchObject({
      available: false,
      reason: expect.stringContaining('its socket does not exist; the engine is not running'),
      fix: expect.stringMatching(/docker/i),
      attempts: [{ source: 'DOCKER_HOST', answered: false }],
    });
    expect(() => registry.get('docker')).toThrow(/not running.*To fix it: /);
    expect(() => registry.get('no-such-thing')).toThrow('Runtime no-such-thing does not exist');
  });

  // Case E07: Docker still answers at the address of DOCKER_HOST, which Podman may serve, too.
  it('reports the socket of a Podman that ended, and how to start it, beside Docker', async () => {
    await startOn(['docker', 'podman']);
    await machine.engine('podman').goAway();
    await waitFor(() => status('podman')?.available === false, 'the end of podman');
    // The first reason may be the closed connection. The advice follows when no place responds.
    await waitFor(
      () => status('podman')?.fix?.includes('podman.socket') === true,
      () => `the advice, now ${JSON.stringify(status('podman'))},`,
    );
    expect(status('podman')?.reason).toContain('its socket does not exist');
    expect(status('docker')?.available).toBe(true);
    await machine.engine('podman').comeBack();
    await waitFor(() => status('podman')?.available === true, 'the return of podman');
  });

  it('offers the demo where no engine answers, unless real clusters are saved here', async () => {
    await startOn([]);
    expect(ids()).toEqual(['demo']);
    expect(registry.active()?.id).toBe('demo');
    registry.stop();
    await startAgain({}, false);
    expect(ids()).toEqual([]);
    expect(registry.active()).toBeUndefined();
  });

  it('uses only the runtime of APP_RUNTIME', async () => {
    await startOn(['docker', 'podman'], { APP_RUNTIME: 'podman' });
    expect(ids()).toEqual(['podman']);
    registry.stop();
    await startAgain({ APP_RUNTIME: 'demo' });
    expect(ids()).toEqual(['demo']);
  });

  it('keeps the demo beside an engine while it holds clusters', async () => {
    await startOn(['docker']);
    await world.addNode({
      name: 'd-control-plane',
      cluster: 'd',
      role: 'control-plane',
      image: '',
      ports: [],
    });
    await registry.refresh();
    expect(ids().sort()).toEqual(['demo', 'docker']);
    expect(registry.active()?.id).toBe('docker');
    await world.removeNodes(world.nodesOf('d').map(({ id }) => id));
    await registry.refresh();
    expect(ids()).toEqual(['docker']);
  });

  it('notices an engine that goes and one that comes, keeps its driver, and says so each time', async () => {
    await startOn(['docker']);
    const driver = registry.get('docker');
    let changes = 0;
    registry.changes.subscribe(() => (changes += 1));
    await machine.engine('docker').goAway();
    await registry.refresh();
    expect(changes).toBeGreaterThanOrEqual(1);
    expect(status('docker')).toMatchObject({ available: false, info: { version: '20.10.24+dfsg1' } });
    expect(ids()).toEqual(['demo']);
    await machine.engine('docker').comeBack();
    await waitFor(() => ids().includes('docker'), 'Docker again, by itself');
    expect(registry.get('docker')).toBe(driver);
    expect(status('docker')?.reason).toBeNull();
  });

  it('checks an engine soon after a caller reports an error', async () => {
    await startOn(['docker']);
    const engine = machine.engine('docker');
    const driver = registry.get('docker');
    await engine.goAway();
    const error: unknown = await driver.listNodes().catch((thrown: unknown) => thrown);
    registry.report('docker', error);
    expect(status('docker')).toMatchObject({
      available: false,
      reason: expect.stringContaining('not running'),
    });
    await engine.comeBack();
    await waitFor(() => ids().includes('docker'), 'Docker again');
  });

  it('starts without an engine that never responds, and adds it when it does', async () => {
    machine = await ScriptedMachine.start({ engines: ['docker', 'podman'] });
    machine.engine('docker').hang();
    await startAgain();
    expect(ids()).not.toContain('docker');
    await waitFor(() => ids().includes('podman'), 'Podman');
    machine.engine('docker').respondAgain();
    await waitFor(() => ids().includes('docker'), 'Docker');
  });

  it('sends one /version request to an engine that is too busy to respond to it', async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    const engine = machine.engine('podman');
    engine.hold('/version');
    await startAgain({ APP_RUNTIME: 'podman' });
    await waitFor(() => status('podman')?.reason?.includes('it is busy') === true, 'the reason');
    await registry.refresh();
    expect(engine.requests.filter((line) => line === 'GET /version')).toHaveLength(1);
    engine.release('/version');
    await waitFor(() => ids().includes('podman'), 'Podman');
  }, 40_000);

  it('recognizes a Podman behind Docker’s address', async () => {
    machine = await ScriptedMachine.start({ engines: ['podman'] });
    const socket = machine.engine('podman').socket;
    await startAgain({ DOCKER_HOST: `unix://${socket}`, APP_PODMAN_SOCKET: `${socket}.not` });
    expect(ids()).toEqual(['podman']);
    expect(status('docker')).toMatchObject({
      available: false,
      reason: `The engine at ${socket} is podman.`,
    });
  });
});
