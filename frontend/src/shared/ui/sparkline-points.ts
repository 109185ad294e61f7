/** In the units of the viewBox, which are pixels. */
export const SPARKLINE_WIDTH = 64;
export const SPARKLINE_HEIGHT = 18;
/** So that the line is not cut off at the edges. */
const INSET = 1;

/** Fewer values are no trend, but dots and hairs. */
const FEWEST = 8;

/** The `d` of the path of a sparkline; empty for too few values. */
export function sparklinePath(values: readonly (number | null)[]): string {
  if (values.filter((value) => value !== null).length < FEWEST) return '';
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
    path += isAlone ? `M${point}h0` : `${points === 0 ? 'M' : 'L'}${point}`;
    points += 1;
  }
  return path;
}
