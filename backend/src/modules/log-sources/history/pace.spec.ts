import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.js';

describe('the pace of what is written', () => {
  it.each([10, 100, 500])('is told in bytes a second, written each %d ms', (every) => {
    const pace = new Pace();
    for (let now = 0; now <= 10_000; now += every) pace.note(every * 1000, now);
    const perSecond = pace.perSecond(10_000 + every / 2);
    expect(perSecond).toBeGreaterThan(950_000);
    expect(perSecond).toBeLessThan(1_050_000);
  });

  it('is soon nothing where nothing more is written', () => {
    const pace = new Pace();
    expect(pace.perSecond(5)).toBe(0);
    pace.note(50_000_000, 0);
    expect(pace.perSecond(1000)).toBeGreaterThan(10_000_000);
    expect(pace.perSecond(5000)).toBeLessThan(500_000);
  });
});
