import { describe, expect, it } from '@jest/globals';
import { findHits } from './hits';
import { MAX_SHOWN_LENGTH, parseRow, segmentsOf } from './segments';

function shown(line: string, marks?: RegExp): string[] {
  const read = parseRow(line);
  return segmentsOf(read, marks ? findHits(read.text, marks) : []).map(({ text, style, isMarked }) =>
    [style && `${style}:`, isMarked ? `[${text}]` : text].join(''),
  );
}

describe('segmentsOf', () => {
  it('dims field names', () => {
    expect(shown('charged order=o-1 note="a b"')).toEqual([
      'charged ',
      'f:order=',
      'q:o-1',
      ' ',
      'f:note=',
      'q:"a b"',
    ]);
  });

  it('shows the message of a structured line first, and what its values hide as symbols', () => {
    const runs = (line: string): string[] =>
      parseRow(line, true).runs.map(({ text, style, symbol }) => `${style}:${symbol ?? text}`);
    expect(runs('{"level":"error","msg":"a\\nb","user":"\\u202ex"}')).toEqual([
      ':a ↵ b',
      'meta:  user=',
      'escape:\\u202e',
      'meta:x',
    ]);
    expect(runs('\x1b[31m{"msg":"red"}\x1b[0m')).toEqual(['ansi-red:{"msg":"red"}']);
  });

  it('leaves out a time that repeats that of the line, also before an object', () => {
    const time = Date.parse('2026-11-27T10:00:00Z') * 1000;
    const text = (line: string, of: number | null): string => parseRow(line, true, of).text;
    const line = '2026-11-27T10:00:00Z {"msg":"paid","order":7}';
    expect([text(line, time), text(line, null)]).toEqual(['paid  order=7', line]);
    expect(text('{"msg":"2026/11/27 10:00:00 paid"}', time)).toBe('paid');
    expect(text('2026-11-27T09:00:00Z paid', time)).toBe('2026-11-27T09:00:00Z paid');
  });

  it('keeps terminal colors', () => {
    expect(shown('\x1b[31morder=o-1\x1b[0m')).toEqual(['ansi-red:order=o-1']);
  });

  it('marks matches across runs', () => {
    expect(shown('order=o-1', /r=o/gu)).toEqual(['f:orde', 'f:[r=]', 'q:[o]', 'q:-1']);
    expect(shown('a (b) A', /a/giu)).toEqual(['[a]', ' (b) ', '[A]']);
    expect(shown('t1 t22', /t\d+/gu)).toEqual(['[t1]', ' ', '[t22]']);
    expect(shown('\x1b[31mred\x1b[0m.', /d\./gu)).toEqual(['ansi-red:re', 'ansi-red:[d]', '[.]']);
  });

  it('shows symbols for bidirectional marks and carriage returns', () => {
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

  it('marks a match around a symbol, and the symbol inside it', () => {
    expect(shown('a\u202eb b', /b/gu)).toEqual(['a', 'escape:\\u202e', '[b]', ' ', '[b]']);
    expect(shown('a\u202eb', /a.b/gu)).toEqual(['[a]', 'escape:[\\u202e]', '[b]']);
    expect(shown('at 10%\rat 50%', /50/gu)).toEqual(['at 10%', 'escape:\\x0d', 'at ', '[50]', '%']);
    // The server ignores such characters in searches, too.
    expect(shown('at 10%\rat 50%', /%at/gu)).toEqual(['at 10', '[%]', 'escape:[\\x0d]', '[at]', ' 50%']);
  });

  it('clips symbols with the rest of a long line', () => {
    const read = parseRow('a\u202e\r'.repeat(MAX_SHOWN_LENGTH));
    const drawn = segmentsOf(read, []).map(({ text }) => text);
    expect(read.isClipped).toBe(true);
    expect(drawn.join('').length).toBeLessThanOrEqual(MAX_SHOWN_LENGTH);
    const turns = parseRow('\u202e'.repeat(MAX_SHOWN_LENGTH));
    expect([turns.isClipped, segmentsOf(turns, []).map(({ text }) => text.length)]).toEqual([
      true,
      [MAX_SHOWN_LENGTH],
    ]);
  });

  it('clips a long line, and marks nothing beyond', () => {
    const read = parseRow(`${'x'.repeat(MAX_SHOWN_LENGTH)}yz`);
    expect([read.isClipped, read.text]).toEqual([true, 'x'.repeat(MAX_SHOWN_LENGTH)]);
    expect(findHits(read.text, /y/gu)).toEqual([]);
    expect(parseRow('x'.repeat(MAX_SHOWN_LENGTH)).isClipped).toBe(false);
  });
});
