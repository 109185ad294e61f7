import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import type { PodLogEvent } from '../../shared/api/api-types';
import { EventLines } from '../../shared/api/event-lines';
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

/** Answers each reader with what it was told, and with nothing more. */
function runWith(answers: PodLogEvent[][][]): PodLogReader {
  const events = {
    async *read(): AsyncGenerator<PodLogEvent[]> {
      const answer = answers.shift();
      if (!answer) throw new Error('nobody told of this log');
      yield await Promise.resolve([]);
      yield* answer;
    },
  };
  TestBed.configureTestingModule({ providers: [PodLogReader, { provide: EventLines, useValue: events }] });
  return TestBed.inject(PodLogReader);
}

describe('the log of a pod', () => {
  it('says how many of its lines were left out, until it is read anew', async () => {
    const run = runWith([
      [[{ type: 'left_out', lines: 120 }, line('one'), line('two')], [{ type: 'end' }]],
      [[line('three')], [{ type: 'end' }]],
    ]);
    await run.read(LOG);
    expect([run.leftOut(), run.state(), run.rows().end]).toEqual([120, 'ended', 2]);
    expect(run.rows().row(0)).toMatchObject({ kind: 'line', seq: 0, text: 'one' });
    await run.read(LOG);
    expect([run.leftOut(), run.state(), run.rows().end]).toEqual([0, 'ended', 1]);
    await run.read(LOG);
    expect([run.state(), run.problem()?.message]).toEqual(['failed', expect.any(String)]);
  });
});
