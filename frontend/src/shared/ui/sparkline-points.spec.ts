import { describe, expect, it } from '@jest/globals';
import { sparklinePath } from './sparkline-points';

describe('sparklinePath', () => {
  it('draws from 0 to the highest value, with a gap for each unknown value', () => {
    const path = sparklinePath([0, 50, 50, 50, null, 100, 100, 100, 100]);
    expect(path).toBe('M1.0,17.0L8.8,9.0L16.5,9.0L24.3,9.0M39.8,1.0L47.5,1.0L55.3,1.0L63.0,1.0');
  });

  it('draws at most 40 points, averages of neighbors', () => {
    const path = sparklinePath(Array.from({ length: 120 }, (_, index) => (index < 60 ? null : index % 3)));
    expect(path).toBe(sparklinePath(Array.from({ length: 40 }, (_, index) => (index < 20 ? null : 1))));
    expect(path.split('L')).toHaveLength(20);
    const uneven = sparklinePath(Array.from({ length: 119 }, (_, index) => (index < 2 ? 9 : 3)));
    expect(uneven).toMatch(/^M1\.0,1\.0L2\.6,11\.7L/);
  });

  it('draws a flat line for zeros, no dot for a value between gaps, and nothing for fewer than 8 values', () => {
    expect(sparklinePath(Array(8).fill(0) as number[])).toMatch(/^M1\.0,17\.0L.*L63\.0,17\.0$/);
    expect(sparklinePath([5, null, ...(Array(7).fill(0) as number[])])).toMatch(/^M16\.5,17\.0L/);
    expect(sparklinePath([null, 5, 5, 5, 5, 5, 5, 5])).toBe('');
  });
});
