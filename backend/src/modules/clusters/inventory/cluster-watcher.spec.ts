import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger, SYSTEM_ACTOR } from '../../../core/logging/index.js';
import type { JobsService } from '../../jobs/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import { ClusterWatcher } from './cluster-watcher.js';
import { NodeInventory } from './node-inventory.js';

describe('the watcher of clusters', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let inventory: NodeInventory;
  let watcher: ClusterWatcher;
  let busy: boolean;
  let jobChanges: Subject<{ job: { runtime: string; cluster: string } }>;
  let entries: NewJournalEntry[];
  let changes: number;

  beforeEach(() => {
    jest.useFakeTimers();
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    inventory = new NodeInventory(registry);
    busy = false;
    entries = [];
    changes = 0;
    jobChanges = new Subject();
    const jobs = { changes: jobChanges, activeOf: () => (busy ? {} : undefined) } as unknown as JobsService;
    const journal = { record: (entry: NewJournalEntry) => entries.push(entry) } as unknown as JournalService;
    const logger = AppLogger.create(readConfiguration({}), { write: () => undefined });
    watcher = new ClusterWatcher(registry, jobs, journal, inventory, logger);
    watcher.changes.subscribe(() => (changes += 1));
    watcher.onApplicationBootstrap();
  });

  afterEach(() => {
    watcher.onApplicationShutdown();
    jest.useRealTimers();
  });

  it.each([
    ['die', 137, 'node-stopped', 'failed', 'c-worker stopped without Slipway, exit status 137.'],
    ['die', 0, 'node-stopped', 'succeeded', 'c-worker stopped without Slipway, exit status 0.'],
    ['die', null, 'node-stopped', 'failed', 'c-worker stopped without Slipway.'],
    ['start', null, 'node-started', 'succeeded', 'c-worker was started without Slipway.'],
    ['pause', null, 'node-paused', 'succeeded', 'c-worker was paused without Slipway.'],
    ['unpause', null, 'node-resumed', 'succeeded', 'c-worker was resumed without Slipway.'],
    ['destroy', null, 'node-removed', 'succeeded', 'c-worker was removed from docker without Slipway.'],
  ] as const)('tells the journal of %s with %s', (action, exitCode, kind, outcome, message) => {
    runtime.tell({ action, exitCode });
    expect(entries).toEqual([
      {
        kind,
        outcome,
        message,
        cluster: 'c',
        runtime: 'docker',
        subject: 'c-worker',
        actor: SYSTEM_ACTOR,
      },
    ]);
  });

  it('tells it nothing of what a job does, however late its events arrive', async () => {
    busy = true;
    runtime.tell({});
    busy = false;
    jobChanges.next({ job: { runtime: 'docker', cluster: 'c' } });
    const during = new Date().toISOString();
    await jest.advanceTimersByTimeAsync(8000);
    runtime.tell({ time: during });
    expect(entries).toEqual([]);
    // What happens after the job is news, and so is what happens to another cluster.
    runtime.tell({});
    runtime.tell({ cluster: 'another', time: during });
    expect(entries.map(({ cluster }) => cluster)).toEqual(['c', 'another']);
  });

  it('tells nothing of what it does not know, but looks', async () => {
    runtime.tell({ action: 'rename' });
    await jest.advanceTimersByTimeAsync(100);
    expect([entries.length, changes]).toEqual([0, 1]);
  });

  it('gathers a burst into one change, and reads the nodes anew', async () => {
    runtime.nodes = [runningNode('c-worker')];
    for (let index = 0; index < 50; index += 1) runtime.tell({});
    expect(changes).toBe(0);
    await jest.advanceTimersByTimeAsync(100);
    expect(changes).toBe(1);
    // Known without anybody having asked: the engine may be gone the next moment.
    registry.away.set('docker', 'away');
    expect(await inventory.read()).toMatchObject([{ nodes: [{ name: 'c-worker' }] }]);
  });

  it('follows an engine again whose stream broke, and one that came back', async () => {
    expect(runtime.followers).toBe(1);
    runtime.breakStreams();
    await jest.advanceTimersByTimeAsync(0);
    expect([runtime.followers, registry.reports.length]).toEqual([0, 1]);
    registry.changes.next();
    await jest.advanceTimersByTimeAsync(2000);
    expect(runtime.followers).toBe(0);
    registry.away.clear();
    registry.changes.next();
    await jest.advanceTimersByTimeAsync(0);
    expect(runtime.followers).toBe(1);
  });

  it('follows nothing any more once it was stopped, so that the process can end', async () => {
    watcher.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    expect(runtime.followers).toBe(0);
  });
});
