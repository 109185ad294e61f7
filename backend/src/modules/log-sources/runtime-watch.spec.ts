import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { countingStore, noSettings } from '../../../../test/support/logs/sources.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import type { PodContainer } from '../../drivers/kubernetes/index.js';
import type {
  ContainerLogFormat,
  ContainerLogs,
  LoggedContainer,
  LogPiece,
  RuntimeDriver,
} from '../../drivers/runtime/index.js';
import { LogReader } from './reading/log-reader.js';
import type { LineSink } from './reading/line-sink.js';
import { RuntimeWatch, type RunningCluster } from './runtime-watch.js';
import type { SourceEntry } from './source-entry.js';
import { podIdentity } from './source-identity.js';
import { SourceRegistry } from './source-registry.js';

/** A scripted engine. A log contains all lines so far, and continues while its container runs. */
class ScriptedLogs implements ContainerLogs {
  readonly containers = new Map<string, LoggedContainer>();
  readonly written = new Map<string, string[]>();
  readonly opened: string[] = [];
  unreadable: string | null = null;
  /** Delay before each line. */
  delayMs = 0;
  /** Whether a log stays open after its container is removed. */
  neverEnds = false;
  /** Number of open logs. */
  reads = 0;
  private readonly listeners = new Set<() => void>();
  private breaks: ((error: Error) => void) | undefined;

  set(
    id: string,
    state: LoggedContainer['state'],
    labels: Record<string, string> = {},
    name = `name-of-${id}`,
  ): void {
    const createdAt = '2026-11-21T09:00:00Z';
    this.containers.set(id, { id, name, state, labels, createdAt });
    this.notify();
  }

  remove(id: string): void {
    this.containers.delete(id);
    this.notify();
  }

  write(id: string, text: string): void {
    this.written.set(id, [...(this.written.get(id) ?? []), text]);
    this.notify();
  }

  break(): void {
    this.breaks?.(new DomainError('runtime_unavailable', 'docker does not respond.'));
  }

  list(): Promise<LoggedContainer[]> {
    return Promise.resolve([...this.containers.values()]);
  }

