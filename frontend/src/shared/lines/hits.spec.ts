import { describe, expect, it } from '@jest/globals';
import { findHits, joinHits, textExpression } from './hits';

describe('hits', () => {
  it('of a text are found as it is written', () => {
    expect(findHits('a (b) A', textExpression('a', false))).toEqual([
      { from: 0, to: 1 },
      { from: 6, to: 7 },
    ]);
    expect(findHits('a (b) A', textExpression('a', true))).toEqual([{ from: 0, to: 1 }]);
    expect(findHits('a (b) A', textExpression('(b)', false))).toEqual([{ from: 2, to: 5 }]);
    for (const text of ['.*+?^$', '{1}', '[a]', 'a|b', '\\d', '/']) {
      expect(findHits(`x${text}x`, textExpression(text, false))).toEqual([{ from: 1, to: 1 + text.length }]);
    }
  });

  it('are neither empty nor without number', () => {
    expect(findHits('aaa', /b*/gu)).toEqual([]);
    expect(findHits('a'.repeat(9000), /a/gu)).toHaveLength(500);
  });

  it('of several searches are in one order, and none over another', () => {
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
