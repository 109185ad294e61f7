import { describe, expect, it } from '@jest/globals';
import type { HistogramDto } from '../api/api-types';
import { TimeScale } from './time-scale';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function text(micros: number): string {
  const millis = Math.floor(micros / 1000);
  return new Date(millis).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`);
}

/** @param width of each bucket, in microseconds */
function scale(from: string, width: number, { count = 90, today = '2026-11-23' } = {}): TimeScale {
  const begin = Date.parse(from) * 1000;
  const time = (index: number): string => text(begin + index * width);
  const buckets = Array.from({ length: count }, (_, index) => ({ time: time(index), total: 0, levels: {} }));
  const histogram: HistogramDto = {
    from: time(0),
    to: time(count),
    bucket_seconds: width / SECOND,
    buckets,
    reason: 'complete',
  };
  return new TimeScale(histogram, 'utc', today);
}

describe('TimeScale ticks', () => {
  it.each([
    ['some hours of a day', '2026-11-23T09:00:00Z', (3 * HOUR) / 90, /^\d\d:\d\d$/, '09:00', '11:58'],
    ['ninety seconds', '2026-11-23T15:29:01Z', SECOND, /^\d\d:\d\d:\d\d$/, '15:29:01', '15:30:30'],
    ['three seconds', '2026-11-23T15:29:01Z', 33_334, /^15:29:0\d\.\d{3}$/, '15:29:01.000', '15:29:03.966'],
    ['a moment', '2026-11-23T15:29:01Z', 30, /^15:29:01\.00\d{4}$/, '15:29:01.000000', '15:29:01.002670'],
    [
      'hours over midnight',
      '2026-11-22T23:00:00Z',
      (3 * HOUR) / 90,
      /^2[23] Nov \d\d:\d\d$/,
      '22 Nov 23:00',
      '23 Nov 01:58',
    ],
    [
      'a minute over midnight',
      '2026-11-22T23:59:15Z',
      SECOND,
      /Nov \d\d:\d\d:\d\d$/,
      '22 Nov 23:59:15',
      '23 Nov 00:00:44',
    ],
    [
      'a week',
      '2026-11-16T15:37:00Z',
      (7 * DAY) / 90,
      /^\d\d Nov \d\d:\d\d$/,
      '16 Nov 15:37',
      '23 Nov 13:45',
    ],
    ['weeks', '2026-10-25T15:37:00Z', (28 * DAY) / 90, /^\d\d? (Oct|Nov)$/, '25 Oct', '22 Nov'],
    [
      'weeks of two years',
      '2025-12-20T00:00:00Z',
      (28 * DAY) / 90,
      /^\d\d? \w{3} \d{4}$/,
      '20 Dec 2025',
      '16 Jan 2026',
    ],
  ])('tells the moments of %s from each other', (_span, from, width, form, first, last) => {
    const ticks = scale(from, width).ticks();
    expect(ticks).toHaveLength(7);
    for (const mark of ticks) expect(mark).toMatch(form);
    expect([ticks[0], ticks[6]]).toEqual([first, last]);
    expect(new Set(ticks).size).toBe(7);
  });

  it('labels each of a few bars once', () => {
    expect(scale('2026-11-23T09:00:00Z', HOUR, { count: 1 }).ticks()).toEqual(['09:00']);
    expect(scale('2026-11-23T09:00:00Z', MINUTE, { count: 3 }).ticks()).toEqual(['09:00', '09:01', '09:02']);
    expect(scale('2026-11-23T09:00:00Z', MINUTE, { count: 6 }).ticks()).toHaveLength(4);
    expect(scale('2026-11-23T09:00:00Z', MINUTE, { count: 0 }).ticks()).toEqual([]);
  });
});

describe('TimeScale moment', () => {
  it('is a time of day only if all bars are of today', () => {
    const today = scale('2026-11-23T09:00:00Z', MINUTE);
    expect([today.moment('2026-11-23T09:03:00.000000Z'), today.span()]).toEqual([
      '09:03:00',
      '09:00:00 to 10:30:00',
    ]);
    const before = scale('2026-11-22T09:00:00Z', MINUTE);
    expect([before.moment('2026-11-22T09:03:00.000000Z'), before.span()]).toEqual([
      '2026-11-22 09:03:00',
      '2026-11-22 09:00:00 to 10:30:00',
    ]);
    const week = scale('2026-11-16T15:37:00Z', (7 * DAY) / 90);
    expect([week.moment('2026-11-23T09:03:00.000000Z'), week.span()]).toEqual([
      '2026-11-23 09:03:00',
      '2026-11-16 15:37:00 to 2026-11-23 15:37:00',
    ]);
  });

  it('distinguishes adjacent buckets', () => {
    const seconds = scale('2026-11-23T15:29:01Z', 33_334);
    expect([seconds.moment('2026-11-23T15:29:01.033334Z'), seconds.span()]).toEqual([
      '15:29:01.033',
      '15:29:01.000 to 15:29:04.000',
    ]);
    expect(scale('2026-11-23T15:29:01Z', 30).moment('2026-11-23T15:29:01.000030Z')).toBe('15:29:01.000030');
  });
});
