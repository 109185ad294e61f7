import { describe, expect, it } from '@jest/globals';
import { sparklineParts } from './sparkline-points';

describe('sparklineParts', () => {
  it('draws from 0 to the highest value, with a gap for each unknown value', () => {
    expect(sparklineParts([0, 50, null, 100, 100])).toEqual(['1.0,17.0 16.5,9.0', '47.5,1.0 63.0,1.0']);
  });

  it('draws a dot for a single value and a flat line for zeros', () => {
    expect(sparklineParts([null, 5])).toEqual(['63.0,1.0 63.0,1.0']);
    expect(sparklineParts([0, 0])).toEqual(['1.0,17.0 63.0,17.0']);
    expect(sparklineParts([])).toEqual([]);
  });
});
