import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger, OUTSIDE_ACTOR } from '../../core/logging/index.js';
import { Database, migrations } from '../../core/storage/index.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';
import { ChangesWhileStopped } from './changes-while-stopped.js';
import { NodeEvents } from './node-events.js';
import { OutOfMemory } from './out-of-memory.js';
import { OwnChanges } from './own-changes.js';
import { SeenNodesStore } from './seen-nodes.store.js';

const CONTROL_PLANE = runningNode('c-control-plane');
const WORKER = runningNode('c-worker');
const STOPPED_WORKER = runningNode('c-worker', { state: 'exited' });
const OTHER = runningNode('d-control-plane', { cluster: 'd' });

describe('ChangesWhileStopped', () => {
  let folder: string;
  let database: Database;
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let own: OwnChanges;
  /** When a job last worked on the cluster c. */
  let worked: number | undefined;
  let stop: (() => Promise<void>) | undefined;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    worked = undefined;
    stop = undefined;
  });

  afterEach(async () => {
    await stop?.();
    jest.useRealTimers();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the parts that follow an engine, as after a start of Slipway. */
  const start = async (): Promise<void> => {
    own = new OwnChanges();
    own.register({ lastWorkedOn: (cluster) => (cluster === 'c' ? worked : undefined) });
    const journal = new JournalService(new JournalStore(database));
    const logger = AppLogger.create(readConfiguration({}), { write: () => undefined });
    const outOfMemory = new OutOfMemory(journal);
    const events = new NodeEvents(registry, own, outOfMemory, journal, logger);
    const changes = new ChangesWhileStopped(
      registry,
      events,
      own,
      new SeenNodesStore(database),
      journal,
      logger,
    );
    events.onApplicationBootstrap();
    changes.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(10);
    stop = async () => {
      outOfMemory.onModuleDestroy();
      events.onApplicationShutdown();
      await changes.onApplicationShutdown();
      stop = undefined;
    };
  };
  const restart = async (): Promise<void> => {
    await stop?.();
    await jest.advanceTimersByTimeAsync(60_000);
    await start();
  };
  const entries = (): unknown[] =>
    database.all("SELECT cluster, message FROM journal WHERE kind = 'cluster-changed' ORDER BY id");
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(1100);

  it('records nothing at the first start, and nothing without changes', async () => {
    runtime.nodes = [CONTROL_PLANE, WORKER];
    await start();
    await restart();
    expect(entries()).toEqual([]);
  });

  it('records one entry per changed cluster, from the actor outside', async () => {
    runtime.nodes = [CONTROL_PLANE, WORKER];
    await start();
    await stop?.();
    runtime.nodes = [CONTROL_PLANE, STOPPED_WORKER, OTHER];
    await start();
    expect(entries()).toEqual([
      { cluster: 'c', message: 'Changed while Slipway was not running: stopped c-worker.' },
      { cluster: 'd', message: 'Created while Slipway was not running: d-control-plane.' },
    ]);
    const { entries: all } = await new JournalService(new JournalStore(database)).recent({}, 30, 0);
    expect(all.map(({ runtime: engine, outcome, actor }) => [engine, outcome, actor?.kind])).toEqual([
      ['docker', 'succeeded', OUTSIDE_ACTOR.kind],
      ['docker', 'succeeded', OUTSIDE_ACTOR.kind],
    ]);
    await restart();
    expect(entries()).toHaveLength(2);
  });

  it('compares once an engine responds that is unavailable at the start', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    await stop?.();
    registry.away.set('docker', 'not running');
    runtime.nodes = [];
    await start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(entries()).toEqual([]);
    registry.away.clear();
    registry.changes.next();
    await settle();
    expect(entries()).toEqual([
      { cluster: 'c', message: 'Deleted while Slipway was not running: c-control-plane.' },
    ]);
  });

  it('keeps the nodes over a run in which the engine never responds', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    await stop?.();
    registry.away.set('docker', 'not running');
    await start();
    await stop?.();
    registry.away.clear();
    runtime.nodes = [];
    await start();
    expect(entries()).toHaveLength(1);
  });

  it('does not compare an engine that fails to list its nodes until it can', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    await stop?.();
    runtime.list = () => Promise.reject(new Error('broken'));
    await start();
    expect(entries()).toEqual([]);
    runtime.list = () => Promise.resolve([]);
    registry.changes.next();
    await settle();
    expect(entries()).toHaveLength(1);
  });

  it('records nothing that events have shown, before or after a restart', async () => {
    runtime.nodes = [CONTROL_PLANE, WORKER, OTHER];
    await start();
    runtime.nodes = [CONTROL_PLANE, STOPPED_WORKER, OTHER];
    runtime.publish({ action: 'die' });
    // Without waiting: the shutdown reads the nodes.
    await restart();
    expect(entries()).toEqual([]);
  });

  it('makes no wrong entry after a crash between an event and the next read', async () => {
    runtime.nodes = [CONTROL_PLANE, WORKER];
    await start();
    runtime.nodes = [CONTROL_PLANE];
    runtime.publish({ action: 'destroy' });
    const kept = database.all('SELECT runtime FROM seen_nodes');
    expect(kept).toEqual([]);
    await settle();
    expect(database.all('SELECT runtime FROM seen_nodes')).toHaveLength(1);
    // Also if a job has just ended, after which the nodes are read anyway.
    own.ended.next('docker');
    runtime.publish({ action: 'destroy' });
    expect(database.all('SELECT runtime FROM seen_nodes')).toEqual([]);
  });

  it('leaves clusters to their events if they change before the comparison', async () => {
    runtime.nodes = [CONTROL_PLANE, OTHER];
    await start();
    await stop?.();
    let list: (() => void) | undefined;
    runtime.list = () => new Promise((resolve) => (list = () => resolve([])));
    await start();
    runtime.publish({ action: 'destroy', container: 'c-control-plane' });
    list?.();
    await jest.advanceTimersByTimeAsync(10);
    expect(entries()).toMatchObject([{ cluster: 'd' }]);
    // Data read before the event is not kept.
    expect(database.all('SELECT runtime FROM seen_nodes')).toEqual([]);
  });

  it.each([
    ['works on', Infinity],
    ['has worked on since the start, such as a recovery after a crash', 2_000_000_000_000],
  ])('records nothing about a cluster that a job %s', async (_what, time) => {
    jest.setSystemTime(1_900_000_000_000);
    runtime.nodes = [CONTROL_PLANE, OTHER];
    await start();
    await stop?.();
    worked = time;
    runtime.nodes = [];
    await start();
    expect(entries()).toMatchObject([{ cluster: 'd' }]);
  });

  it('compares a cluster whose job ended before the nodes were read', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    worked = Date.now();
    own.ended.next('docker');
    await settle();
    await stop?.();
    runtime.nodes = [];
    await start();
    expect(entries()).toMatchObject([{ cluster: 'c' }]);
  });

  it('compares nothing if the engine is at another address', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    await stop?.();
    database.run("UPDATE seen_nodes SET address = 'unix:///another.sock'");
    runtime.nodes = [];
    await start();
    expect(entries()).toEqual([]);
  });

  it('ignores saved nodes that are damaged', async () => {
    runtime.nodes = [CONTROL_PLANE];
    await start();
    await stop?.();
    database.run("UPDATE seen_nodes SET nodes_json = '{'");
    await start();
    expect(entries()).toEqual([]);
  });

  it('does not read the nodes again for an event that changes none', async () => {
    let reads = 0;
    runtime.list = () => Promise.resolve((reads += 1)).then(() => [CONTROL_PLANE]);
    await start();
    for (let number = 0; number < 1000; number += 1) runtime.publish({ action: 'oom' });
    await settle();
    expect(reads).toBe(1);
    for (let number = 0; number < 1000; number += 1) runtime.publish({ action: 'start' });
    await settle();
    expect(reads).toBe(2);
  });

  it('does not keep the shutdown waiting for an engine that does not respond', async () => {
    await start();
    runtime.publish({ action: 'start' });
    runtime.list = () => new Promise(() => undefined);
    const stopping = stop?.();
    await jest.advanceTimersByTimeAsync(1100);
    await stopping;
    expect(database.all('SELECT runtime FROM seen_nodes')).toEqual([]);
  });
});
