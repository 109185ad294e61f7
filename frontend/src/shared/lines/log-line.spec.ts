import { describe, expect, it } from '@jest/globals';
import type { LineDto, WireLine } from '../api/api-types';
import { LONGEST_KEPT, readLine, readWireLine } from './log-line';

describe('a line that was read', () => {
  const wire = (text: string, flags: number): WireLine => [1, 1000, 1, null, text, flags];
  const told: LineDto = {
    source: 1,
    seq: 1,
    time: '2026-11-22T08:00:00.000000Z',
    stream: null,
    level: null,
    text: 'begin',
    cut: 0,
    continues: false,
  };

  it('says whether there is more of it than its text', () => {
    expect(readWireLine(1, wire('whole', 1), 0)).toMatchObject({ isCut: false, continues: true });
    expect(readWireLine(1, wire('cut', 2), 0)).toMatchObject({ isCut: true, continues: false });
    expect(readWireLine(1, wire('begin', 4), 0)).toMatchObject({ isCut: true, continues: false });
    expect(readLine(told).isCut).toBe(false);
    expect(readLine({ ...told, cut: 7 }).isCut).toBe(true);
    expect(readLine({ ...told, shortened: true }).isCut).toBe(true);
  });

  it('holds no more than a row shows', () => {
    const long = 'x'.repeat(LONGEST_KEPT + 1);
    for (const line of [readWireLine(1, wire(long, 0), 0), readLine({ ...told, text: long })]) {
      expect([line.text.length, line.isCut]).toEqual([LONGEST_KEPT, true]);
    }
  });
});
