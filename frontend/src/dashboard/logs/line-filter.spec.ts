import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../shared/lines/log-line';
import { lineFilter, textMarks } from './line-filter';

const line = (text: string, level: LogLine['level'] = null): LogLine => ({ text, level }) as LogLine;

describe('lineFilter', () => {
  it('finds a text in any case, as written, without escape sequences', () => {
    const matches = lineFilter('a.b', null);
    expect(matches(line('path A.B'))).toBe(true);
    expect(matches(line('axb'))).toBe(false);
    expect(matches(line('\x1b[31ma\x1b[0m.b'))).toBe(true);
  });

  it('keeps a level and higher ones; without a level, lines have none', () => {
    const levels = ['debug', 'warn', 'fatal', null] as const;
    const kept = (least: LogLine['level']): unknown[] =>
      levels.filter((level) => lineFilter('', least)(line('x', level)));
    expect(kept('warn')).toEqual(['warn', 'fatal']);
    expect(kept(null)).toEqual([...levels]);
  });
});

describe('textMarks', () => {
  it('marks each hit, and returns the same hits for the same line', () => {
    const marks = textMarks('ab');
    const one = line('Ab ab');
    expect(marks?.hits(one, one.text)).toEqual([
      { from: 0, to: 2 },
      { from: 3, to: 5 },
    ]);
    expect(marks?.hits(one, one.text)).toBe(marks?.hits(one, one.text));
    expect(textMarks('')).toBeNull();
  });
});
