import { describe, expect, it } from '@jest/globals';
import { sparklinePath } from './sparkline-points';

describe('sparklinePath', () => {
  it('draws from 0 to the highest value, with a gap for each unknown value, and a dot between gaps', () => {
    expect(sparklinePath([0, 50, 100, null, 100, null, 50, 50, 0, 0])).toBe(
      'M1.0,17.0L7.9,9.0L14.8,1.0M28.6,1.0h0M42.3,9.0L49.2,9.0L56.1,17.0L63.0,17.0',
    );
  });

  it('draws a flat line for zeros, and nothing for fewer than 8 values', () => {
    expect(sparklinePath(Array.from({ length: 8 }, () => 0))).toMatch(/^M1\.0,17\.0L.*L63\.0,17\.0$/);
    expect(sparklinePath([null, 1, 2, 3, 4, 5, 6, 7])).toBe('');
  });
});
