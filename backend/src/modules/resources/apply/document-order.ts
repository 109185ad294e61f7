import type { Manifest } from '../manifests/parse-manifests.js';

/** What others need before they can be there, in the order in which they need each other. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

/**
 * The order in which documents are applied: as they were sent, but namespaces and the definitions of kinds first,
 * since others are in the one and of the other.
 */
export function applyOrder(manifests: readonly Manifest[]): Manifest[] {
  return manifests.toSorted((one, other) => rank(one) - rank(other));
}

/** Said where documents are applied in another order than they were sent. */
export function orderNote(sent: readonly Manifest[], ordered: readonly Manifest[]): string | null {
  if (sent.every((manifest, index) => manifest === ordered[index])) return null;
  return 'Namespaces and definitions of kinds go first, whatever place they have in the text: others need them.';
}

function rank({ object: { kind } }: Manifest): number {
  const place = FIRST.indexOf(kind);
  return place === -1 ? FIRST.length : place;
}
