import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fullTime, lineDay, lineTime } from './line-time';

/** 2026-11-21 23:30:07.482113 UTC, in microseconds. */
const TIME = Date.UTC(2026, 10, 21, 23, 30, 7, 482) * 1000 + 113;

/** Simulates a time zone by its offset in minutes: the process reads its own only once. */
function standIn(minutes: number): void {
  const here = (date: Date): Date => new Date(date.getTime() + minutes * 60_000);
  jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-minutes);
  jest.spyOn(Date.prototype, 'getHours').mockImplementation(function (this: Date) {
    return here(this).getUTCHours();
  });
  jest.spyOn(Date.prototype, 'getMinutes').mockImplementation(function (this: Date) {
    return here(this).getUTCMinutes();
  });
}

const KOLKATA = 330;
const ST_JOHNS = -210;

describe('line time', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is local with milliseconds', () => {
    standIn(KOLKATA);
    expect(lineTime(TIME, 'local', 0)).toBe('05:00:07.482');
    expect(lineTime(TIME, 'utc', 0)).toBe('23:30:07.482');
    jest.restoreAllMocks();
    standIn(ST_JOHNS);
    expect(lineTime(TIME, 'local', 0)).toBe('20:00:07.482');
  });

  it('is relative', () => {
    const at = TIME / 1000;
    expect(lineTime(TIME, 'relative', at + 90_000)).toBe('1 min ago');
    expect(lineTime(TIME, 'relative', at + 9 * 86_400_000)).toMatch(/^2[12] Nov/);
  });

  it('is complete with time zone and microseconds', () => {
    standIn(KOLKATA);
    expect(fullTime(TIME, false)).toBe('2026-11-22 05:00:07.482113 +05:30');
    expect(fullTime(TIME, true)).toBe('2026-11-21 23:30:07.482113 UTC');
    jest.restoreAllMocks();
    standIn(ST_JOHNS);
    expect(fullTime(TIME, false)).toBe('2026-11-21 20:00:07.482113 -03:30');
    expect(fullTime(TIME - 112, true)).toBe('2026-11-21 23:30:07.482001 UTC');
  });

  it('has the date of its time zone', () => {
    standIn(KOLKATA);
    expect([lineDay(TIME, 'local'), lineDay(TIME, 'utc'), lineDay(TIME, 'relative')]).toEqual([
      '2026-11-22',
      '2026-11-21',
      '2026-11-22',
    ]);
  });
});
