import { signal } from '@angular/core';
import { describe, expect, it } from '@jest/globals';
import type { JobLogLineDto, LogKind } from '../../shared/api/api-types';
import { JobRows, toText } from './job-rows';

function line(sequence: number, text: string, kind: LogKind = 'output'): JobLogLineDto {
  return { sequence, text, kind, time: '2026-11-21T09:40:48.102Z' };
}

describe('JobRows', () => {
  it('has one row per line, with time, level and kind', () => {
    const rows = new JobRows(signal([line(1, 'one'), line(2, 'two', 'error')]));
    expect([rows.first, rows.end, rows.arrived]).toEqual([0, 2, 2]);
    expect(rows.row(1)).toMatchObject({
      seq: 2,
      text: 'two',
      level: 'error',
      tone: 'error',
      time: Date.parse('2026-11-21T09:40:48.102Z') * 1000,
    });
    expect(rows.row(2)).toBeUndefined();
  });

  it('marks commands with a prompt', () => {
    expect(new JobRows(signal([line(1, 'helm list', 'command')])).row(0)?.text).toBe('$ helm list');
  });

  it('splits a line that is longer than a row, but no character', () => {
    const rows = new JobRows(signal([line(7, '🚢'.repeat(3000))]));
    expect([rows.end, rows.row(0)?.text, rows.row(1)?.text]).toEqual([
      2,
      '🚢'.repeat(2000),
      '🚢'.repeat(1000),
    ]);
    expect([rows.row(0)?.continues, rows.row(1)?.continues]).toEqual([false, true]);
  });

  it('keeps the rows of known lines when lines are appended', () => {
    const lines = signal([line(1, 'one')]);
    const rows = new JobRows(lines);
    const [before, version] = [rows.row(0), rows.version()];
    lines.update((known) => [...known, line(2, 'two')]);
    expect(rows.row(0)).toBe(before);
    expect([rows.end, rows.version()]).toEqual([2, version + 1]);
  });

  it('is copied as text with times', () => {
    expect(toText([line(1, 'one'), line(2, 'two')])).toBe(
      '2026-11-21T09:40:48.102Z one\n2026-11-21T09:40:48.102Z two\n',
    );
  });
});
