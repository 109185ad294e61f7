import type { NodeContainer } from '../../../drivers/runtime/index.js';

/**
 * The order in which nodes are started. Engines give out addresses in the order of starts: with several
 * control planes, whose etcd members know each other by address, the recorded addresses alone decide. With
 * one, which takes any address, it comes before its workers.
 */
export function startOrder(
  nodes: readonly NodeContainer[],
  recorded: Readonly<Record<string, string>>,
): NodeContainer[] {
  const rank = (node: NodeContainer): number =>
    hasSeveralControlPlanes(nodes) || node.role !== 'worker' ? 0 : 1;
  return [...nodes].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      addressNumber(recorded[one.name]) - addressNumber(recorded[other.name]) ||
      one.name.localeCompare(other.name, 'en', { numeric: true }),
  );
}

/** Groups that are stopped one after the other: who is served before who serves. */
export function stopOrder(nodes: readonly NodeContainer[]): NodeContainer[][] {
  return (['worker', 'control-plane', 'external-load-balancer'] as const)
    .map((role) => nodes.filter((node) => node.role === role))
    .filter((group) => group.length > 0);
}

export function hasSeveralControlPlanes(nodes: readonly NodeContainer[]): boolean {
  return nodes.filter(({ role }) => role === 'control-plane').length > 1;
}

/** Addresses of nodes as they are now; a node that does not run has none. */
export function addressesOf(nodes: readonly NodeContainer[]): Record<string, string> {
  return Object.fromEntries(
    nodes.flatMap(({ name, address }) => (address === null ? [] : [[name, address] as const])),
  );
}

/**
 * Control planes that are on other addresses than those by which their etcd's members know each other, and refuse
 * one that moved although Kubernetes calls all of them ready. A single one takes any.
 */
export function misplaced<TNode extends Pick<NodeContainer, 'name' | 'role' | 'address'>>(
  nodes: readonly TNode[],
  recorded: Readonly<Record<string, string>>,
): TNode[] {
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane');
  if (controlPlanes.length < 2) return [];
  return controlPlanes.filter(({ name, address }) => {
    const before = recorded[name] ?? '';
    return address !== null && before !== '' && before !== address;
  });
}

export function explainMisplaced(
  { name, address }: Pick<NodeContainer, 'name' | 'address'>,
  before: string,
): string {
  return `${name} came back on ${address} and was on ${before}, by which the other control planes’ etcd knows it`;
}

/** By its parts as numbers: .10 comes after .9. One that is not known comes last. */
function addressNumber(address: string | undefined): number {
  const parts = (address ?? '').split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part))) return 2 ** 32;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}
