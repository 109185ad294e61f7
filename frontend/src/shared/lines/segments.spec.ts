import { describe, expect, it } from '@jest/globals';
import { findHits } from './hits';
import { LONGEST_SHOWN, readShown, segmentsOf } from './segments';

function shown(line: string, marks?: RegExp): string[] {
  const read = readShown(line);
  return segmentsOf(read, marks ? findHits(read.text, marks) : []).map(({ text, look, isMarked }) =>
    [look && `${look}:`, isMarked ? `[${text}]` : text].join(''),
  );
}

describe('a row’s text in stretches', () => {
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

  it('marks what was found, over the ends of stretches too', () => {
    expect(shown('order=o-1', /r=o/gu)).toEqual(['f:orde', 'f:[r=]', 'q:[o]', 'q:-1']);
    expect(shown('a (b) A', /a/giu)).toEqual(['[a]', ' (b) ', '[A]']);
    expect(shown('t1 t22', /t\d+/gu)).toEqual(['[t1]', ' ', '[t22]']);
    expect(shown('\x1b[31mred\x1b[0m.', /d\./gu)).toEqual(['ansi-red:re', 'ansi-red:[d]', '[.]']);
  });

  it('clips a long line, and has nothing found behind its end', () => {
    const read = readShown(`${'x'.repeat(LONGEST_SHOWN)}yz`);
    expect([read.isClipped, read.text]).toEqual([true, 'x'.repeat(LONGEST_SHOWN)]);
    expect(findHits(read.text, /y/gu)).toEqual([]);
    expect(readShown('x'.repeat(LONGEST_SHOWN)).isClipped).toBe(false);
  });
});
