import { describe, expect, it } from '@jest/globals';
import { softLimit } from './local-process-runner.js';

describe('softLimit', () => {
  it.each([
    ['the requested limit below a higher hard limit', 'unlimited            4000000000           bytes', 3e9],
    ['the hard limit if it is lower', '1000000000           2000000000           bytes', 2e9],
    ['the requested limit without a hard limit', 'unlimited            unlimited            bytes', 3e9],
  ])('is %s', (_case, limits, expected) => {
    expect(
      softLimit(`Max file locks            1  1  locks\nMax address space         ${limits}\n`, 3e9),
    ).toBe(expected);
  });

  it('is the requested limit where the system has no such file', () => {
    expect(softLimit('', 3e9)).toBe(3e9);
  });
});