  async followChanges(onChange: () => void, signal: AbortSignal): Promise<void> {
    this.listeners.add(onChange);
    try {
      await new Promise<void>((_resolve, reject) => {
        this.breaks = reject;
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    } finally {
      this.listeners.delete(onChange);
    }
  }

  format(): Promise<ContainerLogFormat> {
    return Promise.resolve({ tty: false, unreadable: this.unreadable, wholeSecondTimes: false });
  }

  async *open(
    id: string,
    _format: ContainerLogFormat,
    _start: object,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    this.opened.push(id);
    this.reads += 1;
    try {
      yield* this.read(id, signal);
    } finally {
      this.reads -= 1;
    }
  }

  private async *read(id: string, signal: AbortSignal): AsyncGenerator<LogPiece[]> {
    for (let sent = 0; ;) {
      const texts = this.written.get(id) ?? [];
      if (sent < texts.length) {
        const next = texts.slice(sent, this.delayMs > 0 ? sent + 1 : undefined);
        if (this.delayMs > 0) await delay(this.delayMs, undefined, { signal });
        yield next.map((text) => ({ stream: 'stdout', time: 1, data: Buffer.from(`${text}\n`) }));
        sent += next.length;
        continue;
      }
      if (this.containers.get(id)?.state !== 'running' && !this.neverEnds) return;
      await new Promise<void>((resolve) => {
        this.listeners.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
  }

  run: ContainerLogs['run'] = () => {
    throw new Error('not scripted');
  };

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

describe('RuntimeWatch', () => {
  let logs: ScriptedLogs;
  let registry: SourceRegistry;
  let stop: AbortController;
  let done: Promise<void>;
  let sink: LineSink;
  let drainMs: number | undefined;
  let clusters: readonly RunningCluster[];
  const texts = new Map<number, string[]>();

  function watch(): void {
    stop = new AbortController();
    const runtime = { id: 'docker', logs } as Pick<RuntimeDriver, 'id' | 'logs'> as RuntimeDriver;
    const following = { registry, reader: new LogReader(sink), sink };
    done = new RuntimeWatch(runtime, following, (running) => (clusters = running), stop.signal, {
      ...(drainMs === undefined ? {} : { drainMs }),
    }).run();
  }

  /** Stops the watch and starts it again, as when an engine stops and starts. */
  async function watchAgain(meanwhile: () => void): Promise<void> {
    stop.abort();
    await done;
    meanwhile();
    watch();
  }

  beforeEach(() => {
    texts.clear();
    drainMs = undefined;
    logs = new ScriptedLogs();
    registry = new SourceRegistry(noSettings());
    registry.open(countingStore((id) => texts.get(id)?.length ?? 0));
    sink = {
      append: (source, lines) => {
        texts.set(source, [...(texts.get(source) ?? []), ...lines.map(({ text }) => text)]);
      },
      room: () => Promise.resolve(),
      lastTime: () => null,
      deletedAt: () => null,
      between: () => Promise.reject(new Error('not used')),
    };
    watch();
    registry.intakeChanges.subscribe(() => undefined);
  });

  afterEach(async () => {
    stop.abort();
    await done;
  });

  const stateOf = (id: string): string | undefined => {
    const entry = registry.ofKey(`container/docker/${id}`);
    return entry && `${entry.state}${entry.reason === null ? '' : `: ${entry.reason}`}`;
  };
  const textsOf = (id: string): string[] =>
    texts.get(registry.ofKey(`container/docker/${id}`)?.id ?? 0) ?? [];

  it('tracks a container from start to removal within a second', async () => {
    logs.set('a', 'running');
    await waitFor(() => stateOf('a') === 'live', 'the source', 1000);
    logs.write('a', 'hello');
    await waitFor(() => textsOf('a').length === 1, 'its line', 1000);
    logs.set('a', 'exited');
    await waitFor(() => stateOf('a') === 'ended', 'its end', 1500);
    logs.remove('a');
    await waitFor(() => stateOf('a') === 'gone', 'the gone state', 1000);
  });

  it('reads an ended container once, and keeps a created one waiting', async () => {
    logs.write('old', 'last words');
    logs.set('old', 'exited');
    logs.set('new', 'created');
    await waitFor(() => stateOf('old') === 'ended' && textsOf('old').length === 1, 'the ended source', 2000);
    expect(stateOf('new')).toBe('waiting: It has not been started.');
    logs.set('new', 'running');
    await waitFor(() => stateOf('new') === 'live', 'its start', 2000);
    expect(logs.opened.filter((id) => id === 'old')).toHaveLength(1);
  });

  it('reports why a log cannot be read', async () => {
    logs.unreadable = 'The container uses the logging driver none.';
    logs.set('a', 'running');
    await waitFor(
      () => stateOf('a') === 'failed: The container uses the logging driver none.',
      'the reason',
      2000,
    );
    expect(logs.opened).toEqual([]);
  });

  it('finds new containers after the event stream breaks', async () => {
    logs.set('a', 'running');
    await waitFor(() => stateOf('a') === 'live', 'the source', 2000);
    logs.break();
    logs.set('b', 'running');
    await waitFor(() => stateOf('b') === 'live', 'the new source', 3000);
    logs.write('a', 'still read');
    await waitFor(() => textsOf('a').length === 1, 'the line', 1000);
    expect([stateOf('a'), logs.opened]).toEqual(['live', ['a', 'b']]);
  });

  it('does not read excluded sources', async () => {
    logs.set('a', 'running');
    await waitFor(() => stateOf('a') === 'live', 'the source', 2000);
    registry.setIncluded(registry.ofKey('container/docker/a')?.id ?? 0, false);
    expect(stateOf('a')).toBe('left_out: The source is excluded.');
    logs.write('a', 'ignored');
    logs.set('b', 'running');
    await waitFor(() => stateOf('b') === 'live', 'another', 2000);
    expect(stateOf('a')).toBe('left_out: The source is excluded.');
  });

  it('updates the name and group of a source and keeps following it', async () => {
    logs.set('a', 'running', {}, '0a1b2c3d4e5f_shop-web-1');
    await waitFor(() => stateOf('a') === 'live', 'the source', 1000);
    logs.write('a', 'one');
    await waitFor(() => textsOf('a').length === 1, 'its line', 1000);
    const known = registry.ofKey('container/docker/a');
    const changes: number[] = [];
    registry.changes.subscribe((id) => changes.push(id));
    logs.set('a', 'running', { 'com.docker.compose.project': 'shop' }, 'shop-web-1');
    await waitFor(() => known?.identity.name === 'shop-web-1', 'its new name', 1000);
    expect(changes).toContain(known?.id);
    logs.write('a', 'two');
    await waitFor(() => textsOf('a').length === 2, 'its next line', 1000);
    expect([textsOf('a'), logs.opened, stateOf('a')]).toEqual([['one', 'two'], ['a'], 'live']);
    expect(known && registry.present(known)).toMatchObject({
      name: 'shop-web-1',
      workload: 'Compose/shop',
      key: 'container/docker/a',
    });
  });

  it('reads the rest of the log of a removed container', async () => {
    drainMs = 300;
    await watchAgain(() => undefined);
    const written = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    for (const text of written) logs.write('a', text);
    logs.delayMs = 50;
    logs.set('a', 'running');
    await waitFor(() => textsOf('a').length > 0, 'its first line', 1000);
    logs.remove('a');
    await waitFor(() => stateOf('a') === 'gone', 'the gone state', 1000);
    expect(textsOf('a').length).toBeLessThan(written.length);
    await waitFor(
      () => textsOf('a').length === written.length,
      () => `its end after ${textsOf('a').length}`,
      2000,
    );
    expect([textsOf('a'), stateOf('a')]).toEqual([written, 'gone']);
  });

  it('stops reading the log of a removed container when it is idle', async () => {
    drainMs = 50;
    await watchAgain(() => undefined);
    logs.neverEnds = true;
    logs.set('a', 'running');
    await waitFor(() => logs.reads === 1, 'its reader', 1000);
    logs.remove('a');
    await waitFor(() => logs.reads === 0, 'the end of the reader', 1000);
    expect(stateOf('a')).toBe('gone');
  });

  it('stops reading the journal of a removed node', async () => {
    drainMs = 50;
    await watchAgain(() => undefined);
    const labels = { 'io.x-k8s.kind.cluster': 'shop', 'io.x-k8s.kind.role': 'worker' };
    let runs = 0;
    logs.run = async function* (_id, _command, signal): AsyncGenerator<string[]> {
      runs += 1;
      try {
        yield [
          JSON.stringify({ __REALTIME_TIMESTAMP: '1', _SYSTEMD_UNIT: 'kubelet.service', MESSAGE: 'hi' }),
        ];
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      } finally {
        runs -= 1;
      }
    };
    logs.set('n', 'running', labels);
    await waitFor(() => registry.ofKey('node/docker/n/kubelet')?.state === 'live', 'the kubelet', 1000);
    expect(runs).toBe(1);
    logs.remove('n');
    await waitFor(() => runs === 0, 'the end of the program', 1000);
    expect(registry.ofKey('node/docker/n/kubelet')?.state).toBe('gone');
  });

  it('marks sources gone that were removed while the engine was stopped', async () => {
    const labels = { 'io.x-k8s.kind.cluster': 'shop', 'io.x-k8s.kind.role': 'control-plane' };
    logs.set('a', 'running');
    logs.set('n', 'exited', labels);
    await waitFor(() => stateOf('a') === 'live' && stateOf('n') === 'ended', 'the sources', 1000);
    await watchAgain(() => {
      logs.remove('a');
      logs.remove('n');
      logs.set('b', 'running');
    });
    await waitFor(() => stateOf('b') === 'live', 'the new source', 1000);
    expect([stateOf('a'), stateOf('n')]).toEqual(['gone', 'gone']);
    expect(registry.ofKey('node/docker/n/kubelet')).toMatchObject({ state: 'gone' });
  });

  it('marks pods gone with the last node of their cluster', async () => {
    const ofPod = (runtime: string, cluster: string): SourceEntry => {
      const container: PodContainer = {
        name: 'main',
        role: 'main',
        running: true,
        waiting: null,
        restarts: 0,
        startedAt: null,
      };
      const pod = { uid: 'uid-1', namespace: 'shop', name: 'web', workload: null, owner: null };
      return registry.ensure(
        podIdentity({ runtime, cluster }, { ...pod, containers: [container] }, container),
      );
    };
    const labels = { 'io.x-k8s.kind.cluster': 'shop', 'io.x-k8s.kind.role': 'worker' };
    const pod = ofPod('docker', 'shop');
    const others = [ofPod('podman', 'shop'), ofPod('docker', 'other')];
    logs.set('n', 'running', labels);
    logs.set('o', 'exited', { ...labels, 'io.x-k8s.kind.cluster': 'other' });
    await waitFor(() => stateOf('n') === 'live', 'the node', 1000);
    logs.set('n', 'exited', labels);
    await waitFor(() => stateOf('n') === 'ended', 'its end', 1500);
    expect(pod.state).toBe('waiting');
    logs.remove('n');
    await waitFor(() => pod.state === 'gone', 'the gone state', 1000);
    expect(others.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  });

  it('reports the running clusters', async () => {
    const labels = { 'io.x-k8s.kind.cluster': 'shop', 'io.x-k8s.kind.role': 'control-plane' };
    logs.set('n', 'exited', labels);
    await waitFor(() => stateOf('n') === 'ended', 'the node', 2000);
    expect(clusters).toEqual([]);
    expect(registry.ofKey('node/docker/n/kubelet')).toMatchObject({ state: 'ended' });
  });
});
