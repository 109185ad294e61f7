import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../../shared/lines/log-line';
import { MatchRows } from './match-rows';

function line(seq: number): LogLine {
  return {
    kind: 'line',
    source: 1,
    seq,
    time: seq * 10,
    rank: seq * 10,
    stream: null,
    level: null,
    text: String(seq),
    continues: false,
    isCut: false,
  };
}

describe('MatchRows', () => {
  it('keeps row numbers when matches are added on either side', () => {
    const rows = new MatchRows();
    rows.addOlder([line(9), line(8)]);
    rows.addNewer([line(10), line(9)]);
    rows.addOlder([line(7)]);
    expect([rows.first, rows.end, rows.arrived]).toEqual([-3, 1, 1]);
    expect([-3, -2, -1, 0].map((at) => (rows.row(at) as LogLine).seq)).toEqual([7, 8, 9, 10]);
    expect(rows.oldest?.seq).toBe(7);
  });

  it('ignores known matches, so that the first row requests no more', () => {
    const rows = new MatchRows();
    rows.addOlder([line(9), line(8)]);
    const before = rows.version();
    rows.addOlder([line(9), line(8)]);
    expect([rows.first, rows.version()]).toEqual([-2, before]);
  });

  it('removes matches before the period', () => {
    const rows = new MatchRows();
    rows.addOlder([line(9), line(8), line(7)]);
    rows.addNewer([line(11), line(10)]);
    const before = rows.version();
    rows.forgetBefore(80);
    expect([rows.first, rows.version() > before]).toEqual([-2, true]);
    rows.forgetBefore(80);
    expect(rows.version()).toBe(before + 1);
    rows.forgetBefore(105);
    expect([rows.first, rows.end, rows.oldest?.seq]).toEqual([1, 2, 11]);
    expect(rows.next(null, 1)).toBe(1);
    rows.forgetBefore(1000);
    expect([rows.first, rows.end]).toEqual([2, 2]);
    expect(rows.oldest).toBeUndefined();
  });

  it('requests older matches when the first row is visible', () => {
    let asked = 0;
    const rows = new MatchRows(() => (asked += 1));
    rows.want(0, 0);
    rows.addOlder([line(9), line(8)]);
    rows.want(-1, 0);
    expect(asked).toBe(0);
    rows.want(-2, 0);
    expect(asked).toBe(1);
  });
});
