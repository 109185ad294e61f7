import { describe, expect, it } from '@jest/globals';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { AssembledLine } from '../../log-lines/index.js';
import { Dedup } from './dedup.js';

const line = (time: number, text = `line ${time}`, nanos?: number): AssembledLine => ({
  time,
  nanos,
  stream: 'stdout',
  level: null,
  text,
  cut: 0,
  continues: false,
});
const times = (lines: readonly NewLogLine[]): number[] => lines.map(({ time }) => time);

describe('Dedup', () => {
  it('removes repeated lines up to the last known one', () => {
    const dedup = new Dedup();
    expect(times(dedup.without([1, 2, 3, 4].map((time) => line(time))))).toEqual([1, 2, 3, 4]);
    expect(times(dedup.without([line(3), line(4), line(5)]))).toEqual([5]);
  });

  it('removes lines that are repeated over several batches, and repeatedly', () => {
    const dedup = new Dedup();
    dedup.without([1, 2, 3, 4].map((time) => line(time)));
    expect(dedup.without([line(2)])).toEqual([]);
    expect(times(dedup.without([line(3), line(4), line(5)]))).toEqual([5]);
    expect(times(dedup.without([line(4), line(5), line(6)]))).toEqual([6]);
  });

  it('keeps slightly older lines of another stream, and identical lines of one microsecond', () => {
    const dedup = new Dedup();
    expect(times(dedup.without([line(10), line(9, 'other'), line(11, '.'), line(11, '.')]))).toEqual([
      10, 9, 11, 11,
    ]);
  });

  it('keeps lines written after the clock was set back', () => {
    const dedup = new Dedup();
    const later = 7_200_000_000;
    expect(dedup.without([line(later, '.'), line(later + 1, '.')])).toHaveLength(2);
    expect(times(dedup.without([line(5), line(6, '.'), line(6, '.'), line(7)]))).toEqual([5, 6, 6, 7]);
    // Repeated lines are still removed after that.
    expect(times(dedup.without([line(5), line(7), line(8)]))).toEqual([8]);
  });

  it('removes a repeated last line by its nanoseconds', () => {
    const dedup = new Dedup();
    expect(times(dedup.without([line(10, '.', 123), line(11, '.', 7)]))).toEqual([10, 11]);
    expect(times(dedup.without([line(11, '.', 7), line(11, '.', 8), line(11, ',', 8)]))).toEqual([11, 11]);
  });

  it('finds repeated lines among the last 4,000', () => {
    const dedup = new Dedup();
    const many = Array.from({ length: 10_000 }, (_, time) => line(time));
    expect(dedup.without(many)).toHaveLength(10_000);
    expect(times(dedup.without([...many.slice(-4000), line(10_000)]))).toEqual([10_000]);
  });
});
