import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime } from '../../../../test/support/runtime/fake-runtime.js';
import { OUTSIDE_ACTOR } from '../../core/logging/index.js';
import type { NewJournalEntry } from './journal-entry.js';
import type { JournalService } from './journal.service.js';
import { EngineAvailability } from './engine-availability.js';

describe('EngineAvailability', () => {
  let runtimes: FakeRuntime[];
  let registry: FakeRegistry;
  let availability: EngineAvailability;
  let entries: NewJournalEntry[];

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00Z') });
    runtimes = [new FakeRuntime('docker'), new FakeRuntime('podman')];
    registry = new FakeRegistry(runtimes);
    entries = [];
    const journal = {
      recordEventually: (entry: NewJournalEntry) => entries.push(entry),
    } as unknown as JournalService;
    availability = new EngineAvailability(registry, journal);
  });

  afterEach(() => {
    availability.onApplicationShutdown();
    jest.useRealTimers();
  });

  const change = async (id: string, reason: string | null, forMs: number): Promise<void> => {
    if (reason === null) registry.away.delete(id);
    else registry.away.set(id, reason);
    registry.since = new Date().toISOString();
    registry.changes.next();
    await jest.advanceTimersByTimeAsync(forMs);
  };

  it('records an engine that stops responding with the reason, and its return', async () => {
    availability.onApplicationBootstrap();
    await change('docker', 'The socket does not exist', 42_000);
    await change('docker', null, 42_000);
    expect(entries).toEqual([
      {
        kind: 'engine-unavailable',
        outcome: 'failed',
        message: 'docker stopped responding. The socket does not exist.',
        runtime: 'docker',
        actor: OUTSIDE_ACTOR,
      },
      {
        kind: 'engine-available',
        outcome: 'succeeded',
        message: 'docker responds again after 42 s.',
        runtime: 'docker',
        actor: OUTSIDE_ACTOR,
      },
    ]);
  });

  it('records nothing for a failed check, and for an engine that flaps', async () => {
    availability.onApplicationBootstrap();
    for (let round = 0; round < 100; round += 1) {
      await change('docker', 'busy', 4900);
      await change('docker', null, 1000);
    }
    await jest.advanceTimersByTimeAsync(60_000);
    expect(entries).toEqual([]);
  });

  it('records one entry for an engine that flaps after it is gone', async () => {
    availability.onApplicationBootstrap();
    for (let round = 0; round < 100; round += 1) {
      await change('docker', 'busy', 6000);
      await change('docker', null, 4900);
    }
    expect(entries.map(({ kind }) => kind)).toEqual(['engine-unavailable']);
  });

  it('records nothing for an engine that is not there at the start, until it has responded once', async () => {
    registry.away.set('docker', 'not installed');
    availability.onApplicationBootstrap();
    await change('podman', null, 60_000);
    await change('docker', null, 60_000);
    expect(entries).toEqual([]);
    await change('docker', 'gone', 60_000);
    expect(entries.map(({ kind }) => kind)).toEqual(['engine-unavailable']);
  });

  it('records nothing for an engine that is no longer listed, such as the demo', async () => {
    availability.onApplicationBootstrap();
    await change('podman', 'gone', 1000);
    runtimes.pop();
    registry.changes.next();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(entries).toEqual([]);
  });

  it('records nothing after the shutdown', async () => {
    availability.onApplicationBootstrap();
    await change('docker', 'gone', 1000);
    availability.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(entries).toEqual([]);
  });
});
