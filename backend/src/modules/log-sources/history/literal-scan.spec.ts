import { describe, expect, it } from '@jest/globals';
import { LiteralScan } from './literal-scan.js';

/** Where texts are found; after each, from `step` bytes on. */
function placesOf(
  needles: readonly string[],
  text: Buffer,
  { matchCase = true, step = 1, from = 0, to = text.length } = {},
): number[] {
  const scan = LiteralScan.of(
    needles.map((needle) => Buffer.from(needle)),
    matchCase,
  );
  if (!scan) throw new Error('this machine has no instructions for it');
  const found: number[] = [];
  scan.each(text, from, to, (at) => {
    found.push(at);
    return at + step;
  });
  return found;
}

function expectedOf(needles: readonly string[], text: Buffer, from = 0, to = text.length): number[] {
  const found = new Set<number>();
  for (const needle of needles.map((each) => Buffer.from(each))) {
    for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1)) {
      if (at + needle.length <= to) found.add(at);
    }
  }
  return [...found].sort((one, other) => one - other);
}

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a scan for texts', () => {
  it('finds each place of each text, wherever it begins and ends', () => {
    const next = numbers(7);
    // Few letters, so that there is much that nearly matches.
    const text = Buffer.from(Array.from({ length: 3000 }, () => 'abß\n'[next(4)]).join(''));
    for (let round = 0; round < 300; round += 1) {
      const needles = Array.from({ length: 1 + next(4) }, () => {
        const begin = next(text.length - 20);
        return text.toString('latin1', begin, begin + 1 + next(6));
      }).map((latin1) => Buffer.from(latin1, 'latin1').toString('utf8'));
      const from = next(100);
      const to = text.length - next(100);
      expect(placesOf(needles, text, { from, to })).toEqual(expectedOf(needles, text, from, to));
    }
  });

  it('finds what lies across the pieces that it takes', () => {
    const text = Buffer.alloc(300_000, '.');
    const places = [0, 65_530, 131_060, 196_599, 262_143, 299_993];
    for (const at of places) text.write('needle!', at);
    expect(placesOf(['needle!', 'none'], text)).toEqual(places);
    expect(placesOf(['needle!', 'eed'], text, { step: 7 })).toEqual(places);
    expect(placesOf(['needle!'], text, { to: 299_999 })).toEqual(places.slice(0, -1));
    expect(placesOf(['needle!'], text, { step: 70_000 })).toEqual([0, 131_060, 262_143]);
    expect(placesOf(['needle!'], text, { step: Infinity })).toEqual([0]);
    expect(placesOf(['needle!'], Buffer.alloc(0))).toEqual([]);
  });

  it('takes letters of ASCII in either case, and nothing else', () => {
    const text = Buffer.from('Key key KEY \u212Aey @ey `ey [x] {x} \u00C9 \u00E9');
    expect(placesOf(['kEy'], text, { matchCase: false })).toEqual([0, 4, 8]);
    expect(placesOf(['kEy'], text)).toEqual([]);
    expect(placesOf(['@EY'], text, { matchCase: false })).toEqual([text.indexOf('@ey')]);
    expect(placesOf(['[X]'], text, { matchCase: false })).toEqual([text.indexOf('[x]')]);
    expect(placesOf(['\u00E9'], text, { matchCase: false })).toEqual([text.length - 2]);
  });

  it('leaves to others what it is not made for', () => {
    const sizes = (...all: number[]): Buffer[] => all.map((size) => Buffer.alloc(size, 'a'));
    expect(LiteralScan.of([], true)).toBeUndefined();
    expect(LiteralScan.of(sizes(0), true)).toBeUndefined();
    expect(LiteralScan.of(sizes(1, 2, 3, 4, 5), true)).toBeUndefined();
    expect(LiteralScan.of(sizes(257), true)).toBeUndefined();
    const longest = 'x'.repeat(255);
    expect(placesOf([`${longest}y`], Buffer.from(`${longest}${longest}y`))).toEqual([255]);
  });
});
