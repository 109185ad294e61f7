import { describe, expect, it } from '@jest/globals';
import { LONGEST_SHOWN, marksOf, segmentsOf } from './segments';

function shown(text: string, marks: RegExp | null = null): string[] {
  return segmentsOf(text, marks).segments.map(({ text: part, look, isMarked }) =>
    [look && `${look}:`, isMarked ? `[${part}]` : part].join(''),
  );
}

const find = (text: string, regex = false, matchCase = false): RegExp | null =>
  marksOf([{ text, regex, matchCase }]);

describe('segmentsOf', () => {
  it('dims the names of fields', () => {
    expect(shown('charged order=o-1 note="a b"')).toEqual([
      'charged ',
      'f:order=',
      'q:o-1',
      ' ',
      'f:note=',
      'q:"a b"',
    ]);
  });

  it('keeps colours of its own instead', () => {
    expect(shown('\x1b[31morder=o-1\x1b[0m')).toEqual(['ansi-red:order=o-1']);
  });

  it('marks what is looked for, over the ends of stretches too', () => {
    expect(shown('order=o-1', find('r=o'))).toEqual(['f:orde', 'f:[r=]', 'q:[o]', 'q:-1']);
    expect(shown('a (b) A', find('a'))).toEqual(['[a]', ' (b) ', '[A]']);
    expect(shown('a (b) A', find('(b)'))).toEqual(['a ', '[(b)]', ' A']);
    expect(shown('t1 t22', find('t\\d+', true))).toEqual(['[t1]', ' ', '[t22]']);
    expect(shown('Ab ab', find('ab', false, true))).toEqual(['Ab ', '[ab]']);
  });

  it('marks nothing for an expression that the browser does not know, nor for one that finds nothing', () => {
    expect(find('(', true)).toBeNull();
    expect(shown('aaa', find('b*', true))).toEqual(['aaa']);
    expect(marksOf([])).toBeNull();
  });

  it('clips a long line', () => {
    const { segments, isClipped } = segmentsOf('x'.repeat(LONGEST_SHOWN + 1), null);
    expect(isClipped).toBe(true);
    expect(segments.map(({ text }) => text.length)).toEqual([LONGEST_SHOWN]);
    expect(segmentsOf('x'.repeat(LONGEST_SHOWN), null).isClipped).toBe(false);
  });
});
