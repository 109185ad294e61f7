import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedPod } from '../../../../test/support/logs/scripted-pod.js';
import { countingStore, noSettings } from '../../../../test/support/logs/sources.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import type { PodLogs } from '../../drivers/kubernetes/index.js';
import { LogReader } from './reading/log-reader.js';
import type { LineSink } from './reading/line-sink.js';
import type { KnownLine } from './reading/resumption.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { ClusterWatch } from './cluster-watch.js';
import { SourceRegistry } from './source-registry.js';
import type { SourceSettingsStore } from './source-settings.store.js';

const KEY = 'pod/docker/shop/uid-1/main';

/** Stores lines in memory. */
class MemoryLines implements LineSink {
  readonly kept = new Map<number, NewLogLine[]>();
  isFull = false;
  private readonly waiting: (() => void)[] = [];
  /** Reads deletions from the registry, as StoreSink does. */
  deletions: (source: number) => number | null = () => null;

  append(source: number, lines: readonly NewLogLine[]): void {
    this.kept.set(source, [...(this.kept.get(source) ?? []), ...lines]);
  }

  room(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  makeRoom(): void {
    this.isFull = false;
    for (const resolve of this.waiting) resolve();
  }

  lastTime(source: number): number | null {
    return this.kept.get(source)?.at(-1)?.time ?? null;
  }

  deletedAt(source: number): number | null {
    return this.deletions(source);
  }

  between(source: number, from: number, to = Infinity): Promise<KnownLine[]> {
    const lines = this.kept.get(source) ?? [];
    return Promise.resolve(lines.filter(({ time }) => time >= from && time <= to));
  }
}

describe('ClusterWatch', () => {
  let pod: ScriptedPod;
  let lines: MemoryLines;
  let settings: SourceSettingsStore;
  let registry: SourceRegistry;
  let stop: AbortController;
  let done: Promise<void>;
  let current: ClusterWatch;
  /** Number of connection attempts, and how many of them fail. */
  let attempts: number;
  let failures: number;

  /** Opens the registry as after a restart, with the stored lines. */
  function open(): void {
    registry = new SourceRegistry(settings);
    registry.open(
      countingStore(
        (source) => lines.kept.get(source)?.length ?? 0,
        (source) => lines.kept.delete(source),
      ),
    );
    lines.deletions = (source) => registry.deletedAt(registry.find(source)?.identity.key ?? '');
  }

  /** Deletes the stored lines of a source, as the API does. */
  function remove(key: string): void {
    const entry = registry.ofKey(key);
    if (!entry) throw new Error(`${key} does not exist`);
    registry.noteDeleted(entry);
    lines.kept.delete(entry.id);
  }

  beforeEach(() => {
    pod = new ScriptedPod();
    attempts = 0;
    failures = 0;
    lines = new MemoryLines();
    settings = noSettings();
    open();
  });

  afterEach(async () => {
    stop.abort();
    lines.makeRoom();
    await done;
  });

  function watch(times: { startMs?: number } = {}): void {
    stop = new AbortController();
    const following = { registry, reader: new LogReader(lines), sink: lines };
    const cluster = { runtime: 'docker', cluster: 'shop' };
    const connect = async (): Promise<PodLogs> => {
      attempts += 1;
      if (attempts <= failures) throw new DomainError('cluster_unreachable', 'shop does not respond.');
      return await Promise.resolve(pod);
    };
    current = new ClusterWatch(cluster, connect, following, stop.signal, {
      drainMs: 20,
      firstPauseMs: 5,
      ...times,
    });
    done = current.run();
  }

  const texts = (key: string): string[] | undefined => {
    const entry = registry.ofKey(key);
    return entry && (lines.kept.get(entry.id) ?? []).map(({ text }) => text);
  };
  const stateOf = (key: string): string | undefined => registry.ofKey(key)?.state;
  const settled = async (label: string, condition: () => boolean): Promise<void> =>
    await waitFor(condition, label);
  const previousReads = (): number => pod.opened.filter(({ previous }) => previous).length;

  it('keeps a container waiting until it starts, and then follows it', async () => {
    watch();
    await settled('the source', () => stateOf(KEY) === 'waiting');
    expect(registry.ofKey(KEY)?.reason).toBe('ContainerCreating');
    pod.start();
    pod.write('hello');
    await settled('its line', () => texts(KEY)?.length === 1);
    expect(stateOf(KEY)).toBe('live');
  });

  it('reads the log of a previous instance that was not followed', async () => {
    pod.start();
    pod.write('one', 'two');
    pod.start();
    pod.write('three');
    watch();
    await settled('both', () => stateOf(`${KEY}/previous-0`) === 'ended' && texts(KEY)?.length === 1);
    expect([texts(`${KEY}/previous-0`), texts(KEY)]).toEqual([['one', 'two'], ['three']]);
  });

  it('stores no line of a previous instance twice if it was followed when it crashed', async () => {
    pod.start();
    watch();
    pod.write('one', 'one', 'two');
    await settled('its lines', () => texts(KEY)?.length === 3);
    pod.start();
    pod.write('three');
    await settled('the next instance', () => texts(KEY)?.length === 4 && previousReads() === 1);
    pod.write('four');
    await settled('its next line', () => texts(KEY)?.length === 5);
    expect(texts(KEY)).toEqual(['one', 'one', 'two', 'three', 'four']);
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
    // Later updates do not read the previous instance again.
    pod.write('five');
    await settled('its next line', () => texts(KEY)?.length === 6);
    expect(previousReads()).toBe(1);
  });

  it('stores no line of a previous instance twice if its tail is far behind when it crashes', async () => {
    pod.start();
    watch();
    await settled('the source', () => stateOf(KEY) === 'live');
    lines.isFull = true;
    pod.write('one');
    await settled('its first line', () => texts(KEY)?.length === 1);
    pod.write('two', 'last words');
    pod.start();
    // Several times as long as it is quiet otherwise.
    await delay(100);
    expect([texts(KEY), previousReads()]).toEqual([['one'], 0]);
    lines.makeRoom();
    await settled('the rest', () => texts(KEY)?.length === 3 && pod.ended > 0);
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
  });

  it('reads the lines that a previous instance wrote while Slipway was stopped', async () => {
    pod.start();
    pod.write('one', 'two');
    watch();
    await settled('its lines', () => texts(KEY)?.length === 2);
    stop.abort();
    await done;
    pod.write('three', 'last words');
    pod.start();
    pod.write('four');
    watch();
    await settled('the rest', () => texts(`${KEY}/previous-0`)?.length === 2 && texts(KEY)?.length === 3);
    expect(texts(`${KEY}/previous-0`)).toEqual(['three', 'last words']);
  });

  it('does not restore deleted lines after a crash', async () => {
    pod.start();
    watch();
    pod.write('one', 'two');
    await settled('its lines', () => texts(KEY)?.length === 2);
    remove(KEY);
    pod.start();
    pod.write('three');
    await settled('the next instance', () => pod.ended > 0 && texts(KEY)?.length === 1);
    expect(texts(KEY)).toEqual(['three']);
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
  });

  it('does not restore a deleted previous instance after a restart', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    watch();
    await settled('it', () => texts(`${KEY}/previous-0`)?.length === 1);
    remove(`${KEY}/previous-0`);
    stop.abort();
    await done;
    // Gone and empty sources are not loaded.
    open();
    pod.ended = 0;
    watch();
    await settled('its end', () => pod.ended > 0 && stateOf(KEY) === 'live');
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
  });

  it('keeps the newest five previous instances', async () => {
    for (let round = 0; round < 7; round += 1) {
      pod.start();
      pod.write(`words of ${round}`);
      pod.start();
      watch();
      const key = `${KEY}/previous-${2 * round}`;
      await settled(key, () => stateOf(key) === 'ended');
      stop.abort();
      await done;
    }
    const previous = registry.all().flatMap(({ identity }) => identity.previous ?? []);
    expect(previous).toEqual([4, 6, 8, 10, 12]);
    expect(texts(`${KEY}/previous-12`)).toEqual(['words of 6']);
  });

  it('retries if the kubelet cannot read the log of a previous instance', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    pod.lost = 3;
    watch();
    await settled('it', () => stateOf(`${KEY}/previous-0`) === 'ended');
    expect([texts(`${KEY}/previous-0`), previousReads()]).toEqual([['one'], 4]);
  });

