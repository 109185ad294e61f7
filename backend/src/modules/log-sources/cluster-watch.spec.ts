import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedPod } from '../../../../test/support/logs/scripted-pod.js';
import { countingStore, noSettings } from '../../../../test/support/logs/sources.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import type { PodLogs } from '../../drivers/kubernetes/index.js';
import { LogReader } from './reading/log-reader.js';
import type { StoredLines } from './reading/line-sink.js';
import type { KnownLine } from './reading/resumption.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { ClusterWatch } from './cluster-watch.js';
import { SourceRegistry } from './source-registry.js';
import type { SourceSettingsStore } from './source-settings.store.js';

const KEY = 'pod/docker/shop/uid-1/main';

/** Keeps what is read, as the history does. */
class MemoryLines implements StoredLines {
  readonly kept = new Map<number, NewLogLine[]>();
  isFull = false;
  private readonly waiting: (() => void)[] = [];
  /** Asks the registry, as the history does. */
  deletions: (source: number) => number | null = () => null;

  append(source: number, lines: readonly NewLogLine[]): void {
    this.kept.set(source, [...(this.kept.get(source) ?? []), ...lines]);
  }

  room(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  letIn(): void {
    this.isFull = false;
    for (const resolve of this.waiting) resolve();
  }

  lastTime(source: number): number | null {
    return this.kept.get(source)?.at(-1)?.time ?? null;
  }

  deletedAt(source: number): number | null {
    return this.deletions(source);
  }

  since(source: number, time: number): Promise<KnownLine[]> {
    return this.between(source, time, Infinity);
  }

  between(source: number, from: number, to: number): Promise<KnownLine[]> {
    const lines = this.kept.get(source) ?? [];
    return Promise.resolve(lines.filter(({ time }) => time >= from && time <= to));
  }
}

describe('the sources of a cluster', () => {
  let pod: ScriptedPod;
  let lines: MemoryLines;
  let settings: SourceSettingsStore;
  let registry: SourceRegistry;
  let stop: AbortController;
  let done: Promise<void>;
  let current: ClusterWatch;
  /** How often the way into the cluster was asked for, and how often it could not be found. */
  let asked: number;
  let unanswered: number;

  /** The sources as they are known after a start, on what is kept. */
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

  /** What a person does who deletes all that is kept of a source. */
  function remove(key: string): void {
    const entry = registry.ofKey(key);
    if (!entry) throw new Error(`there is no ${key}`);
    registry.noteDeleted(entry);
    lines.kept.delete(entry.id);
  }

  beforeEach(() => {
    pod = new ScriptedPod();
    asked = 0;
    unanswered = 0;
    lines = new MemoryLines();
    settings = noSettings();
    open();
  });

  afterEach(async () => {
    stop.abort();
    lines.letIn();
    await done;
  });

  function watch(times: { startMs?: number } = {}): void {
    stop = new AbortController();
    const following = { registry, reader: new LogReader(lines), sink: lines };
    const cluster = { runtime: 'docker', cluster: 'shop' };
    const connect = async (): Promise<PodLogs> => {
      asked += 1;
      if (asked <= unanswered) throw new DomainError('cluster_unreachable', 'shop does not answer.');
      return await Promise.resolve(pod);
    };
    current = new ClusterWatch(cluster, connect, following, stop.signal, {
      lastWordsMs: 20,
      firstPauseMs: 5,
      ...times,
    });
    done = current.run();
  }

  const texts = (key: string): string[] | undefined => {
    const entry = registry.ofKey(key);
    return entry && (lines.kept.get(entry.id) ?? []).map(({ text }) => text);
  };
  const stands = (key: string): string | undefined => registry.ofKey(key)?.state;
  const settled = async (awaited: string, condition: () => boolean): Promise<void> =>
    await waitFor(condition, awaited, 3000);
  const previousReads = (): number => pod.opened.filter(({ previous }) => previous).length;

  it('wait until they are started, and are followed', async () => {
    watch();
    await settled('the source', () => stands(KEY) === 'waiting');
    expect(registry.ofKey(KEY)?.reason).toBe('ContainerCreating');
    pod.start();
    pod.write('hello');
    await settled('its line', () => texts(KEY)?.length === 1);
    expect(stands(KEY)).toBe('live');
  });

  it('have what an instance before wrote, where nobody followed that', async () => {
    pod.start();
    pod.write('one', 'two');
    pod.start();
    pod.write('three');
    watch();
    await settled('both', () => stands(`${KEY}/previous-0`) === 'ended' && texts(KEY)?.length === 1);
    expect([texts(`${KEY}/previous-0`), texts(KEY)]).toEqual([['one', 'two'], ['three']]);
  });

  it('do not have it twice where it was followed while it crashed', async () => {
    pod.start();
    watch();
    pod.write('one', 'one', 'two');
    await settled('its lines', () => texts(KEY)?.length === 3);
    pod.start();
    pod.write('three');
    await settled('the next instance', () => texts(KEY)?.length === 4 && previousReads() === 1);
    pod.write('four');
    await settled('what it writes on', () => texts(KEY)?.length === 5);
    expect(texts(KEY)).toEqual(['one', 'one', 'two', 'three', 'four']);
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
    // What was found to be there is not read again.
    pod.write('five');
    await settled('its next line', () => texts(KEY)?.length === 6);
    expect(previousReads()).toBe(1);
  });

  it('do not have it twice where who followed it is far behind when it crashes', async () => {
    pod.start();
    watch();
    await settled('the source', () => stands(KEY) === 'live');
    lines.isFull = true;
    pod.write('one');
    await settled('its first line', () => texts(KEY)?.length === 1);
    pod.write('two', 'last words');
    pod.start();
    // Several times as long as it is quiet otherwise.
    await delay(100);
    expect([texts(KEY), previousReads()]).toEqual([['one'], 0]);
    lines.letIn();
    await settled('the rest', () => texts(KEY)?.length === 3 && pod.ended > 0);
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
  });

  it('have of it what was written after nobody followed it any more', async () => {
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

  it('do not have it back by a crash where somebody deleted it', async () => {
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

  it('do not have an instance before back after a restart where somebody deleted it', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    watch();
    await settled('it', () => texts(`${KEY}/previous-0`)?.length === 1);
    remove(`${KEY}/previous-0`);
    stop.abort();
    await done;
    // Of what is gone and empty nothing is known any more.
    open();
    pod.ended = 0;
    watch();
    await settled('its end', () => pod.ended > 0 && stands(KEY) === 'live');
    expect(registry.all().map(({ identity }) => identity.key)).toEqual([KEY]);
  });

  it('have the newest instances where many crashed while nobody followed', async () => {
    for (let round = 0; round < 7; round += 1) {
      pod.start();
      pod.write(`words of ${round}`);
      pod.start();
      watch();
      const key = `${KEY}/previous-${2 * round}`;
      await settled(key, () => stands(key) === 'ended');
      stop.abort();
      await done;
    }
    const previous = registry.all().flatMap(({ identity }) => identity.previous ?? []);
    expect(previous).toEqual([4, 6, 8, 10, 12]);
    expect(texts(`${KEY}/previous-12`)).toEqual(['words of 6']);
  });

  it('are asked for it again where the kubelet cannot read it for a moment', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    pod.lost = 3;
    watch();
    await settled('it', () => stands(`${KEY}/previous-0`) === 'ended');
    expect([texts(`${KEY}/previous-0`), previousReads()]).toEqual([['one'], 4]);
  });

  it('go on without it where it cannot be read for good', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    pod.lost = 1000;
    watch();
    await settled('that it is given up', () => stands(`${KEY}/previous-0`) === 'failed');
    expect(registry.ofKey(`${KEY}/previous-0`)?.reason).toContain('unable to retrieve container logs');
    const asked = previousReads();
    pod.write('two');
    await settled('the instance that runs', () => texts(KEY)?.length === 1);
    expect([asked, previousReads(), stands(KEY)]).toEqual([6, 6, 'live']);
  });

  it('are gone where their pod went while nobody followed', async () => {
    pod.start();
    pod.write('one');
    pod.start();
    watch();
    await settled('them', () => stands(KEY) === 'live' && stands(`${KEY}/previous-0`) === 'ended');
    stop.abort();
    expect(registry.ofKey(KEY)).toMatchObject({ state: 'waiting', reason: 'The cluster does not run.' });
    await done;
    pod.remove();
    watch();
    await settled('that it is gone', () => stands(KEY) === 'gone');
    expect(stands(`${KEY}/previous-0`)).toBe('gone');
  });

  it('are found soon after the cluster answers, which it does some time after it was started', async () => {
    pod.start();
    unanswered = 3;
    watch();
    // Pauses that double from a second on would take seven.
    await waitFor(() => stands(KEY) === 'live', 'the source', 4500);
    expect(asked).toBe(4);
  });

  it('are looked for less often where the cluster does not answer for long', async () => {
    pod.start();
    unanswered = 100;
    watch({ startMs: 300 });
    await waitFor(() => asked === 2, 'the second attempt', 1500);
    const second = performance.now();
    await waitFor(() => asked === 3, 'the third attempt', 3000);
    expect(performance.now() - second).toBeGreaterThan(900);
  });

  it('are read anew where they are there again after all', async () => {
    pod.start();
    watch();
    await settled('the source', () => stands(KEY) === 'live');
    pod.end();
    await settled('its end', () => stands(KEY) === 'ended');
    const { opened } = pod;
    pod.remove();
    await settled('that it is gone', () => stands(KEY) === 'gone');
    const before = opened.length;
    // The same one, as after an API server that told of fewer pods than there are: it is looked at anew.
    pod.restore();
    await settled('it', () => stands(KEY) === 'ended');
    expect(opened.length).toBe(before + 1);
  });

  it('wait as long as nobody has told of the pods', async () => {
    pod.start();
    watch();
    await settled('the source', () => stands(KEY) === 'live');
    stop.abort();
    await done;
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => (tell = resolve));
    pod.beforeTelling = () => told;
    const states: (string | undefined)[] = [];
    registry.changes.subscribe(() => states.push(stands(KEY)));
    watch();
    await settled('the way into it', () => pod.followed === 2);
    current.intakeChanged();
    expect(stands(KEY)).toBe('waiting');
    tell();
    await settled('the source', () => stands(KEY) === 'live');
    expect(states).not.toContain('gone');
  });

  it('have the last instance where the container waits to be started again', async () => {
    pod.start();
    pod.write('one');
    pod.end();
    watch();
    await settled('what it wrote', () => stands(KEY) === 'ended' && texts(KEY)?.length === 1);
    pod.start();
    pod.write('two');
    await settled('the next one', () => texts(KEY)?.length === 2 && previousReads() === 1);
    expect([texts(KEY), registry.all().length]).toEqual([['one', 'two'], 1]);
  });
});
