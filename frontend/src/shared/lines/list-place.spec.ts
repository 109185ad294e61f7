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
    onShift: () => () => undefined,
  };
  return new ListPlace(
    signal(rows),
    signal(Number(average)),
    signal(ROW),
    signal(wrapped === true),
    signal(Number(most)),
  );
}

describe('the place of a list', () => {
  for (const wrapped of [false, true]) {
    for (const average of wrapped ? [ROW, 3 * ROW] : [ROW]) {
      it(`has all rows that may be seen in the page and never more than may be, ${average} px each${wrapped ? ', wrapped' : ''}`, () => {
        for (let most = 20; most <= 190; most += 17) {
          const place = makePlace({ most, wrapped, average });
          for (const height of [100, 380, 700, 1900, 3800, 9000]) {
            place.height.set(Math.min(height, place.tallest()));
            const seen = Math.ceil(place.height() / ROW) + 1;
            const stands = [1, 2, 40, 2500.5, ROWS - 300].map((at) => ({
              at: Math.floor(at),
              offset: (at % 1) * ROW,
            }));
            for (const stand of [null, ...stands]) {
              if (stand) place.stand(stand);
              else place.pin();
              const { from, to } = place.range();
              const { at } = place.top();
              expect(to - from).toBeLessThanOrEqual(most);
              // Those of the end are as few as fit, which only the page knows of wrapped ones.
              if (stand === null) expect([to, from <= ROWS + 1 - seen + 1]).toEqual([ROWS + 1, true]);
              else expect([from <= at, to >= at + seen]).toEqual([true, true]);
            }
          }
        }
      });
    }
  }

  it('is bound before the page is as low as it may be', () => {
    const place = makePlace({ most: 50 });
    place.height.set(4000);
    expect([place.range(), place.tallest()]).toEqual([{ from: ROWS - 49, to: ROWS + 1 }, 49 * ROW]);
    place.stand({ at: 100, offset: 0 });
    expect(place.range()).toEqual({ from: 100, to: 150 });
  });
});
