import type { Manifest } from '../../resources/index.js';

/** Kinds that other objects depend on, in order. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

export function applyOrder(manifests: readonly Manifest[]): Manifest[] {
  return manifests.toSorted((one, other) => rank(one) - rank(other));
}

/** A note if the order differs from that of the request. */
export function orderNote(sent: readonly Manifest[], ordered: readonly Manifest[]): string | null {
  if (sent.every((manifest, index) => manifest === ordered[index])) return null;
  return 'Namespaces and CRDs are applied first, because other documents depend on them.';
}

function rank({ object: { kind } }: Manifest): number {
  const place = FIRST.indexOf(kind);
  return place === -1 ? FIRST.length : place;
}
