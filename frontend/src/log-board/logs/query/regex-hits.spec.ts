import { describe, expect, it } from '@jest/globals';
import { regexHits } from './regex-hits';

const hits = (expression: string, matchCase: boolean, ...texts: string[]): unknown =>
  regexHits({ expression, matchCase, texts });

describe('the hits of an expression', () => {
  it('are told of each text', () => {
    expect(hits('t\\d+', false, 'T1 t22', 'none')).toEqual([
      [
        { from: 0, to: 2 },
        { from: 3, to: 6 },
      ],
      [],
    ]);
    expect(hits('t\\d+', true, 'T1 t22')).toEqual([[{ from: 3, to: 6 }]]);
  });

  it('are those of Unicode, and of an expression as older ones are written too', () => {
    expect(hits('^.$', false, '🚢')).toEqual([[{ from: 0, to: 2 }]]);
    expect(hits('a\\-b', false, 'a-b')).toEqual([[{ from: 0, to: 3 }]]);
  });

  it('are none where it is no expression', () => {
    expect(hits('(', false, '(')).toBeNull();
  });
});
