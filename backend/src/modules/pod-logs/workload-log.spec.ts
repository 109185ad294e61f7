import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newLine, START } from '../../../../test/support/logs/lines.js';
import type { LoggedPod, PodContainer } from '../../drivers/kubernetes/index.js';
import type { LineBatch } from './bounded-backlog.js';
import type { PodLogEvent } from './pod-logs.dto.js';
import { MAX_PODS, WorkloadLog } from './workload-log.js';

function container(name: string, state: Partial<PodContainer> = {}): PodContainer {
  const startedAt = '2026-11-21T09:00:00Z';
  return { name, role: 'main', running: true, waiting: null, restarts: 0, startedAt, ...state };
}

function pod(name: string, containers: PodContainer[] = [container('web')]): LoggedPod {
  return { uid: `uid-${name}`, namespace: 'shop', name, workload: null, owner: null, containers };
}

describe('WorkloadLog', () => {
  let sent: PodLogEvent[];
  let opened: string[];
  let ends: Map<string, (error?: Error) => void>;
  let log: WorkloadLog;

  beforeEach(() => {
    sent = [];
    opened = [];
    ends = new Map();
    log = new WorkloadLog({
      open: (name, of) => read(`${name}/${of}`),
      send: (text) => {
        for (const line of text.split('\n').filter(Boolean)) sent.push(JSON.parse(line) as PodLogEvent);
        return Promise.resolve();
      },
    });
  });

  /** One line, then nothing until the test ends it. */
  async function* read(key: string): AsyncGenerator<LineBatch> {
    opened.push(key);
    yield { omitted: 0, lines: [newLine(`${key} ${opened.length}`, START)] };
    const error = await new Promise<Error | undefined>((resolve) => ends.set(key, resolve));
    if (error) throw error;
  }

  const texts = (): [number | undefined, string][] =>
    sent.flatMap((event) => (event.type === 'line' ? [[event.source, event.line.text]] : []));
  const stateOf = (source: number): PodLogEvent | undefined =>
    sent.findLast((event) => event.type === 'source' && event.source === source);

  it('merges the containers of all Pods without init containers, and names the source of each line', async () => {
    log.update([
      pod('a'),
      pod('b', [container('init', { role: 'init' }), container('web'), container('log')]),
    ]);
    await turn();
    expect(texts()).toEqual([
      [0, 'a/web 1'],
      [1, 'b/web 2'],
      [2, 'b/log 3'],
    ]);
    expect(sent[0]).toEqual({ type: 'pods', count: 2, followed: 2 });
    expect(stateOf(0)).toMatchObject({ pod: 'a', container: 'web', shared: false });
    expect(stateOf(2)).toMatchObject({ pod: 'b', container: 'log', shared: true });
  });

  it('adds new Pods, marks deleted ones, and repeats nothing that has not changed', async () => {
    log.update([pod('a')]);
    log.update([pod('a')]);
    await turn();
    expect(sent).toHaveLength(3);
    log.update([pod('b')]);
    await turn();
    expect(stateOf(0)).toMatchObject({ pod: 'a', gone: true });
    expect(stateOf(1)).toMatchObject({ pod: 'b', gone: false });
    expect(opened).toEqual(['a/web', 'b/web']);
    ends.get('a/web')?.(new Error('The Pod does not exist.'));
    await turn();
    expect(stateOf(0)).toMatchObject({ problem: null });
  });

  it('adds the stored logs of deleted Pods beside those of present ones', async () => {
    log.update([pod('a')]);
    const lines = [newLine('before', START)].map((line, index) => ({ ...line, seq: index + 1 }));
    await log.addDeleted([{ pod: 'old', container: 'web', lines }]);
    log.update([pod('a'), pod('b')]);
    await turn();
    expect(texts()).toContainEqual([1, 'before']);
    expect(stateOf(1)).toMatchObject({ pod: 'old', gone: true, shared: false });
    expect(stateOf(2)).toMatchObject({ pod: 'b', gone: false });
  });

  it('says why a container waits, and reads each instance once it has started', async () => {
    const waiting = { running: false, waiting: 'ImagePullBackOff', startedAt: null };
    log.update([pod('a', [container('web', waiting)])]);
    await turn();
    expect([opened, stateOf(0)]).toEqual([[], expect.objectContaining({ waiting: 'ImagePullBackOff' })]);
    log.update([pod('a')]);
    await turn();
    const next = container('web', { restarts: 1, startedAt: '2026-11-21T09:05:00Z' });
    // The new instance appears before the log of the old one ends.
    log.update([pod('a', [next])]);
    await turn();
    expect(opened).toEqual(['a/web']);
    ends.get('a/web')?.();
    await turn();
    log.update([pod('a', [next])]);
    await turn();
    expect(texts().map(([, text]) => text)).toEqual(['a/web 1', 'a/web 2']);
  });

  it('reports a log that fails and continues with the others', async () => {
    log.update([pod('a'), pod('b')]);
    await turn();
    ends.get('a/web')?.(new Error('The connection was lost.'));
    await turn();
    expect(stateOf(0)).toMatchObject({ problem: expect.stringContaining('connection was lost') });
    expect(stateOf(1)).toMatchObject({ problem: null });
  });

  it(`follows at most ${MAX_PODS} Pods, and keeps those it follows`, async () => {
    const many = Array.from({ length: MAX_PODS + 1 }, (_, index) => pod(`p${index}`));
    log.update(many.slice(1));
    log.update(many);
    await turn();
    expect(opened).not.toContain('p0/web');
    expect(sent).toContainEqual({ type: 'pods', count: MAX_PODS + 1, followed: MAX_PODS });
  });
});
