/** In the units of the viewBox, which are pixels. */
export const SPARKLINE_WIDTH = 64;
export const SPARKLINE_HEIGHT = 18;
/** So that the line is not cut off at the edges. */
const INSET = 1;

/** More would be closer than a line is wide. */
const MOST = 40;
/** Fewer values are no trend. */
const FEWEST = 8;

/** Whether there are enough values for a line. */
export function isTrend(values: readonly (number | null)[]): boolean {
  return values.filter((value) => value !== null).length >= FEWEST;
}

/** The `d` of the path of a sparkline; empty for too few values. A value between gaps has no line. */
export function sparklinePath(all: readonly (number | null)[]): string {
  if (!isTrend(all)) return '';
  const values = merged(all, Math.ceil(all.length / MOST));
  const highest = Math.max(...values.map((value) => value ?? 0), 0) || 1;
  const step = (SPARKLINE_WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  // A large table draws many of these while it is scrolled: one text, and no more digits than pixels need.
  let path = '';
  let points = 0;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      points = 0;
      continue;
    }
    const y = SPARKLINE_HEIGHT - INSET - (value / highest) * (SPARKLINE_HEIGHT - 2 * INSET);
    const point = `${(INSET + index * step).toFixed(1)},${y.toFixed(1)}`;
    const isAlone = points === 0 && (values[index + 1] ?? null) === null;
    if (!isAlone) path += `${points === 0 ? 'M' : 'L'}${point}`;
    points += 1;
  }
  return path;
}

/** The averages of neighbors, the newest ones complete. */
function merged(values: readonly (number | null)[], size: number): readonly (number | null)[] {
  if (size === 1) return values;
  const first = values.length % size;
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => index * size);
  return starts.map((start) => {
    const offset = first === 0 ? 0 : size - first;
    const known = values
      .slice(Math.max(0, start - offset), start - offset + size)
      .filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
