import { describe, expect, it } from '@jest/globals';
import { seenText } from './object-events';

describe('seenText', () => {
  it.each([
    ['56s (x5 over 3m38s)', 5, '5 times over 3m38s, 56s ago'],
    ['56s (x1 over 3m38s)', 1, '1 time over 3m38s, 56s ago'],
    ['56s', 1, '56s ago'],
    ['56s', 3, '3 times, 56s ago'],
    ['<unknown>', 1, '<unknown>'],
  ])('shows %s with the count %i as %s', (printed, count, text) => {
    expect(seenText(printed, count)).toBe(text);
  });
});
