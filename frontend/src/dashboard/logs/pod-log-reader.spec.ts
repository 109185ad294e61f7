import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import type { PodLogEvent } from '../../shared/api/api-types';
import type { LogLine } from '../../shared/lines/log-line';
import { EventLines } from '../../shared/live/event-lines';
import { PodLogReader } from './pod-log-reader';

const LOG = {
  key: { name: 'shop', runtime: 'demo' as const },
  namespace: 'default',
  pod: 'web',
  container: 'web',
  previous: false,
};

const line = (text: string, time = '2026-11-21T09:44:02.117003Z'): PodLogEvent => ({
  type: 'line',
  line: { time, level: null, text, cut: 0, continues: false },
});

/** Returns one list of events per call of `read`. */
function readerOf(responses: PodLogEvent[][][]): PodLogReader {
  const source = {
    async *read(): AsyncGenerator<PodLogEvent[]> {
      const events = responses.shift();
      if (!events) throw new Error('No response is left.');
      yield await Promise.resolve([]);
      yield* events;
    },
  };
  TestBed.configureTestingModule({ providers: [PodLogReader, { provide: EventLines, useValue: source }] });
  return TestBed.inject(PodLogReader);
}

describe('PodLogReader', () => {
  it('counts omitted lines until the log is read again', async () => {
    const reader = readerOf([
      [[{ type: 'left_out', lines: 120 }, line('one'), line('two')], [{ type: 'end' }]],
      [[line('three')], [{ type: 'end' }]],
    ]);
    await reader.read(LOG);
    expect([reader.leftOut(), reader.state(), reader.rows().end]).toEqual([120, 'ended', 2]);
    expect(reader.rows().row(0)).toMatchObject({ kind: 'line', seq: 0, text: 'one' });
    await reader.read(LOG);
    expect([reader.leftOut(), reader.state(), reader.rows().end]).toEqual([0, 'ended', 1]);
    await reader.read(LOG);
    expect([reader.state(), reader.problem()?.message]).toEqual(['failed', expect.any(String)]);
  });

  it('offers older lines if it has read as many as it asked for, without counting new ones', async () => {
    const before = Array.from({ length: 1000 }, (_, index) =>
      line(`${index}`, '2020-01-01T00:00:00.000000Z'),
    );
    const after = [line('new', '2999-01-01T00:00:00.000000Z')];
    const reader = readerOf([
      [before.slice(1), [...after, { type: 'end' }]],
      [before, [{ type: 'end' }]],
      [before, [line('oldest'), { type: 'end' }]],
    ]);
    await reader.read(LOG);
    expect([reader.newest(), reader.canReadMore()]).toEqual([null, false]);
    await reader.read(LOG);
    expect([reader.newest(), reader.canReadMore()]).toEqual([1000, true]);
    await reader.read(LOG, true);
    expect([reader.newest(), reader.canReadMore(), reader.rows().end]).toEqual([null, false, 1001]);
  });

  it('merges the containers of a workload by time, and keeps the order of each', async () => {
    const of = (source: number, second: number, text: string): PodLogEvent => {
      const time = `2026-11-21T09:44:0${second}.000000Z`;
      return { type: 'line', source, line: { time, level: null, text, cut: 0, continues: false } };
    };
    const state = { container: 'web', shared: false, waiting: null, gone: false, problem: null };
    const reader = readerOf([
      [
        [{ type: 'pods', count: 2, followed: 2 }],
        [
          { type: 'source', source: 0, pod: 'web-a', ...state },
          { type: 'source', source: 1, pod: 'web-b', ...state },
        ],
        [
          { type: 'left_out', lines: 1 },
          of(0, 2, 'a2'),
          of(0, 4, 'a4'),
          of(0, 3, 'a3, with an earlier time'),
        ],
        [{ type: 'left_out', lines: 2 }, of(1, 1, 'b1'), of(1, 3, 'b3'), of(1, 5, 'b5')],
        [{ type: 'source', source: 0, pod: 'web-a', ...state, gone: true }],
      ],
    ]);
    await reader.read({ key: LOG.key, namespace: 'shop', workload: 'Deployment/web' });
    const rows = reader.rows();
    const texts = Array.from({ length: rows.end }, (_, at) => (rows.row(at) as { text: string }).text);
    expect(texts).toEqual(['b1', 'a2', 'b3', 'a4', 'a3, with an earlier time', 'b5']);
    expect(reader.leftOut()).toBe(3);
    expect(reader.pods()).toMatchObject({ count: 2, followed: 2 });
    expect([...reader.sources().values()].map(({ pod, gone }) => [pod, gone])).toEqual([
      ['web-a', true],
      ['web-b', false],
    ]);
  });

  it('reads a Pod and a deleted one of the same name as one source', async () => {
    const of = (source: number, second: number, text: string): PodLogEvent => {
      const time = `2026-11-21T09:44:0${second}.000000Z`;
      return { type: 'line', source, line: { time, level: null, text, cut: 0, continues: false } };
    };
    const state = { pod: 'db-0', container: 'db', shared: false, waiting: null, problem: null };
    const reader = readerOf([
      [
        [{ type: 'pods', count: 1, followed: 1 }],
        [{ type: 'source', source: 0, ...state, gone: false }, of(0, 5, 'now')],
        [{ type: 'source', source: 1, ...state, gone: true }, of(1, 1, 'before')],
      ],
    ]);
    await reader.read({ key: LOG.key, namespace: 'shop', workload: 'StatefulSet/db' });
    const rows = [0, 1].map((at) => reader.rows().row(at));
    expect(rows).toMatchObject([
      { source: 0, text: 'before' },
      { source: 0, text: 'now' },
    ]);
    expect([...reader.sources().values()]).toMatchObject([{ source: 0, gone: false }]);
  });

  it('knows where the full text of a stored line is', async () => {
    const reader = readerOf([[[line('one')]]]);
    await reader.read(LOG);
    const stored = { ...(reader.rows().row(0) as LogLine), source: 7, seq: 42, isCut: true };
    const lines = reader.joined([
      { line: stored, pod: 'web', container: 'web' },
      { line: { ...stored, isCut: false }, pod: 'web', container: 'web' },
    ]);
    expect(lines.map((each) => reader.storedAt(each))).toEqual([{ source: 7, seq: 42 }, null]);
    expect(lines.map((each) => reader.whole(each)?.text)).toEqual([undefined, 'one']);
  });
});
