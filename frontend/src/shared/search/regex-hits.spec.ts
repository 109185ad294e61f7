import { describe, expect, it } from '@jest/globals';
import { regexHits } from './regex-hits';

const hits = (regex: string, matchCase: boolean, ...texts: string[]): unknown =>
  regexHits({ regex, matchCase, texts });

describe('regexHits', () => {
  it('finds the matches of each text', () => {
    expect(hits('t\\d+', false, 'T1 t22', 'none')).toEqual([
      [
        { from: 0, to: 2 },
        { from: 3, to: 6 },
      ],
      [],
    ]);
    expect(hits('t\\d+', true, 'T1 t22')).toEqual([[{ from: 3, to: 6 }]]);
  });

  it('supports Unicode and legacy regex syntax', () => {
    expect(hits('^.$', false, '🚢')).toEqual([[{ from: 0, to: 2 }]]);
    expect(hits('a\\-b', false, 'a-b')).toEqual([[{ from: 0, to: 3 }]]);
  });

  it('returns null for an invalid regex', () => {
    expect(hits('(', false, '(')).toBeNull();
  });
});
