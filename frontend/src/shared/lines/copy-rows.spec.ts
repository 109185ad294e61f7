import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { copyGaps, copyTitle, MAX_COPIED, readRows } from './copy-rows';
import type { LogLine, LogRow } from './log-line';
import type { RowSource } from './row-source';
import { EIGHT, makeLine } from './testing/make-line';

function line(seq: number, more: Partial<LogLine> = {}): LogLine {
  const time = EIGHT + seq;
  return makeLine(seq, { source: (seq % 2) + 1, time, rank: time, ...more });
}

function rowsOf(row: (at: number) => LogRow | undefined): RowSource {
  return {
    version: signal(0),
    first: 0,
    end: 1_000_000,
    arrived: 0,
    row,
    want: () => undefined,
  };
}

describe('readRows', () => {
  it('adds the time, and the name of the source if there are several', () => {
    const rows = rowsOf((at) => line(at, { text: '\x1b[31mred\x1b[0m' }));
    expect(readRows(rows, 1, 2, null).text).toBe(
      '2026-11-22T08:00:00.000001Z red\n2026-11-22T08:00:00.000002Z red',
    );
    const copied = readRows(rows, 1, 2, (source) => `dev/${source}`);
    expect(copied.text).toBe('2026-11-22T08:00:00.000001Z dev/2 red\n2026-11-22T08:00:00.000002Z dev/1 red');
    expect([copyTitle(copied), copyGaps(copied)]).toEqual(['2 lines copied', '']);
  });

  it('marks truncated lines', () => {
    const copied = readRows(
      rowsOf((at) => line(at, { isCut: at === 2 })),
      1,
      3,
      null,
    );
    expect(copied.text.split('\n')[1]).toBe('2026-11-22T08:00:00.000002Z line 2 … (cut)');
    expect([copyTitle(copied), copyGaps(copied)]).toEqual([
      '3 lines copied',
      '1 line truncated: open a line to copy its full text.',
    ]);
  });

  it('counts lines that are not loaded or were skipped', () => {
    const gap: LogRow = { kind: 'gap', source: 1, from: 4, to: 1203, count: 1200, rank: EIGHT };
    const copied = readRows(
      rowsOf((at) => (at === 3 ? undefined : at === 4 ? gap : line(at))),
      1,
      5,
      null,
    );
    expect([copied.lines, copied.missing]).toEqual([3, 1201]);
    expect(copyTitle(copied)).toBe('3 of 1,204 lines copied');
    expect(copyGaps(copied)).toBe(
      '1,201 lines not loaded: scroll through the selection first, or download it.',
    );
  });

  it('counts lines beyond the limit', () => {
    const copied = readRows(rowsOf(line), 1, MAX_COPIED + 1, null);
    expect([copied.lines, copied.excess]).toEqual([MAX_COPIED, 1]);
    expect(copyTitle(copied)).toBe('10,000 of 10,001 lines copied');
    expect(copyGaps(copied)).toBe(
      '1 line left out: you can copy 10,000 at once. Select fewer, or download them.',
    );
    expect(copyGaps(readRows(rowsOf(line), 1, MAX_COPIED, null))).toBe('');
  });
});
