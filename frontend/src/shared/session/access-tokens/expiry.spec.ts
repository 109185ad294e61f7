import { describe, expect, it } from '@jest/globals';
import { expiresAt, firstDate, lastDate } from './expiry';

/** Local time, in any time zone. */
const NOW = new Date(2026, 10, 22, 9, 30).getTime();

describe('expiresAt', () => {
  it('counts days from now', () => {
    expect(expiresAt('30', '', NOW)).toBe(new Date(NOW + 30 * 24 * 3600_000).toISOString());
  });

  it('ends with the chosen day', () => {
    expect(expiresAt('date', '2026-12-24', NOW)).toBe(new Date(2026, 11, 24, 23, 59, 59).toISOString());
  });

  it.each(['', '2026-11-21', '2027-11-23', 'x'])('rejects the date %j', (date) => {
    expect(expiresAt('date', date, NOW)).toBeNull();
  });

  it('offers tomorrow as the first date, and the day in a year as the last', () => {
    expect([firstDate(NOW), lastDate(NOW)]).toEqual(['2026-11-23', '2027-11-22']);
    expect(expiresAt('date', lastDate(NOW), NOW)).not.toBeNull();
  });
});
