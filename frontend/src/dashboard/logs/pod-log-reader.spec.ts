import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import type { PodLogEvent } from '../../shared/api/api-types';
import { EventLines } from '../../shared/live/event-lines';
import { PodLogReader } from './pod-log-reader';

const LOG = {
  key: { name: 'shop', runtime: 'demo' as const },
  namespace: 'default',
  pod: 'web',
  container: 'web',
  previous: false,
};

const line = (text: string): PodLogEvent => ({
  type: 'line',
  line: { time: '2026-11-21T09:44:02.117003Z', level: null, text, cut: 0, continues: false },
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
});
