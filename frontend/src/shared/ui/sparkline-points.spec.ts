import { describe, expect, it } from '@jest/globals';
import { sparklinePath } from './sparkline-points';

describe('sparklinePath', () => {
  it('draws from 0 to the highest value, with a gap for each unknown value', () => {
    expect(sparklinePath([0, 50, null, 100, 100])).toBe('M1.0,17.0L16.5,9.0M47.5,1.0L63.0,1.0');
  });

  it('draws a dot for a value between gaps, a flat line for zeros, and nothing for a single value', () => {
    expect(sparklinePath([4, null, 8])).toBe('M1.0,9.0h0M63.0,1.0h0');
    expect(sparklinePath([0, 0])).toBe('M1.0,17.0L63.0,17.0');
    expect(sparklinePath([null, 5])).toBe('');
  });
});
