import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../shared/lines/log-line';
import { MAX_ROWS, PodLogRows } from './pod-log-rows';

const lines = (from: number, count: number): LogLine[] =>
  Array.from(
    { length: count },
    (_, index) => ({ source: 0, rank: from + index, seq: from + index }) as LogLine,
  );

describe('PodLogRows', () => {
  it('limits the rows and keeps their numbers when the oldest are dropped', () => {
    const rows = new PodLogRows();
    for (let from = 0; from < MAX_ROWS * 3; from += 500) {
      rows.add(lines(from, 500));
      expect(rows.end - rows.first).toBeLessThanOrEqual(MAX_ROWS + 2000);
      for (const at of [rows.first, rows.end - 1]) expect(rows.row(at)).toMatchObject({ seq: at });
    }
    expect(rows.end).toBe(MAX_ROWS * 3);
    expect(rows.row(0)).toBeUndefined();
    expect(rows.row(rows.end)).toBeUndefined();
  });

  it('changes its version with each addition, but not for an empty one', () => {
    const rows = new PodLogRows();
    const before = rows.version();
    rows.add([]);
    expect(rows.version()).toBe(before);
    rows.add(lines(0, 1));
    expect(rows.version()).toBe(before + 1);
  });

  it('inserts lines of another source by time, and finds rows whose numbers changed', () => {
    const rows = new PodLogRows();
    rows.add(lines(0, 10));
    const row = rows.row(5);
    rows.add([{ source: 1, rank: 2, seq: 10 } as LogLine]);
    expect(rows.row(3)).toMatchObject({ source: 1 });
    expect(row && rows.find(row)).toBe(6);
  });

  it('shows the lines of a filter, and counts all', () => {
    const rows = new PodLogRows();
    rows.add(lines(0, 10));
    const row = rows.row(6);
    rows.filter(({ seq }) => seq % 2 === 0);
    rows.add(lines(10, 4));
    expect([rows.end - rows.first, rows.total, rows.arrived]).toEqual([7, 14, 12]);
    expect(row && rows.find(row)).toBe(3);
    rows.filter(() => false);
    expect([rows.end, row && rows.find(row)]).toEqual([0, null]);
    rows.filter(() => true);
    expect(rows.row(13)).toMatchObject({ seq: 13 });
  });

  it('keeps row numbers when filtered lines are dropped', () => {
    const rows = new PodLogRows();
    rows.filter(({ seq }) => seq % 10 === 0);
    for (let from = 0; from < MAX_ROWS * 2; from += 1000) rows.add(lines(from, 1000));
    expect(rows.total).toBeLessThanOrEqual(MAX_ROWS + 2000);
    expect(rows.row(rows.first)).toMatchObject({ seq: rows.first * 10 });
    expect(rows.end).toBe((MAX_ROWS * 2) / 10);
  });
});
