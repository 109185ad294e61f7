import { signal, type WritableSignal } from '@angular/core';
import { describe, expect, it } from '@jest/globals';
import { EMPTY_QUERY, type LogQuery } from './log-query';
import { slidingNow } from './sliding-now';

interface Sliding {
  query: WritableSignal<LogQuery>;
  isFollowing: WritableSignal<boolean>;
  /** The period start after so many seconds. */
  after: (seconds: number) => number;
}

describe('slidingNow', () => {
  const begin = 1_795_000_000_000;

  function sliding(from: string | null, to: string | null = null): Sliding {
    const clock = signal(begin);
    const query = signal<LogQuery>({ ...EMPTY_QUERY, from, to });
    const isFollowing = signal(true);
    const now = slidingNow(clock, query, isFollowing);
    expect(now()).toBe(begin);
    const after = (seconds: number): number => {
      clock.set(begin + seconds * 1000);
      return (now() - begin) / 1000;
    };
    return { query, isFollowing, after };
  }

  it('advances in steps that depend on the length of the period', () => {
    const quarter = sliding('15m');
    expect([9, 10, 19, 20].map(quarter.after)).toEqual([0, 10, 10, 20]);
    const hour = sliding('1h');
    expect([39, 40, 79].map(hour.after)).toEqual([0, 40, 40]);
    const week = sliding('7d');
    expect([59, 60].map(week.after)).toEqual([0, 60]);
    const minute = sliding('30s');
    expect([9, 10].map(minute.after)).toEqual([0, 10]);
  });

  it('stops while older lines are read, and then catches up', () => {
    const { isFollowing, after } = sliding('15m');
    isFollowing.set(false);
    expect(after(100)).toBe(0);
    isFollowing.set(true);
    expect(after(101)).toBe(101);
  });

  it('restarts for another query', () => {
    const { query, isFollowing, after } = sliding('15m');
    isFollowing.set(false);
    expect(after(5)).toBe(0);
    query.set({ ...EMPTY_QUERY, from: '15m', text: 'x' });
    expect(after(5)).toBe(5);
  });

  it.each([
    [null, null],
    ['2026-11-21T09:00:00Z', null],
    ['15m', '2026-11-21T09:00:00Z'],
  ])('does not slide from %s to %s', (from, to) => {
    expect(sliding(from, to).after(100_000)).toBe(0);
  });
});
