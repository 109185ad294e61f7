import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import type { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import type { ServerMessage } from './socket-messages.js';
import { LiveSources } from './live-sources.js';
import type { Outlet } from './subscription.js';

interface FakeEntry {
  id: number;
  rate: number;
}

/** Sources by id. An id that the test did not name is a mistake. */
class FakeRegistry {
  readonly changes = new Subject<number>();
  readonly entries = new Map<number, FakeEntry>();
  readonly gone = new Set<number>();
  presented = 0;

  all(): FakeEntry[] {
    return [...this.entries.values()];
  }

  find(id: number): FakeEntry | undefined {
    const entry = this.entries.get(id);
    if (!entry && !this.gone.has(id)) throw new Error(`nobody spoke of source ${id}`);
    return entry;
  }

  present(entry: FakeEntry): FakeEntry {
    if (!this.entries.has(entry.id)) throw new Error(`source ${entry.id} is not there`);
    this.presented += 1;
    return { ...entry };
  }

  /** Changes a source, or brings it. */
  set(id: number, rate: number): void {
    this.entries.set(id, { id, rate });
    this.changes.next(id);
  }

  remove(id: number): void {
    this.entries.delete(id);
    this.gone.add(id);
    this.changes.next(id);
  }
}

class FakeOutlet implements Outlet {
  isReady = true;
  /** What it was told: ids with their rates; `all` before them where these were all, `gone` before those that went. */
  readonly told: string[] = [];
  readonly messages: Extract<ServerMessage, { type: 'sources' }>[] = [];
  /** Messages that it takes before it is not ready any more. */
  room = Infinity;

  ready(): boolean {
    return this.isReady && this.room > 0;
  }

  send(message: ServerMessage): void {
    if (!this.ready()) throw new Error('it was told something while it did not read');
    this.room -= 1;
    if (message.type !== 'sources') throw new Error(`${message.type} was sent`);
    this.messages.push(message);
    const sources = message.sources.map(({ id, rate }) => `${id}:${rate}`).join(' ');
    const gone = message.gone.map((id) => ` gone ${id}`).join('');
    this.told.push(`${message.whole ? 'all ' : ''}${sources}${gone}`);
  }
}

describe('LiveSources', () => {
  let registry: FakeRegistry;
  let outlet: FakeOutlet;
  let opened: Promise<unknown>;
  let live: LiveSources;

  beforeEach(() => {
    jest.useFakeTimers();
    registry = new FakeRegistry();
    outlet = new FakeOutlet();
    opened = Promise.resolve();
    const access: Pick<LogStoreAccess, 'get'> = { get: () => opened as ReturnType<LogStoreAccess['get']> };
    live = new LiveSources(access as LogStoreAccess, registry as unknown as SourceRegistry);
    // Rates are told each second of the clock, which begins before.
    jest.advanceTimersByTime(10_000);
  });

  afterEach(() => {
    live.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('tells all at once, and then what changed, once, a quarter of a second later', async () => {
    registry.set(1, 0);
    registry.set(2, 0);
    await live.watch(outlet);
    expect(outlet.told).toEqual(['all 1:0 2:0']);
    registry.set(2, 0);
    registry.set(2, 0);
    registry.set(3, 0);
    jest.advanceTimersByTime(249);
    expect(outlet.told).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(outlet.told.slice(1)).toEqual(['2:0 3:0']);
    jest.advanceTimersByTime(10_000);
    expect(outlet.told).toHaveLength(2);
  });

  it('tells which are no more', async () => {
    registry.set(1, 0);
    registry.set(2, 0);
    await live.watch(outlet);
    registry.remove(1);
    registry.set(2, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.told.slice(1)).toEqual(['2:0 gone 1']);
  });

  it('tells a rate each second until it is nothing, though nothing says that it fell', async () => {
    registry.set(1, 0);
    await live.watch(outlet);
    registry.set(1, 8);
    jest.advanceTimersByTime(250);
    expect(outlet.told.slice(1)).toEqual(['1:8']);
    registry.entries.set(1, { id: 1, rate: 3 });
    jest.advanceTimersByTime(1000);
    expect(outlet.told.slice(2)).toEqual(['1:3']);
    registry.entries.set(1, { id: 1, rate: 0 });
    jest.advanceTimersByTime(1000);
    expect(outlet.told.slice(3)).toEqual(['1:0']);
    jest.advanceTimersByTime(10_000);
    expect(outlet.told).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('looks after a rate that stood when somebody began to watch', async () => {
    registry.set(1, 5);
    await live.watch(outlet);
    registry.entries.set(1, { id: 1, rate: 0 });
    jest.advanceTimersByTime(1500);
    expect(outlet.told).toEqual(['all 1:5', '1:0']);
  });

  it('does not look after a rate of what is gone', async () => {
    registry.set(1, 5);
    await live.watch(outlet);
    registry.remove(1);
    jest.advanceTimersByTime(250);
    expect(outlet.told.slice(1)).toEqual([' gone 1']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells one that did not read what changed once it does, and the others at once', async () => {
    registry.set(1, 0);
    const other = new FakeOutlet();
    await live.watch(outlet);
    await live.watch(other);
    outlet.isReady = false;
    registry.set(1, 0);
    jest.advanceTimersByTime(250);
    registry.set(2, 0);
    jest.advanceTimersByTime(5000);
    expect([outlet.told, other.told]).toEqual([['all 1:0'], ['all 1:0', '1:0', '2:0']]);
    outlet.isReady = true;
    jest.advanceTimersByTime(250);
    expect(outlet.told.slice(1)).toEqual(['1:0 2:0']);
    jest.advanceTimersByTime(5000);
    expect([outlet.told.length, other.told.length]).toEqual([2, 3]);
  });

  it('tells one that did not read from the beginning everything later', async () => {
    registry.set(1, 0);
    outlet.isReady = false;
    await live.watch(outlet);
    outlet.isReady = true;
    registry.set(2, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.told).toEqual(['all 1:0 2:0']);
  });

  it('tells very many in pieces, as fast as they are taken, and then what changed meanwhile', async () => {
    for (let id = 1; id <= 1100; id += 1) registry.set(id, 0);
    outlet.room = 1;
    await live.watch(outlet);
    const shape = (): unknown =>
      outlet.messages.map(({ whole, sources, gone, more }) => [whole, sources.length, gone.length, more]);
    expect(shape()).toEqual([[true, 250, 0, true]]);
    // It reads no further for a while, and much changes.
    registry.set(3, 0);
    registry.set(900, 0);
    registry.set(2000, 0);
    registry.remove(1050);
    registry.remove(4);
    jest.advanceTimersByTime(2000);
    expect(outlet.messages).toHaveLength(1);
    outlet.room = 2;
    jest.advanceTimersByTime(250);
    expect(outlet.messages).toHaveLength(3);
    outlet.room = 10;
    jest.advanceTimersByTime(10);
    expect(shape()).toEqual([
      [true, 250, 0, true],
      [false, 250, 0, true],
      [false, 250, 0, true],
      [false, 250, 0, true],
      [false, 99, 1, undefined],
      // Otherwise one who reads slowly would never be told the last of them.
      [false, 2, 1, undefined],
    ]);
    const told = outlet.messages.flatMap(({ sources }) => sources.map(({ id }) => id));
    expect(told.slice(-3)).toEqual([1100, 3, 2000]);
    expect(outlet.messages.slice(-2).map(({ gone }) => gone)).toEqual([[1050], [4]]);
    expect(jest.getTimerCount()).toBe(0);
    // So does a change of very many, as when an engine stops to answer.
    for (let id = 100; id < 700; id += 1) registry.set(id, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.messages.slice(6).map(({ sources, more }) => [sources.length, more])).toEqual([
      [250, true],
      [250, true],
      [100, undefined],
    ]);
  });

  it('looks at nothing while nobody watches', async () => {
    registry.set(1, 7);
    expect(jest.getTimerCount()).toBe(0);
    await live.watch(outlet);
    live.unwatch(outlet);
    const { presented } = registry;
    registry.set(1, 9);
    jest.advanceTimersByTime(10_000);
    expect([registry.presented, outlet.told]).toEqual([presented, ['all 1:7']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells nothing to who has left, and goes on for the others', async () => {
    const other = new FakeOutlet();
    await live.watch(outlet);
    await live.watch(other);
    registry.set(1, 0);
    live.unwatch(outlet);
    jest.advanceTimersByTime(250);
    expect([outlet.told, other.told]).toEqual([['all '], ['all ', '1:0']]);
  });

  it('does not begin where the history cannot be opened', async () => {
    opened = Promise.reject(new Error('no room is left'));
    await expect(live.watch(outlet)).rejects.toThrow('no room is left');
    registry.set(1, 0);
    jest.advanceTimersByTime(1000);
    expect([outlet.told, registry.presented]).toEqual([[], 0]);
  });

  it('ends with the application', async () => {
    registry.set(1, 4);
    await live.watch(outlet);
    live.onApplicationShutdown();
    registry.set(1, 5);
    jest.advanceTimersByTime(10_000);
    expect([outlet.told, jest.getTimerCount(), registry.changes.observed]).toEqual([['all 1:4'], 0, false]);
  });
});
