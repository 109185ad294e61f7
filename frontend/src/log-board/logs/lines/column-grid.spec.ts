import { describe, expect, it } from '@jest/globals';
import { columnLines } from './column-grid';

const SMALL = 20;
const LARGE = 26;

describe('the lines of columns', () => {
  it('is one as long as the rows of all of them fill the page', () => {
    expect(columnLines(2, 800, SMALL)).toBe(1);
    expect(columnLines(4, 800, SMALL)).toBe(1);
    expect(columnLines(3, 1250, SMALL)).toBe(1);
    expect(columnLines(2, 2000, SMALL)).toBe(1);
    expect(columnLines(4, 1250, LARGE)).toBe(1);
  });

  it('is one as well where a row or two are short', () => {
    expect(columnLines(4, 30 + 49 * SMALL + 2 * SMALL, SMALL)).toBe(1);
    expect(columnLines(4, 30 + 49 * SMALL + 3 * SMALL, SMALL)).toBe(2);
  });

  it('is two, or one each, where fewer leave a part of the page without rows', () => {
    expect(columnLines(4, 1250, SMALL)).toBe(2);
    expect(columnLines(4, 2000, SMALL)).toBe(2);
    expect(columnLines(3, 2000, SMALL)).toBe(2);
    expect(columnLines(2, 3600, SMALL)).toBe(2);
    expect(columnLines(3, 3600, SMALL)).toBe(3);
    // Three lines of four would be two and one and one.
    expect(columnLines(4, 2800, SMALL)).toBe(4);
    expect(columnLines(4, 20_000, SMALL)).toBe(4);
  });
});
