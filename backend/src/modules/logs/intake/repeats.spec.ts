import { describe, expect, it } from '@jest/globals';
import type { NewLine } from '../lines/line.js';
import type { AssembledLine } from './line-assembler.js';
import { Repeats } from './repeats.js';

const line = (time: number, text = `line ${time}`, nanos?: number): AssembledLine => ({
  time,
  nanos,
  stream: 'stdout',
  level: null,
  text,
  cut: 0,
  continues: false,
});
const times = (lines: readonly NewLine[]): number[] => lines.map(({ time }) => time);

describe('what an engine tells again', () => {
  it('is left out, up to the line that was the last, and nothing behind it', () => {
    const repeats = new Repeats();
    expect(times(repeats.without([1, 2, 3, 4].map((time) => line(time))))).toEqual([1, 2, 3, 4]);
    expect(times(repeats.without([line(3), line(4), line(5)]))).toEqual([5]);
  });

  it('is known over several batches, and a second time', () => {
    const repeats = new Repeats();
    repeats.without([1, 2, 3, 4].map((time) => line(time)));
    expect(repeats.without([line(2)])).toEqual([]);
    expect(times(repeats.without([line(3), line(4), line(5)]))).toEqual([5]);
    expect(times(repeats.without([line(4), line(5), line(6)]))).toEqual([6]);
  });

  it('is not what another stream wrote a little before, nor like lines of one moment', () => {
    const repeats = new Repeats();
    expect(times(repeats.without([line(10), line(9, 'other'), line(11, '.'), line(11, '.')]))).toEqual([
      10, 9, 11, 11,
    ]);
  });

  it('is not what was written after the clock was set back', () => {
    const repeats = new Repeats();
    const later = 7_200_000_000;
    expect(repeats.without([line(later, '.'), line(later + 1, '.')])).toHaveLength(2);
    expect(times(repeats.without([line(5), line(6, '.'), line(6, '.'), line(7)]))).toEqual([5, 6, 6, 7]);
    // What is told again then is left out as before.
    expect(times(repeats.without([line(5), line(7), line(8)]))).toEqual([8]);
  });

  it('may be the last line alone, told by its nanoseconds', () => {
    const repeats = new Repeats();
    expect(times(repeats.without([line(10, '.', 123), line(11, '.', 7)]))).toEqual([10, 11]);
    expect(times(repeats.without([line(11, '.', 7), line(11, '.', 8), line(11, ',', 8)]))).toEqual([11, 11]);
  });

  it('is found among the last lines, however many there were', () => {
    const repeats = new Repeats();
    const many = Array.from({ length: 10_000 }, (_, time) => line(time));
    expect(repeats.without(many)).toHaveLength(10_000);
    expect(times(repeats.without([...many.slice(-4000), line(10_000)]))).toEqual([10_000]);
  });
});
