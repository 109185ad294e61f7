import { describe, expect, it } from '@jest/globals';
import { gridRowsFor } from './column-grid';

const SMALL = 20;
const LARGE = 26;

describe('gridRowsFor', () => {
  it('uses one grid row while the rendered rows fill the page', () => {
    expect(gridRowsFor(2, 800, SMALL)).toBe(1);
    expect(gridRowsFor(4, 800, SMALL)).toBe(1);
    expect(gridRowsFor(3, 1250, SMALL)).toBe(1);
    expect(gridRowsFor(2, 2000, SMALL)).toBe(1);
    expect(gridRowsFor(4, 1250, LARGE)).toBe(1);
  });

  it('uses one grid row if only a row or two are missing', () => {
    expect(gridRowsFor(4, 30 + 49 * SMALL + 2 * SMALL, SMALL)).toBe(1);
    expect(gridRowsFor(4, 30 + 49 * SMALL + 3 * SMALL, SMALL)).toBe(2);
  });

  it('uses two grid rows, or one per column, to fill the page', () => {
    expect(gridRowsFor(4, 1250, SMALL)).toBe(2);
    expect(gridRowsFor(4, 2000, SMALL)).toBe(2);
    expect(gridRowsFor(3, 2000, SMALL)).toBe(2);
    expect(gridRowsFor(2, 3600, SMALL)).toBe(2);
    expect(gridRowsFor(3, 3600, SMALL)).toBe(3);
    // Three grid rows would have two, one and one of four columns.
    expect(gridRowsFor(4, 2800, SMALL)).toBe(4);
    expect(gridRowsFor(4, 20_000, SMALL)).toBe(4);
  });
});
