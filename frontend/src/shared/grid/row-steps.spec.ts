import { describe, expect, it } from '@jest/globals';
import { rowAfter, rowsPerPage, topToShow } from './row-steps';

describe('rowAfter', () => {
  it('stays within the rows', () => {
    expect([rowAfter(3, 1, 5), rowAfter(3, 9, 5), rowAfter(3, -Infinity, 5)]).toEqual([4, 4, 0]);
    expect([rowAfter(-2, -9, 5, -4), rowAfter(-2, Infinity, 5, -4)]).toEqual([-4, 4]);
  });
});

describe('rowsPerPage', () => {
  it('keeps one row of the page in view, and moves by one row at least', () => {
    expect([rowsPerPage(100, 20), rowsPerPage(119, 20), rowsPerPage(10, 20)]).toEqual([4, 4, 1]);
  });
});

describe('topToShow', () => {
  it.each([
    ['above the view', 20, 20],
    ['partly above', 90, 90],
    ['inside', 120, 100],
    ['partly below', 190, 110],
    ['below', 400, 320],
  ])('scrolls no farther than needed to a row %s', (_where, top, expected) => {
    expect(topToShow({ top, height: 20 }, 100, 100)).toBe(expected);
  });
});
