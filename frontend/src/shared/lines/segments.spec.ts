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

  it('names what would turn the direction of the text, and where a terminal would write over it', () => {
    expect(shown('run \u202egnp.exe\u202c now')).toEqual([
      'run ',
      'escape:\\u202e',
      'gnp.exe',
      'escape:\\u202c',
      ' now',
    ]);
    expect(shown('\x1b[2K\rat 10%\r\x1b[Kat 50%\r\r')).toEqual(['at 10%', 'escape:\\x0d', 'at 50%']);
    expect(shown('\u2067order=o-1')).toEqual(['escape:\\u2067', 'f:order=', 'q:o-1']);
    expect(shown('\x1b[31ma\u200fb')).toEqual(['ansi-red:a', 'escape:\\u200f', 'ansi-red:b']);
  });

  it('marks the same text around what is named, which is marked where it is within', () => {
    expect(shown('a\u202eb b', /b/gu)).toEqual(['a', 'escape:\\u202e', '[b]', ' ', '[b]']);
    expect(shown('a\u202eb', /a.b/gu)).toEqual(['[a]', 'escape:[\\u202e]', '[b]']);
    expect(shown('at 10%\rat 50%', /50/gu)).toEqual(['at 10%', 'escape:\\x0d', 'at ', '[50]', '%']);
    // As the server looks for it, which leaves such out.
    expect(shown('at 10%\rat 50%', /%at/gu)).toEqual(['at 10', '[%]', 'escape:[\\x0d]', '[at]', ' 50%']);
  });

  it('clips what is named with the rest of a long line', () => {
    const read = readShown('a\u202e\r'.repeat(LONGEST_SHOWN));
    const drawn = segmentsOf(read, []).map(({ text }) => text);
    expect(read.isClipped).toBe(true);
    expect(drawn.join('').length).toBeLessThanOrEqual(LONGEST_SHOWN);
    const turns = readShown('\u202e'.repeat(LONGEST_SHOWN));
    expect([turns.isClipped, segmentsOf(turns, []).map(({ text }) => text.length)]).toEqual([
      true,
      [LONGEST_SHOWN],
    ]);
  });

  it('clips a long line, and has nothing found behind its end', () => {
    const read = readShown(`${'x'.repeat(LONGEST_SHOWN)}yz`);
    expect([read.isClipped, read.text]).toEqual([true, 'x'.repeat(LONGEST_SHOWN)]);
    expect(findHits(read.text, /y/gu)).toEqual([]);
    expect(readShown('x'.repeat(LONGEST_SHOWN)).isClipped).toBe(false);
  });
});
