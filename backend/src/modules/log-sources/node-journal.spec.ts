import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { countingStore, noSettings } from '../../../../test/support/logs/sources.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import { CLUSTER_LABEL, type ContainerLogs } from '../../drivers/runtime/index.js';
import type { LineSink } from './reading/line-sink.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { NodeJournal } from './node-journal.js';
import type { SourceEntry } from './source-entry.js';
import { nodeIdentity } from './source-identity.js';
import { SourceRegistry } from './source-registry.js';

const NODE = {
  id: 'n1',
  name: 'demo-control-plane',
  state: 'running',
  labels: { [CLUSTER_LABEL]: 'demo' },
  createdAt: '2026-11-21T09:00:00Z',
} as const;

/** A node with scripted programs. */
class ScriptedNode {
  readonly started: string[] = [];
  /** Output of each program. Other programs do not exist in the node. */
  readonly output = new Map<string, string[]>();

  async *run(_id: string, command: readonly string[], signal: AbortSignal): AsyncGenerator<string[]> {
    const [program = ''] = command;
    this.started.push(program);
    const lines = this.output.get(program);
    if (!lines) throw new DomainError('log_unreadable', `${program} does not exist.`);
    yield lines;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** Stores lines in memory. */
class MemoryLines implements LineSink {
  readonly lines = new Map<number, NewLogLine[]>();
  deleted: number | null = null;

  append(source: number, lines: readonly NewLogLine[]): void {
    this.lines.set(source, [...(this.lines.get(source) ?? []), ...lines]);
  }

  room(): Promise<void> {
    return Promise.resolve();
  }

  lastTime(source: number): number | null {
    return this.lines.get(source)?.at(-1)?.time ?? null;
  }

  deletedAt(): number | null {
    return this.deleted;
  }

  between(source: number, time: number): Promise<NewLogLine[]> {
    return Promise.resolve((this.lines.get(source) ?? []).filter((line) => line.time >= time));
  }
}

const journal = (service: string, second: number, text: string): string =>
  JSON.stringify({
    __REALTIME_TIMESTAMP: String(1_795_000_000_000_000 + second * 1_000_000),
    _SYSTEMD_UNIT: `${service}.service`,
    MESSAGE: text,
  });

/** The output of `tail` for both files. */
const files = (kubelet: readonly string[], containerd: readonly string[]): string[] => [
  '==> /var/log/kubelet.log <==',
  ...kubelet,
  '',
  '==> /var/log/containerd.log <==',
  ...containerd,
];

describe('NodeJournal', () => {
  let node: ScriptedNode;
  let kept: MemoryLines;
  let registry: SourceRegistry;
  let entries: SourceEntry[];
  let end: AbortController;
  let followed: Promise<void> | undefined;

  beforeEach(() => {
    node = new ScriptedNode();
    kept = new MemoryLines();
    registry = new SourceRegistry(noSettings());
    registry.open(countingStore());
    entries = (['kubelet', 'containerd'] as const).map((service) =>
      registry.ensure(nodeIdentity('docker', NODE, service)),
    );
    follow();
  });

  afterEach(stop);

  /** Follows the journal, as after a restart. */
  function follow(): void {
    end = new AbortController();
    const logs = node as Partial<ContainerLogs> as ContainerLogs;
    followed = new NodeJournal(logs, NODE.id, entries, { sink: kept, registry }).follow(end.signal);
  }

  async function stop(): Promise<void> {
    end.abort();
    await followed;
  }

  const texts = (): string[][] => entries.map(({ id }) => (kept.lines.get(id) ?? []).map(({ text }) => text));

  it('reads both services, and stores no line twice after a restart', async () => {
    await stop();
    const first = [
      journal('kubelet', 1, 'one'),
      journal('containerd', 2, 'two'),
      journal('kubelet', 3, 'three'),
    ];
    node.output.set('journalctl', first);
    follow();
    await waitFor(() => texts().flat().length === 3, 'the lines', 2000);
    expect(entries.map(({ state }) => state)).toEqual(['live', 'live']);
    await stop();
    node.output.set('journalctl', [
      ...first,
      journal('kubelet', 3, 'more'),
      journal('containerd', 9, 'last'),
    ]);
    follow();
    await waitFor(() => texts().flat().length >= 5, 'the new lines', 2000);
    expect(texts()).toEqual([
      ['one', 'three', 'more'],
      ['two', 'last'],
    ]);
  });

  it('reads the log files if the node has no journal', async () => {
    await stop();
    const first = 'I1121 09:00:01.000000 1 a.go:1] one';
    const other = 'time="2026-11-21T09:00:02Z" level=info msg=two';
    node.started.length = 0;
    node.output.set('tail', files([first], [other]));
    follow();
    await waitFor(() => texts().flat().length === 2, 'the lines', 2000);
    expect(texts()).toEqual([[first], [other]]);
    expect(node.started).toEqual(['journalctl', 'tail']);
    await stop();
    node.output.set('tail', files([first, 'I1121 09:00:03.000000 1 a.go:1] three'], [other]));
    follow();
    await waitFor(() => texts().flat().length >= 3, 'the new line', 2000);
    expect(texts().map((of) => of.length)).toEqual([2, 1]);
  });

  it('reports the reason if neither can be read', async () => {
    await waitFor(() => entries.every(({ reason }) => reason !== null), 'the reason', 2000);
    expect(entries.map(({ state, reason }) => `${state}: ${reason ?? ''}`)).toEqual([
      'waiting: tail does not exist.',
      'waiting: tail does not exist.',
    ]);
  });

  it('sets ended sources live when new lines arrive', async () => {
    await stop();
    for (const entry of entries) registry.setState(entry, 'ended');
    node.output.set('journalctl', [journal('kubelet', 1, 'one')]);
    follow();
    await waitFor(() => entries.every(({ state }) => state === 'live'), 'the live state', 2000);
  });
});
