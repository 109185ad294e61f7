import type { TreeRow } from '../../search-model/source-groups';

/**
 * The nearest remaining row of a removed row; below is preferred to above.
 * @param before the rows with the removed row
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
