import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../drivers/log-store/index.js';
import { RecentLines } from './recent-lines.js';

function lines(from: number, count: number): LogLine[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: from + index,
    time: from + index,
    stream: null,
    level: null,
    text: `line ${from + index}`,
    cut: 0,
    continues: false,
  }));
}

describe('RecentLines', () => {
  const numbers = (recent: RecentLines, from: number): number[] | undefined =>
    recent.from(from, 10_000)?.map(({ seq }) => seq);

  it('drops lines that all subscriptions have, and keeps the others', () => {
    const recent = new RecentLines(1);
    for (let first = 1; first <= 5000; first += 100) {
      recent.release(first - 30);
      recent.add(lines(first, 100), first);
      expect(recent.arrivalOf(first - 1)).toBe(first > 1 ? first - 100 : first);
      expect(numbers(recent, first - 31)).toBeUndefined();
      const oldest = Math.max(1, first - 30);
      expect(numbers(recent, oldest)).toEqual(lines(oldest, first + 100 - oldest).map(({ seq }) => seq));
    }
    recent.release(5001);
    expect(numbers(recent, 5000)).toBeUndefined();
    recent.add(lines(5001, 2), 6000);
    expect(numbers(recent, 5001)).toEqual([5001, 5002]);
    expect(recent.arrivalOf(5002)).toBe(6000);
  });

  it('keeps lines for 1.5 s for subscriptions that are behind', () => {
    const recent = new RecentLines(1);
    recent.add(lines(1, 10), 0);
    recent.add(lines(11, 10), 1000);
    recent.release(5);
    expect(numbers(recent, 4)).toBeUndefined();
    expect(numbers(recent, 5)).toHaveLength(16);
    recent.add(lines(21, 10), 2600);
    expect(numbers(recent, 11)).toHaveLength(20);
    expect(numbers(recent, 10)).toBeUndefined();
  });
});
