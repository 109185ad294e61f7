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

  it('counts rows that appear once a regex has decided on them, but not those of another query', () => {
    const rows = new PodLogRows();
    rows.filter(() => false);
    rows.add(lines(0, 4));
    rows.filter(({ seq }) => seq > 1, true);
    expect(rows.arrived).toBe(2);
    rows.filter(() => true);
    expect(rows.arrived).toBe(2);
  });

  it('inserts stored lines once, whichever comes first, and forgets them', () => {
    const rows = new PodLogRows();
    const line = (seq: number, time: number): LogLine =>
      ({ kind: 'line', source: 0, seq, time, rank: time, text: `at ${time}` }) as LogLine;
    const times = (): number[] =>
      Array.from({ length: rows.end - rows.first }, (_, at) => rows.row(rows.first + at)?.rank ?? 0);
    rows.add([line(0, 30), line(1, 40)]);
    rows.insert([line(-1, 40), line(-2, 30), line(-3, 20), line(-4, 10)]);
    expect([times(), rows.storedCount, rows.arrived]).toEqual([[10, 20, 30, 40], 2, 2]);
    expect(rows.oldestTimes()).toEqual(new Map([[0, 30]]));
    rows.insert([line(-5, 50)]);
    rows.add([line(2, 50), line(3, 60)]);
    expect([times(), rows.arrived]).toEqual([[10, 20, 30, 40, 50, 60], 4]);
    rows.forgetStored();
    expect([times(), rows.storedCount]).toEqual([[30, 40, 50, 60], 0]);
  });

  it('tells who adds stored lines when the first row is visible', () => {
    const rows = new PodLogRows();
    const calls: string[] = [];
    rows.history = { wanted: () => calls.push('wanted'), dropped: () => calls.push('dropped') };
    rows.add(lines(0, 10));
    rows.want(3, 8);
    expect(calls).toEqual([]);
    rows.want(0, 8);
    expect(calls).toEqual(['wanted']);
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
