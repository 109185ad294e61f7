import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger, SYSTEM_ACTOR } from '../../../core/logging/index.js';
import type { JobsService } from '../../jobs/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import { ClusterWatcher } from './cluster-watcher.js';
import { NodeInventory } from './node-inventory.js';

describe('ClusterWatcher', () => {
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
    ['die', 137, 'node-stopped', 'failed', 'c-worker stopped outside Slipway, exit status 137.'],
    ['die', 0, 'node-stopped', 'succeeded', 'c-worker stopped outside Slipway, exit status 0.'],
    ['die', null, 'node-stopped', 'failed', 'c-worker stopped outside Slipway.'],
    ['start', null, 'node-started', 'succeeded', 'c-worker was started outside Slipway.'],
    ['pause', null, 'node-paused', 'succeeded', 'c-worker was paused outside Slipway.'],
    ['unpause', null, 'node-resumed', 'succeeded', 'c-worker was resumed outside Slipway.'],
    ['destroy', null, 'node-removed', 'succeeded', 'c-worker was removed outside Slipway.'],
  ] as const)(
    'records the event %s with exit code %s in the journal',
    (action, exitCode, kind, outcome, message) => {
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
    },
  );

  it('does not record events caused by a job, even if they arrive late', async () => {
    busy = true;
    runtime.tell({});
    busy = false;
    jobChanges.next({ job: { runtime: 'docker', cluster: 'c' } });
    const during = new Date().toISOString();
    await jest.advanceTimersByTimeAsync(8000);
    runtime.tell({ time: during });
    expect(entries).toEqual([]);
    // Events after the job, and events of another cluster, are recorded.
    runtime.tell({});
    runtime.tell({ cluster: 'another', time: during });
    expect(entries.map(({ cluster }) => cluster)).toEqual(['c', 'another']);
  });

  it('does not record an unknown event, but emits a change', async () => {
    runtime.tell({ action: 'rename' });
    await jest.advanceTimersByTimeAsync(100);
    expect([entries.length, changes]).toEqual([0, 1]);
  });

  it('emits one change for a burst of events, and reads the nodes again', async () => {
    runtime.nodes = [runningNode('c-worker')];
    for (let index = 0; index < 50; index += 1) runtime.tell({});
    expect(changes).toBe(0);
    await jest.advanceTimersByTimeAsync(100);
    expect(changes).toBe(1);
    // Read in advance: the engine can become unavailable at any time.
    registry.away.set('docker', 'away');
    expect(await inventory.read()).toMatchObject([{ nodes: [{ name: 'c-worker' }] }]);
  });

  it('follows an engine again after its stream broke, or once it is available again', async () => {
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

  it('stops following engines at shutdown, so that the process can exit', async () => {
    watcher.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    expect(runtime.followers).toBe(0);
  });
});
