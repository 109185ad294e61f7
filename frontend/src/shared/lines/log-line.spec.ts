import { describe, expect, it } from '@jest/globals';
import type { LineDto, WireLine } from '../api/api-types';
import { MAX_LINE_LENGTH, readLine, readWireLine } from './log-line';

describe('readLine', () => {
  const wire = (text: string, flags: number): WireLine => [1, 1000, 1, null, text, flags];
  const dto: LineDto = {
    source: 1,
    seq: 1,
    time: '2026-11-22T08:00:00.000000Z',
    stream: null,
    level: null,
    text: 'begin',
    cut: 0,
    continues: false,
  };

  it('reports a truncated text', () => {
    expect(readWireLine(1, wire('whole', 1), 0)).toMatchObject({ isCut: false, continues: true });
    expect(readWireLine(1, wire('cut', 2), 0)).toMatchObject({ isCut: true, continues: false });
    expect(readWireLine(1, wire('begin', 4), 0)).toMatchObject({ isCut: true, continues: false });
    expect(readLine(dto).isCut).toBe(false);
    expect(readLine({ ...dto, cut: 7 }).isCut).toBe(true);
    expect(readLine({ ...dto, shortened: true }).isCut).toBe(true);
  });

  it('limits the text in memory', () => {
    const long = 'x'.repeat(MAX_LINE_LENGTH + 1);
    for (const line of [readWireLine(1, wire(long, 0), 0), readLine({ ...dto, text: long })]) {
      expect([line.text.length, line.isCut]).toEqual([MAX_LINE_LENGTH, true]);
    }
  });
});