  it('marks a previous instance as failed after six failed reads', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    pod.lost = 1000;
    watch();
    await settled('the failed state', () => stateOf(`${KEY}/previous-0`) === 'failed');
    expect(registry.ofKey(`${KEY}/previous-0`)?.reason).toContain('unable to retrieve container logs');
    const asked = previousReads();
    pod.write('two');
    await settled('the instance that runs', () => texts(KEY)?.length === 1);
    expect([asked, previousReads(), stateOf(KEY)]).toEqual([6, 6, 'live']);
  });

  it('marks sources gone if their pod was deleted while Slipway was stopped', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    watch();
    await settled('them', () => stateOf(KEY) === 'live' && stateOf(`${KEY}/previous-0`) === 'ended');
    stop.abort();
    expect(registry.ofKey(KEY)).toMatchObject({ state: 'waiting', reason: 'The cluster is not running.' });
    await done;
    pod.remove();
    watch();
    await settled('that it is gone', () => stateOf(KEY) === 'gone');
    expect(stateOf(`${KEY}/previous-0`)).toBe('gone');
  });

  it('retries every second while a cluster starts', async () => {
    pod.start();
    failures = 3;
    watch();
    // Delays that double from 1 s would take 7 s.
    await waitFor(() => stateOf(KEY) === 'live', 'the source', 4500);
    expect(attempts).toBe(4);
  });

  it('backs off if a cluster does not respond for long', async () => {
    pod.start();
    failures = 100;
    watch({ startMs: 300 });
    await waitFor(() => attempts === 2, 'the second attempt', 1500);
    const second = performance.now();
    await waitFor(() => attempts === 3, 'the third attempt', 3000);
    expect(performance.now() - second).toBeGreaterThan(900);
  });

  it('reads a source again if it reappears', async () => {
    pod.start();
    watch();
    await settled('the source', () => stateOf(KEY) === 'live');
    pod.end();
    await settled('its end', () => stateOf(KEY) === 'ended');
    const { opened } = pod;
    pod.remove();
    await settled('that it is gone', () => stateOf(KEY) === 'gone');
    const before = opened.length;
    // The same pod, as after an API server has returned an incomplete list.
    pod.restore();
    await settled('it', () => stateOf(KEY) === 'ended');
    expect(opened.length).toBe(before + 1);
  });

  it('keeps sources waiting until the cluster has listed its pods', async () => {
    pod.start();
    watch();
    await settled('the source', () => stateOf(KEY) === 'live');
    stop.abort();
    await done;
    let release = (): void => undefined;
    const listed = new Promise<void>((resolve) => (release = resolve));
    pod.beforeList = () => listed;
    const states: (string | undefined)[] = [];
    registry.changes.subscribe(() => states.push(stateOf(KEY)));
    watch();
    await settled('the connection', () => pod.followed === 2);
    current.intakeChanged();
    expect(stateOf(KEY)).toBe('waiting');
    release();
    await settled('the source', () => stateOf(KEY) === 'live');
    expect(states).not.toContain('gone');
  });

  it('stores each line once if a container ended before it was followed and then restarts', async () => {
    pod.start();
    pod.write('one');
    pod.end();
    watch();
    await settled('its lines', () => stateOf(KEY) === 'ended' && texts(KEY)?.length === 1);
    pod.start();
    pod.write('two');
    await settled('the next one', () => texts(KEY)?.length === 2 && previousReads() === 1);
    expect([texts(KEY), registry.all().length]).toEqual([['one', 'two'], 1]);
  });
});
