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

/** Sources by id. Unknown ids are errors. */
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
    if (!entry && !this.gone.has(id)) throw new Error(`source ${id} was never known`);
    return entry;
  }

  present(entry: FakeEntry): FakeEntry {
    if (!this.entries.has(entry.id)) throw new Error(`source ${entry.id} does not exist`);
    this.presented += 1;
    return { ...entry };
  }

  /** Adds or changes a source. */
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
  /** Received sources as `id:rate`, after `all` in a complete list; `gone` precedes deleted ids. */
  readonly received: string[] = [];
  readonly messages: Extract<ServerMessage, { type: 'sources' }>[] = [];
  /** Messages it accepts until it is not ready. */
  room = Infinity;

  ready(): boolean {
    return this.isReady && this.room > 0;
  }

  send(message: ServerMessage): void {
    if (!this.ready()) throw new Error('a message was sent while the client was not ready');
    this.room -= 1;
    if (message.type !== 'sources') throw new Error(`${message.type} was sent`);
    this.messages.push(message);
    const sources = message.sources.map(({ id, rate }) => `${id}:${rate}`).join(' ');
    const gone = message.gone.map((id) => ` gone ${id}`).join('');
    this.received.push(`${message.whole ? 'all ' : ''}${sources}${gone}`);
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
    // Starts in the middle of the interval for rates.
    jest.advanceTimersByTime(10_000);
  });

  afterEach(() => {
    live.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('sends all sources, and then each change once after 250 ms', async () => {
    registry.set(1, 0);
    registry.set(2, 0);
    await live.watch(outlet);
    expect(outlet.received).toEqual(['all 1:0 2:0']);
    registry.set(2, 0);
    registry.set(2, 0);
    registry.set(3, 0);
    jest.advanceTimersByTime(249);
    expect(outlet.received).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(outlet.received.slice(1)).toEqual(['2:0 3:0']);
    jest.advanceTimersByTime(10_000);
    expect(outlet.received).toHaveLength(2);
  });

  it('sends the ids of deleted sources', async () => {
    registry.set(1, 0);
    registry.set(2, 0);
    await live.watch(outlet);
    registry.remove(1);
    registry.set(2, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.received.slice(1)).toEqual(['2:0 gone 1']);
  });

  it('sends a falling rate every second until it is 0', async () => {
    registry.set(1, 0);
    await live.watch(outlet);
    registry.set(1, 8);
    jest.advanceTimersByTime(250);
    expect(outlet.received.slice(1)).toEqual(['1:8']);
    registry.entries.set(1, { id: 1, rate: 3 });
    jest.advanceTimersByTime(1000);
    expect(outlet.received.slice(2)).toEqual(['1:3']);
    registry.entries.set(1, { id: 1, rate: 0 });
    jest.advanceTimersByTime(1000);
    expect(outlet.received.slice(3)).toEqual(['1:0']);
    jest.advanceTimersByTime(10_000);
    expect(outlet.received).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('updates a rate that was above 0 when the client started to watch', async () => {
    registry.set(1, 5);
    await live.watch(outlet);
    registry.entries.set(1, { id: 1, rate: 0 });
    jest.advanceTimersByTime(1500);
    expect(outlet.received).toEqual(['all 1:5', '1:0']);
  });

  it('does not update the rate of a deleted source', async () => {
    registry.set(1, 5);
    await live.watch(outlet);
    registry.remove(1);
    jest.advanceTimersByTime(250);
    expect(outlet.received.slice(1)).toEqual([' gone 1']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends changes to a slow client when it is ready, and to others immediately', async () => {
    registry.set(1, 0);
    const other = new FakeOutlet();
    await live.watch(outlet);
    await live.watch(other);
    outlet.isReady = false;
    registry.set(1, 0);
    jest.advanceTimersByTime(250);
    registry.set(2, 0);
    jest.advanceTimersByTime(5000);
    expect([outlet.received, other.received]).toEqual([['all 1:0'], ['all 1:0', '1:0', '2:0']]);
    outlet.isReady = true;
    jest.advanceTimersByTime(250);
    expect(outlet.received.slice(1)).toEqual(['1:0 2:0']);
    jest.advanceTimersByTime(5000);
    expect([outlet.received.length, other.received.length]).toEqual([2, 3]);
  });

  it('sends the full list later to a client that was not ready', async () => {
    registry.set(1, 0);
    outlet.isReady = false;
    await live.watch(outlet);
    outlet.isReady = true;
    registry.set(2, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.received).toEqual(['all 1:0 2:0']);
  });

  it('splits many sources into messages, followed by changes since', async () => {
    for (let id = 1; id <= 1100; id += 1) registry.set(id, 0);
    outlet.room = 1;
    await live.watch(outlet);
    const shape = (): unknown =>
      outlet.messages.map(({ whole, sources, gone, more }) => [whole, sources.length, gone.length, more]);
    expect(shape()).toEqual([[true, 250, 0, true]]);
    // The client is not ready for a while, and sources change.
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
      // Separate, so that a slow client also completes the list.
      [false, 2, 1, undefined],
    ]);
    const ids = outlet.messages.flatMap(({ sources }) => sources.map(({ id }) => id));
    expect(ids.slice(-3)).toEqual([1100, 3, 2000]);
    expect(outlet.messages.slice(-2).map(({ gone }) => gone)).toEqual([[1050], [4]]);
    expect(jest.getTimerCount()).toBe(0);
    // The same for a change of many sources, as when an engine stops.
    for (let id = 100; id < 700; id += 1) registry.set(id, 0);
    jest.advanceTimersByTime(250);
    expect(outlet.messages.slice(6).map(({ sources, more }) => [sources.length, more])).toEqual([
      [250, true],
      [250, true],
      [100, undefined],
    ]);
  });

  it('does nothing without watchers', async () => {
    registry.set(1, 7);
    expect(jest.getTimerCount()).toBe(0);
    await live.watch(outlet);
    live.unwatch(outlet);
    const { presented } = registry;
    registry.set(1, 9);
    jest.advanceTimersByTime(10_000);
    expect([registry.presented, outlet.received]).toEqual([presented, ['all 1:7']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends nothing to a client that stopped watching', async () => {
    const other = new FakeOutlet();
    await live.watch(outlet);
    await live.watch(other);
    registry.set(1, 0);
    live.unwatch(outlet);
    jest.advanceTimersByTime(250);
    expect([outlet.received, other.received]).toEqual([['all '], ['all ', '1:0']]);
  });

  it('rejects a watcher if the store cannot be opened', async () => {
    opened = Promise.reject(new Error('no space left'));
    await expect(live.watch(outlet)).rejects.toThrow('no space left');
    registry.set(1, 0);
    jest.advanceTimersByTime(1000);
    expect([outlet.received, registry.presented]).toEqual([[], 0]);
  });

  it('stops when the application shuts down', async () => {
    registry.set(1, 4);
    await live.watch(outlet);
    live.onApplicationShutdown();
    registry.set(1, 5);
    jest.advanceTimersByTime(10_000);
    expect([outlet.received, jest.getTimerCount(), registry.changes.observed]).toEqual([
      ['all 1:4'],
      0,
      false,
    ]);
  });
});
