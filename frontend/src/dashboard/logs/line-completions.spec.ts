import { describe, expect, it } from '@jest/globals';
import { makeLine } from '../../shared/lines/testing/make-line';
import { completableAt } from '../../shared/search/query-completion';
import { lineCompletions } from './line-completions';

const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: null, name: 'web-1' };
const sources = [{ id: 1, identity: { ...pod, container: 'web', service: null } }];
const lines = ['status=200', 'status=503', 'status=503 state=up', 'plain'].map((text, seq) =>
  makeLine(seq, { text, stream: null, level: seq === 3 ? 'error' : 'info' }),
);

describe('lineCompletions', () => {
  const of = (typed: string): [string, number][] => {
    const at = completableAt(typed, typed.length);
    return at ? lineCompletions(lines, at, sources).map(({ value, count }) => [value, count]) : [];
  };

  it('offers the names of fields and sources, the most frequent first', () => {
    expect(of('sta')).toEqual([
      ['status', 3],
      ['state', 1],
    ]);
    expect(of('po')).toEqual([['pod', 4]]);
  });

  it('offers values of a field, of the level and of a source', () => {
    expect(of('status:')).toEqual([
      ['503', 2],
      ['200', 1],
    ]);
    expect(of('level=')).toEqual([
      ['info', 3],
      ['error', 1],
    ]);
    expect(of('pod:w')).toEqual([['web-1', 4]]);
  });
});
