import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../shared/lines/log-line';
import { MOST_ROWS, PodLogRows } from './pod-log-rows';

const lines = (from: number, count: number): LogLine[] =>
  Array.from({ length: count }, (_, index) => ({ seq: from + index }) as LogLine);

describe('the rows of a pod’s log', () => {
  it('keep their numbers while the oldest go, and are bounded', () => {
    const rows = new PodLogRows();
    for (let from = 0; from < MOST_ROWS * 3; from += 500) {
      rows.add(lines(from, 500));
      expect(rows.end - rows.first).toBeLessThanOrEqual(MOST_ROWS + 2000);
      for (const at of [rows.first, rows.end - 1]) expect(rows.row(at)).toMatchObject({ seq: at });
    }
    expect(rows.end).toBe(MOST_ROWS * 3);
    expect(rows.row(0)).toBeUndefined();
    expect(rows.row(rows.end)).toBeUndefined();
  });

  it('tell of each change, and of none where nothing came', () => {
    const rows = new PodLogRows();
    const before = rows.version();
    rows.add([]);
    expect(rows.version()).toBe(before);
    rows.add(lines(0, 1));
    expect(rows.version()).toBe(before + 1);
  });
});
