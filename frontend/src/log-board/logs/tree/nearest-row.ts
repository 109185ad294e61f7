import type { TreeRow } from './source-groups';

/**
 * The row next to one that is not there any more, out of those that are left: the one below it before the one above.
 * @param before the rows when it was there
 */
export function nearestRow(
  id: string | null,
  before: readonly TreeRow[],
  now: readonly TreeRow[],
): string | null {
  const left = new Set(now.map(({ node }) => node.id));
  const index = before.findIndex(({ node }) => node.id === id);
  if (index === -1) return now[0]?.node.id ?? null;
  for (let distance = 0; distance < before.length; distance += 1) {
    for (const row of [before[index + distance], before[index - distance]]) {
      if (row && left.has(row.node.id)) return row.node.id;
    }
  }
  return now[0]?.node.id ?? null;
}
