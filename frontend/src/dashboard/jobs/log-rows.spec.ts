import { describe, expect, it } from '@jest/globals';
import type { JobLogLineDto, LogKind } from '../../shared/api/api-types';
import { logTime, toRows, toText } from './log-rows';

function line(sequence: number, text: string, kind: LogKind = 'output'): JobLogLineDto {
  return { sequence, text, kind, time: '2026-11-21T09:40:48.102Z' };
}

describe('rows of a log', () => {
  it('has one row for each line where lines are left whole', () => {
    const rows = toRows([line(1, 'x'.repeat(500)), line(2, '')], null);
    expect(rows.map(({ key, text }) => [key, text.length])).toEqual([
      ['1', 500],
      ['2', 0],
    ]);
  });

  it('wraps what is longer than the width, and only its first row carries the time', () => {
    const rows = toRows([line(7, `${'a'.repeat(20)}${'b'.repeat(20)}c`)], 20);
    expect(rows.map(({ text }) => text)).toEqual(['a'.repeat(20), 'b'.repeat(20), 'c']);
    expect(rows.map(({ key }) => key)).toEqual(['7', '7.1', '7.2']);
    expect(rows.map(({ time }) => time !== null)).toEqual([true, false, false]);
  });

  it('wraps at a space, unless the word would leave most of the row empty', () => {
    const text = (words: string): string[] => toRows([line(1, words)], 12).map((row) => row.text);
    expect(text('Memory free is 24 GB')).toEqual(['Memory free ', 'is 24 GB']);
    expect(text('at https://example.org')).toEqual(['at https://e', 'xample.org']);
  });

  it('never splits a character', () => {
    const [first, second] = toRows([line(1, '🚢'.repeat(12))], 8);
    expect(first?.text).toBe('🚢'.repeat(8));
    expect(second?.text).toBe('🚢'.repeat(4));
  });

  it('keeps the mark of a cut in one row, and a width that no window has from making endless rows', () => {
    expect(toRows([line(1, '8000 lines were left out here', 'cut')], 10)).toHaveLength(1);
    expect(toRows([line(1, 'x'.repeat(16))], 0)).toHaveLength(2);
  });

  it('lays out 10,000 lines at once', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => line(index + 1, `line ${index}`));
    expect(toRows(lines, 80)).toHaveLength(10_000);
  });

  it('is copied as text with times', () => {
    expect(toText([line(1, 'one'), line(2, 'two')])).toBe(
      '2026-11-21T09:40:48.102Z one\n2026-11-21T09:40:48.102Z two\n',
    );
  });

  it('shows times to the millisecond', () => {
    expect(logTime('2026-11-21T09:40:48.102Z')).toMatch(/^\d{2}:\d{2}:48\.102$/);
    expect(logTime('nonsense')).toBe('');
  });
});
