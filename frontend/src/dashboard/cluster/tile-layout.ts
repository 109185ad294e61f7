import type { PlacedPodDto, ResourceHealth } from '../../shared/api/api-types';
import { HEALTH_ORDER } from '../resource-model/kind-labels';

/** A square of a Pod. In pixels, without the gap. */
export interface Tile {
  pod: PlacedPodDto;
  left: number;
  top: number;
  side: number;
}

export interface TileLayout {
  tiles: Tile[];
  /** Pods that have no room. */
  more: number;
}

const GAP = 1;
const LARGEST = 12;
/** Sizes are given up before squares become smaller than this. */
const READABLE = 6;
const SMALLEST = 4;
const MAX_SPAN = 4;
/** From here on, each factor of 4 is one size more. */
const SECOND_SIZE_BYTES = 128 * 2 ** 20;

/** 1 to 4, by the memory request: 128 MiB, 512 MiB and 2 GiB begin the next size. */
export function spanOf(bytes: number | null): number {
  if (!bytes || bytes < SECOND_SIZE_BYTES) return 1;
  return Math.min(MAX_SPAN, 2 + Math.floor(Math.log(bytes / SECOND_SIZE_BYTES) / Math.log(4)));
}

/** The worst first, then the largest. */
export function inTileOrder(pods: readonly PlacedPodDto[]): PlacedPodDto[] {
  const rank = (health: ResourceHealth): number => HEALTH_ORDER.indexOf(health);
  return pods.toSorted(
    (one, other) =>
      rank(one.health) - rank(other.health) ||
      spanOf(other.memory_request_bytes) - spanOf(one.memory_request_bytes),
  );
}

/** Places the Pods of a node in a box, column by column, as large as they fit. */
export function layTiles(pods: readonly PlacedPodDto[], width: number, height: number): TileLayout {
  const ordered = inTileOrder(pods);
  for (const [cap, smallest] of [
    [MAX_SPAN, READABLE],
    [2, READABLE],
    [1, SMALLEST],
  ] as const) {
    const spans = ordered.map((pod) => Math.min(cap, spanOf(pod.memory_request_bytes)));
    const cells = spans.reduce((sum, span) => sum + span ** 2, 0);
    // A larger unit cannot fit: it would need more than the area of the box.
    const limit = Math.floor(Math.sqrt((width * height) / Math.max(1, cells)));
    for (let unit = Math.min(LARGEST, limit); unit >= smallest; unit -= 1) {
      const tiles = place(ordered, spans, { unit, columns: floor(width, unit), rows: floor(height, unit) });
      if (tiles.length === pods.length) return { tiles, more: 0 };
    }
  }
  const grid = { unit: SMALLEST, columns: floor(width, SMALLEST), rows: floor(height, SMALLEST) };
  const tiles = place(
    ordered,
    ordered.map(() => 1),
    grid,
  );
  return { tiles, more: pods.length - tiles.length };
}

/** Gaps are between cells only. */
function floor(length: number, unit: number): number {
  return Math.max(0, Math.floor((length + GAP) / unit));
}

/** Each into the first free cells. Ends at the first that has no room. */
function place(
  pods: readonly PlacedPodDto[],
  spans: readonly number[],
  { unit, columns, rows }: { unit: number; columns: number; rows: number },
): Tile[] {
  const used = new Uint8Array(columns * rows);
  const tiles: Tile[] = [];
  /** Where the search for squares of a size begins: all cells before are used, or too narrow for it. */
  const begins = new Map<number, number>();
  for (const [index, pod] of pods.entries()) {
    const span = spans[index] ?? 1;
    const at = freeCell(used, { span, columns, rows, from: begins.get(span) ?? 0 });
    if (at === undefined) break;
    begins.set(span, at + 1);
    const [column, row] = [Math.floor(at / rows), at % rows];
    for (let x = column; x < column + span; x += 1) used.fill(1, x * rows + row, x * rows + row + span);
    tiles.push({ pod, left: column * unit, top: row * unit, side: span * unit - GAP });
  }
  return tiles;
}

function freeCell(
  used: Uint8Array,
  { span, columns, rows, from }: { span: number; columns: number; rows: number; from: number },
): number | undefined {
  for (let cell = from; cell < used.length; cell += 1) {
    const [column, row] = [Math.floor(cell / rows), cell % rows];
    if (column + span > columns) return undefined;
    if (row + span > rows) continue;
    let isFree = true;
    for (let x = column; isFree && x < column + span; x += 1) {
      for (let y = row; isFree && y < row + span; y += 1) isFree = used[x * rows + y] === 0;
    }
    if (isFree) return cell;
  }
  return undefined;
}

/** The tile that an arrow leads to: the nearest one in that direction. */
export function tileBeside(tiles: readonly Tile[], index: number, key: string): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return tiles.length - 1;
  const from = tiles[index];
  const [x, y] = DIRECTIONS[key] ?? [0, 0];
  if (!from || (x === 0 && y === 0)) return undefined;
  let best = index;
  let least = Infinity;
  for (const [at, to] of tiles.entries()) {
    const along =
      x * (center(to, 'left') - center(from, 'left')) + y * (center(to, 'top') - center(from, 'top'));
    const across =
      y === 0 ? center(to, 'top') - center(from, 'top') : center(to, 'left') - center(from, 'left');
    // Only what begins behind the edge, so that a step back leads to where the step came from or near it.
    const reach = (from.side + to.side) / 2;
    const distance = along + 2 * Math.abs(across);
    if (along >= reach && distance < least) [best, least] = [at, distance];
  }
  return best;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

function center(tile: Tile, edge: 'left' | 'top'): number {
  return tile[edge] + tile.side / 2;
}
