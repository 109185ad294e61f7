import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../shared/lines/log-line';
import { MAX_ROWS, PodLogRows } from './pod-log-rows';

const lines = (from: number, count: number): LogLine[] =>
  Array.from({ length: count }, (_, index) => ({ seq: from + index }) as LogLine);

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
});
