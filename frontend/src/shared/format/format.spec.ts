import { describe, expect, it } from '@jest/globals';
import {
  asSentence,
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatList,
  formatMoment,
  formatPercent,
  formatRate,
  plural,
  shortenIds,
} from './format';

const NOW = new Date(2026, 10, 21, 14, 30, 0).getTime();

describe('format', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [704_716_800, '705 MB'],
    [999_960, '1.0 MB'],
    [25_276_510_208, '25.3 GB'],
    [-5, '0 B'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('writes %p bytes as %p', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('shortens only ids of 64 hex digits to 12', () => {
    const id = '0123456789abcdef'.repeat(4);
    expect(shortenIds(`2 volumes: ${id}, ${id}`)).toBe('2 volumes: 0123456789ab, 0123456789ab');
    expect(shortenIds(`1 volume: ${id}0, staging-data`)).toBe(`1 volume: ${id}0, staging-data`);
  });

  it('formats rates per second', () => {
    expect(formatRate(1500)).toBe('1.5 kB/s');
    expect(formatRate(null)).toBe('–');
  });

  it.each([
    [0, '0 %'],
    [0.4, '<1 %'],
    [99.99, '99 %'],
    [100, '100 %'],
    [undefined, '–'],
  ])('never rounds a share up: %p is %p', (percent, text) => {
    expect(formatPercent(percent)).toBe(text);
  });

  it.each([
    [400, '0.4 s'],
    [9_940, '9.9 s'],
    [9_960, '9 s'],
    [61_000, '1 min 1 s'],
    [599_000, '9 min 59 s'],
    [1_800_000, '30 min'],
    [3_660_000, '1 h 1 min'],
    [273_600_000, '3 d 4 h'],
    [null, '–'],
  ])('writes %p ms as %p', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('formats elapsed time in whole seconds, never negative', () => {
    expect(formatElapsed(4900)).toBe('4 s');
    expect(formatElapsed(-4900)).toBe('0 s');
  });

  it.each([
    [500, 'just now'],
    [12_000, '12 s ago'],
    [250_000, '4 min ago'],
    [7_200_000, 'at 12:30'],
    [86_400_000, 'yesterday at 14:30'],
  ])('says %p ms in the past as %p', (elapsed, text) => {
    expect(formatAgo(NOW - elapsed, NOW)).toBe(text);
  });

  it('formats dates, with the year unless it is the current one', () => {
    expect(formatMoment(new Date(2026, 10, 9, 8, 0), NOW)).toBe('9 Nov');
    expect(formatMoment(new Date(2025, 0, 31, 8, 0), NOW)).toBe('31 Jan 2025');
    expect(formatMoment('no time', NOW)).toBe('–');
  });

  it('formats counts and lists', () => {
    const workers = (n: string): { one: string; other: string } => ({
      one: `${n} worker`,
      other: `${n} workers`,
    });
    expect(plural(1, workers)).toBe('1 worker');
    expect(plural(0, workers)).toBe('0 workers');
    expect(plural(1_234_567, workers)).toBe('1,234,567 workers');
    expect(formatCount(999)).toBe('999');
    expect(formatList([])).toBe('');
    expect(formatList(['a'])).toBe('a');
    expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c');
    expect(formatList(['a', 'b', 'c'], 'disjunction')).toBe('a, b, or c');
  });

  it('formats a reason as a sentence', () => {
    expect(asSentence('kind failed with exit status 1')).toBe('Kind failed with exit status 1.');
    expect(asSentence('It stopped.')).toBe('It stopped.');
    expect(asSentence('staging-worker is not running')).toBe('staging-worker is not running.');
  });
});
