import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type { JobsService } from '../../jobs/index.js';
import type { NodeEvents } from '../../journal/index.js';
import { ClusterWatcher } from './cluster-watcher.js';
import { NodeInventory } from './node-inventory.js';

describe('ClusterWatcher', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let inventory: NodeInventory;
  let watcher: ClusterWatcher;
  let events: Subject<unknown>;
  let jobChanges: Subject<unknown>;
  let changes: number;

  beforeEach(() => {
    jest.useFakeTimers();
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    inventory = new NodeInventory(registry);
    changes = 0;
    events = new Subject();
    jobChanges = new Subject();
    const logger = AppLogger.create(readConfiguration({}), { write: () => undefined });
    watcher = new ClusterWatcher(
      registry,
      { changes: jobChanges } as unknown as JobsService,
      { all: events } as unknown as NodeEvents,
      inventory,
      logger,
    );
    watcher.changes.subscribe(() => (changes += 1));
    watcher.onApplicationBootstrap();
  });

  afterEach(() => {
    watcher.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('emits one change for a burst of events, and reads the nodes again', async () => {
    runtime.nodes = [runningNode('c-worker')];
    for (let index = 0; index < 50; index += 1) events.next({});
    expect(changes).toBe(0);
    await jest.advanceTimersByTimeAsync(100);
    expect(changes).toBe(1);
    // Read in advance: the engine can become unavailable at any time.
    registry.away.set('docker', 'away');
    expect(await inventory.read()).toMatchObject([{ nodes: [{ name: 'c-worker' }] }]);
  });

  it('emits a change for a job, an engine, and saved files', async () => {
    for (const change of [() => jobChanges.next({}), () => registry.changes.next(), () => watcher.touch()]) {
      const before = changes;
      change();
      await jest.advanceTimersByTimeAsync(100);
      expect(changes).toBe(before + 1);
    }
  });

  it('emits nothing after the shutdown', async () => {
    watcher.onApplicationShutdown();
    events.next({});
    registry.changes.next();
    await jest.advanceTimersByTimeAsync(100);
    expect(changes).toBe(0);
  });
});
