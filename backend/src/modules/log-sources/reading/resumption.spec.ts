import { describe, expect, it } from '@jest/globals';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import { Resumption } from './resumption.js';

const SECOND = 1_000_000;

function line(time: number, text: string): NewLogLine {
  return { time, stream: null, level: null, text, cut: 0, continues: false };
}

function fresh(resumption: Resumption, lines: [time: number, text: string][]): string[] {
  return resumption.fresh(lines.map(([time, text]) => line(time, text))).map(({ text }) => text);
}

describe('Resumption', () => {
  it('removes stored lines', () => {
    const known = [line(10, 'a'), line(10, 'b'), line(12, 'c')];
    const again: [number, string][] = [
      [10, 'a'],
      [10, 'b'],
      [12, 'c'],
      [12, 'd'],
      [13, 'c'],
    ];
    expect(fresh(new Resumption(known, 1), again)).toEqual(['d', 'c']);
  });

  it('keeps repeated lines beyond the stored count', () => {
    const resumption = new Resumption([line(10, 'tick'), line(10, 'tick')], 1);
    const again = Array.from({ length: 5 }, (): [number, string] => [10, 'tick']);
    expect(fresh(resumption, again)).toHaveLength(3);
  });

  it('keeps an unknown line that is older than the last stored one', () => {
    expect(
      fresh(new Resumption([line(10, 'a'), line(12, 'c')], 1), [
        [10, 'a'],
        [11, 'b'],
        [12, 'c'],
      ]),
    ).toEqual(['b']);
  });

  it('matches lines by second if the engine reports whole seconds', () => {
    const known = [line(5 * SECOND + 3, 'tick'), line(5 * SECOND + 999_999, 'tick')];
    const resumption = new Resumption(known, SECOND);
    const again = Array.from({ length: 4 }, (): [number, string] => [5 * SECOND, 'tick']);
    expect(fresh(resumption, [...again, [6 * SECOND, 'tick']])).toHaveLength(3);
  });

  it('treats all lines as new after a line that is a second later', () => {
    const resumption = new Resumption([line(10, 'a')], 1);
    expect(resumption.over).toBe(false);
    expect(fresh(resumption, [[10 + SECOND, 'b']])).toEqual(['b']);
    expect(resumption.over).toBe(false);
    expect(fresh(resumption, [[11 + SECOND, 'c']])).toEqual(['c']);
    expect(resumption.over).toBe(true);
    expect(fresh(resumption, [[10, 'a']])).toEqual(['a']);
  });

  it('detects whether a log reaches back to the stored lines', () => {
    const resumption = new Resumption([line(10, 'a'), line(12, 'b')], 1);
    expect([12, 13].map((time) => resumption.reachesBack(time))).toEqual([true, false]);
    const seconds = new Resumption([line(5 * SECOND + 7, 'a')], SECOND);
    expect([5, 6].map((time) => seconds.reachesBack(time * SECOND))).toEqual([true, false]);
  });
});
