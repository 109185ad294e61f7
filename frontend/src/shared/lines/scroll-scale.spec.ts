import { describe, expect, it } from '@jest/globals';
import { HIGHEST_SPACER, ScrollScale } from './scroll-scale';

const MILLION = new ScrollScale(1_000_000, 22, 800);

/** Deterministic pseudo-random numbers. */
function* numbers(below: number): Generator<number> {
  let seed = 11;
  for (let count = 0; count < 1000; count += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    yield seed % below;
  }
}

describe('ScrollScale', () => {
  it('equals pixels for short lists', () => {
    const scale = new ScrollScale(1000, 22, 800);
    expect(scale.spacer).toBe(22_000);
    expect(scale.placeOfTop(2210)).toEqual({ index: 100, offset: 10 });
    expect(scale.topOf({ index: 100, offset: 10 })).toBe(2210);
    expect(scale.placeAfter({ index: 0, offset: 0 }, 0, 2210)).toEqual({ index: 100, offset: 10 });
  });

  it('limits the height of the element', () => {
    expect(MILLION.spacer).toBe(HIGHEST_SPACER);
    expect(MILLION.topOf({ index: 999_999, offset: 0 })).toBe(HIGHEST_SPACER - 800);
  });

  it('can show every row of a million', () => {
    for (const index of numbers(999_950)) {
      expect(MILLION.placeOfTop(MILLION.topOf({ index, offset: 0 })).index).toBeCloseTo(index, -0.5);
      expect(MILLION.placeAt(MILLION.pixels({ index, offset: 0 }))).toEqual({ index, offset: 0 });
    }
  });

  it('scrolls a scaled list by pixels for wheel steps, and by share for drags', () => {
    const place = { index: 500_000, offset: 0 };
    const top = MILLION.topOf(place);
    expect(MILLION.placeAfter(place, top, top + 100)).toEqual({ index: 500_004, offset: 12 });
    expect(MILLION.placeAfter(place, top, top - 22)).toEqual({ index: 499_999, offset: 0 });
    expect(MILLION.placeAfter(place, top, 0)).toEqual({ index: 0, offset: 0 });
    const quarter = MILLION.placeAfter(place, top, MILLION.farthestTop / 4);
    expect(quarter.index).toBe(249_990);
  });

  it('ends with the last row at the lower edge', () => {
    const { index, offset } = MILLION.placeOfTop(MILLION.farthestTop);
    expect(index * 22 + offset + 800).toBe(22_000_000);
    expect(MILLION.placeAt(Infinity)).toEqual({ index, offset });
  });

  it('does not scroll if all rows are visible', () => {
    const few = new ScrollScale(3, 22, 800);
    expect(few.farthest).toBe(0);
    expect(few.placeOfTop(40)).toEqual({ index: 0, offset: 0 });
    expect(new ScrollScale(0, 22, 800).placeAt(10)).toEqual({ index: 0, offset: 0 });
  });
});
