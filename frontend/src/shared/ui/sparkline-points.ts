/** In the units of the viewBox, which are pixels. */
export const SPARKLINE_WIDTH = 64;
export const SPARKLINE_HEIGHT = 18;
/** So that the line is not cut off at the edges. */
const INSET = 1;

/** The points of each unbroken part of a sparkline. A single value becomes a dot. */
export function sparklineParts(values: readonly (number | null)[]): string[] {
  const highest = Math.max(...values.map((value) => value ?? 0), 0) || 1;
  const step = (SPARKLINE_WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const parts: string[][] = [];
  let part: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) {
      part = [];
      continue;
    }
    if (part.length === 0) parts.push(part);
    const y = SPARKLINE_HEIGHT - INSET - (value / highest) * (SPARKLINE_HEIGHT - 2 * INSET);
    part.push(`${(INSET + index * step).toFixed(1)},${y.toFixed(1)}`);
  }
  return parts.map((points) => (points.length === 1 ? [...points, ...points] : points).join(' '));
}
