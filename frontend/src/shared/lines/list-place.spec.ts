import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { ListPlace } from './list-place';
import type { RowSource } from './row-source';

const ROW = 20;
const ROWS = 5000;

function makePlace({
  most,
  wrapped = false,
  average = ROW,
}: Record<string, number | boolean | undefined>): ListPlace {
  const rows: RowSource = {
    first: 1,
    end: ROWS + 1,
    arrived: 0,
    version: signal(0),
    row: () => undefined,
    want: () => undefined,
  };
  return new ListPlace(
    signal(rows),
    signal(Number(average)),
    signal(ROW),
    signal(wrapped === true),
    signal(Number(most)),
  );
}

describe('ListPlace', () => {
  for (const wrapped of [false, true]) {
    for (const average of wrapped ? [ROW, 3 * ROW] : [ROW]) {
      it(`renders all visible rows within the limit, ${average} px each${wrapped ? ', wrapped' : ''}`, () => {
        for (let most = 20; most <= 190; most += 17) {
          const place = makePlace({ most, wrapped, average });
          for (const height of [100, 380, 700, 1900, 3800, 9000]) {
            place.height.set(Math.min(height, place.tallest()));
            const seen = Math.ceil(place.height() / ROW) + 1;
            const places = [1, 2, 40, 2500.5, ROWS - 300].map((at) => ({
              at: Math.floor(at),
              offset: (at % 1) * ROW,
            }));
            for (const position of [null, ...places]) {
              if (position) place.set(position);
              else place.pin();
              const { from, to } = place.range();
              const { at } = place.top();
              expect(to - from).toBeLessThanOrEqual(most);
              // At the end, the minimum; only the browser knows the heights of wrapped rows.
              if (position === null) expect([to, from <= ROWS + 1 - seen + 1]).toEqual([ROWS + 1, true]);
              else expect([from <= at, to >= at + seen]).toEqual([true, true]);
            }
          }
        }
      });
    }
  }

  it('limits the rows even if the page is higher', () => {
    const place = makePlace({ most: 50 });
    place.height.set(4000);
    expect([place.range(), place.tallest()]).toEqual([{ from: ROWS - 49, to: ROWS + 1 }, 49 * ROW]);
    place.set({ at: 100, offset: 0 });
    expect(place.range()).toEqual({ from: 100, to: 150 });
  });
});
