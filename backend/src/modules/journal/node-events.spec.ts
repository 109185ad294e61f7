import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger, OUTSIDE_ACTOR } from '../../core/logging/index.js';
import type { NewJournalEntry } from './journal-entry.js';
import type { JournalService } from './journal.service.js';
import { NodeEvents } from './node-events.js';
import { OutOfMemory } from './out-of-memory.js';
import { OwnChanges } from './own-changes.js';

describe('NodeEvents', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let events: NodeEvents;
  let outOfMemory: OutOfMemory;
  /** When a job last worked on the cluster c of docker. */
  let worked: number | undefined;
  let entries: NewJournalEntry[];

  beforeEach(() => {
    jest.useFakeTimers();
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    worked = undefined;
    entries = [];
    const own = new OwnChanges();
    own.register({
      lastWorkedOn: (cluster, engine) => (cluster === 'c' && engine === 'docker' ? worked : undefined),
    });
    const journal = {
      recordEventually: (entry: NewJournalEntry) => entries.push(entry),
    } as unknown as JournalService;
    const logger = AppLogger.create(readConfiguration({}), { write: () => undefined });
    outOfMemory = new OutOfMemory(journal);
    events = new NodeEvents(registry, own, outOfMemory, journal, logger);
    events.onApplicationBootstrap();
  });

  afterEach(() => {
    events.onApplicationShutdown();
    outOfMemory.onModuleDestroy();
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
      runtime.publish({ action, exitCode });
      expect(entries).toEqual([
        {
          kind,
          outcome,
          message,
          cluster: 'c',
          runtime: 'docker',
          subject: 'c-worker',
          actor: OUTSIDE_ACTOR,
        },
      ]);
    },
  );

  it('does not record events caused by a job, even if they arrive late', async () => {
    worked = Infinity;
    runtime.publish({});
    worked = Date.now();
    const during = new Date().toISOString();
    await jest.advanceTimersByTimeAsync(8000);
    runtime.publish({ time: during });
    expect(entries).toEqual([]);
    // Events after the job, and events of another cluster, are recorded.
    runtime.publish({});
    runtime.publish({ cluster: 'another', time: during });
    expect(entries.map(({ cluster }) => cluster)).toEqual(['c', 'another']);
  });

  it('emits every event, and separately those that no job caused', () => {
    const all: string[] = [];
    const outside: string[] = [];
    events.all.subscribe(({ event }) => all.push(event.action));
    events.outside.subscribe(({ event }) => outside.push(event.action));
    runtime.publish({ action: 'rename' });
    worked = Infinity;
    runtime.publish({ action: 'die' });
    expect([all, outside, entries]).toEqual([['rename', 'die'], ['rename'], []]);
  });

  describe('when a node runs out of memory', () => {
    const messages = (): string[] => entries.map(({ message }) => message);

    it('records node-out-of-memory, also while a job works on the cluster', () => {
      worked = Infinity;
      runtime.publish({ action: 'oom' });
      expect(entries).toEqual([
        {
          kind: 'node-out-of-memory',
          outcome: 'failed',
          message: 'A process in c-worker was killed because memory ran out.',
          cluster: 'c',
          runtime: 'docker',
          subject: 'c-worker',
          actor: OUTSIDE_ACTOR,
        },
      ]);
    });

    it('records a storm of events as two entries per node in ten minutes', async () => {
      for (let number = 0; number < 5000; number += 1) {
        runtime.publish({ action: 'oom' });
        runtime.publish({ action: 'oom', container: 'c-worker2' });
      }
      expect(entries).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(10 * 60_000);
      expect(messages().slice(2)).toEqual([
        'Memory ran out in c-worker 4999 more times within 10 minutes.',
        'Memory ran out in c-worker2 4999 more times within 10 minutes.',
      ]);
      await jest.advanceTimersByTimeAsync(10 * 60_000);
      expect(entries).toHaveLength(4);
      runtime.publish({ action: 'oom' });
      expect(messages().at(-1)).toBe('A process in c-worker was killed because memory ran out.');
    });

    it('writes what is counted at shutdown', () => {
      runtime.publish({ action: 'oom' });
      runtime.publish({ action: 'oom' });
      outOfMemory.onModuleDestroy();
      expect(messages().at(-1)).toBe('Memory ran out in c-worker once more within 10 minutes.');
    });
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
    events.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    expect(runtime.followers).toBe(0);
  });
});
