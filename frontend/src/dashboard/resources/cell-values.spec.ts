import { describe, expect, it } from '@jest/globals';
import { type Cell, compareKeys, shortAge, sortKeyOf } from './cell-values';

/** Cells in table order. */
function inOrder(cells: Cell[], reversed = false): Cell[] {
  return [...cells].sort((one, other) => compareKeys(sortKeyOf(one), sortKeyOf(other), reversed));
}

describe('sortKeyOf and compareKeys', () => {
  it.each<[string, Cell[]]>([
    ['ages', ['45s', '12m', '5h', '2d3h', '10d', '1y10d']],
    ['ready shares, lowest first', ['0/1', '1/3', '1/2', '9/10', '2/2', '10/10']],
    ['quantities', ['1', '2k', '900Ki', '20Mi', '1Gi', '1Ti']],
    ['restarts', ['0', '2 (5h ago)', '10 (3m ago)']],
    ['percentages of targets', ['3%/80%', 'cpu: 41%/80%', '120%/80%']],
    ['names with figures', ['web-1', 'web-2', 'web-10', 'worker']],
    ['addresses', ['10.244.0.9', '10.244.0.10', '10.244.1.2']],
    ['numbers', [0, 3, 12]],
  ])('sorts %s', (_what, cells) => {
    expect(inOrder([...cells].reverse())).toEqual(cells);
    expect(inOrder(cells, true)).toEqual([...cells].reverse());
  });

  it('sorts missing values last in both directions', () => {
    expect(inOrder(['<none>', 'b', null, 'a'])).toEqual(['a', 'b', '<none>', null]);
    expect(inOrder(['<none>', 'a', 'b'], true)).toEqual(['b', 'a', '<none>']);
  });
});

describe('shortAge', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');

  it.each([
    ['2026-11-22T11:58:30Z', '90s'],
    ['2026-11-22T11:30:00Z', '30m'],
    ['2026-11-22T06:00:00Z', '6h'],
    ['2026-11-12T12:00:00Z', '10d'],
    ['2023-11-22T12:00:00Z', '3y'],
    // Clocks of other machines may be ahead.
    ['2026-11-22T12:00:09Z', '0s'],
  ])('shows %s as %s', (time, age) => {
    expect(shortAge(time, now)).toBe(age);
  });

  it('shows a dash for a missing time', () => {
    expect(shortAge(null, now)).toBe('–');
  });
});
