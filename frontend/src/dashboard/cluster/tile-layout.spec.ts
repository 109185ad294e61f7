import { describe, expect, it } from '@jest/globals';
import type { PlacedPodDto } from '../../shared/api/api-types';
import { inTileOrder, layTiles, spanOf, type Tile, tileBeside } from './tile-layout';

const MI = 2 ** 20;

function pod(name: string, more: Partial<PlacedPodDto> = {}): PlacedPodDto {
  return {
    namespace: 'shop',
    name,
    node: 'worker',
    health: 'ok',
    status: 'Running',
    memory_request_bytes: 0,
    ...more,
  };
}

function pods(count: number, memory: (index: number) => number = () => 0): PlacedPodDto[] {
  return Array.from({ length: count }, (_, index) =>
    pod(`p${index}`, { memory_request_bytes: memory(index) * MI }),
  );
}

function expectInBox(tiles: readonly Tile[], width: number, height: number): void {
  const outside = tiles.filter(({ left, top, side }) => left + side > width || top + side > height);
  const overlapping = tiles.filter(({ left, top, side }, index) =>
    tiles
      .slice(index + 1)
      .some(
        (other) =>
          other.left < left + side &&
          left < other.left + other.side &&
          other.top < top + side &&
          top < other.top + other.side,
      ),
  );
  expect({ outside, overlapping }).toEqual({ outside: [], overlapping: [] });
}

describe('spanOf', () => {
  it.each([
    [null, 1],
    [0, 1],
    [127 * MI, 1],
    [128 * MI, 2],
    [512 * MI, 3],
    [2048 * MI, 4],
    [65_536 * MI, 4],
  ])('of %s bytes is %s', (bytes, span) => {
    expect(spanOf(bytes)).toBe(span);
  });
});

describe('inTileOrder', () => {
  it('puts the worst first, then the largest', () => {
    const given = [
      pod('small'),
      pod('large', { memory_request_bytes: 512 * MI }),
      pod('done', { health: 'ended' }),
      pod('broken', { health: 'failed' }),
      pod('starting', { health: 'progressing' }),
    ];
    expect(inTileOrder(given).map(({ name }) => name)).toEqual([
      'broken',
      'starting',
      'large',
      'small',
      'done',
    ]);
  });
});

describe('layTiles', () => {
  it.each([
    [1, 340, 40],
    [24, 340, 40],
    [110, 340, 40],
    [250, 420, 40],
  ])('places %s Pods in a box of %s × %s pixels, without overlaps', (count, width, height) => {
    const { tiles, more } = layTiles(
      pods(count, (index) => [0, 64, 128, 512][index % 4] ?? 0),
      width,
      height,
    );
    expect(more).toBe(0);
    expect(tiles).toHaveLength(count);
    expectInBox(tiles, width, height);
  });

  it('draws a higher request larger, while there is room', () => {
    const { tiles } = layTiles([pod('a', { memory_request_bytes: 512 * MI }), pod('b')], 340, 40);
    expect(tiles.map(({ side }) => side)).toEqual([35, 11]);
  });

  it('gives up sizes before 500 Pods become unreadable', () => {
    const { tiles, more } = layTiles(
      pods(500, () => 512),
      330,
      64,
    );
    expect(more).toBe(0);
    expect(new Set(tiles.map(({ side }) => side))).toEqual(new Set([5]));
    expectInBox(tiles, 330, 64);
  });

  it('counts the Pods without room, and shows the worst', () => {
    const given = [...pods(5000), pod('broken', { health: 'failed' })];
    const { tiles, more } = layTiles(given, 330, 40);
    expect(tiles[0]?.pod.name).toBe('broken');
    expect(tiles.length + more).toBe(5001);
    expect(more).toBeGreaterThan(0);
  });

  it('draws nothing in a box without room', () => {
    expect(layTiles(pods(3), 0, 40)).toEqual({ tiles: [], more: 3 });
  });
});

describe('tileBeside', () => {
  // Three rows of columns of 12 pixels: 0 1 2 | 3 4 5 | 6.
  const { tiles } = layTiles(pods(7), 340, 38);

  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowUp', 1, 0],
    ['ArrowUp', 0, 0],
    ['ArrowRight', 1, 4],
    ['ArrowLeft', 4, 1],
    ['ArrowLeft', 1, 1],
    ['Home', 5, 0],
    ['End', 0, 6],
    ['Tab', 0, undefined],
  ])('%s of tile %s leads to %s', (key, from, to) => {
    expect(tileBeside(tiles, from, key)).toBe(to);
  });
});
