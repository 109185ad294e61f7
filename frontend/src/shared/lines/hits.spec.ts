import { describe, expect, it } from '@jest/globals';
import { findHits, joinHits, textRegex } from './hits';

describe('hits', () => {
  it('finds a text literally', () => {
    expect(findHits('a (b) A', textRegex('a', false))).toEqual([
      { from: 0, to: 1 },
      { from: 6, to: 7 },
    ]);
    expect(findHits('a (b) A', textRegex('a', true))).toEqual([{ from: 0, to: 1 }]);
    expect(findHits('a (b) A', textRegex('(b)', false))).toEqual([{ from: 2, to: 5 }]);
    for (const text of ['.*+?^$', '{1}', '[a]', 'a|b', '\\d', '/']) {
      expect(findHits(`x${text}x`, textRegex(text, false))).toEqual([{ from: 1, to: 1 + text.length }]);
    }
  });

  it('ignores empty matches, and limits their number', () => {
    expect(findHits('aaa', /b*/gu)).toEqual([]);
    expect(findHits('a'.repeat(9000), /a/gu)).toHaveLength(500);
  });

  it('merges overlapping hits of several searches', () => {
    const one = [
      { from: 4, to: 8 },
      { from: 20, to: 22 },
    ];
    const other = [
      { from: 0, to: 2 },
      { from: 6, to: 10 },
      { from: 10, to: 11 },
    ];
    expect(joinHits([one, other])).toEqual([
      { from: 0, to: 2 },
      { from: 4, to: 10 },
      { from: 10, to: 11 },
      { from: 20, to: 22 },
    ]);
    expect(one[0]).toEqual({ from: 4, to: 8 });
  });
});
