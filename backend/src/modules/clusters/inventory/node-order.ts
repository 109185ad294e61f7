import type { NodeContainer } from '../../../drivers/runtime/index.js';

/**
 * The order in which to start nodes. Engines assign addresses in the order of starts. Several control planes need their
 * recorded addresses, because their etcd members know each other by address. A single control plane works with any
 * address and starts before its workers.
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

/** Groups of nodes to stop one after the other: clients before servers. */
export function stopOrder(nodes: readonly NodeContainer[]): NodeContainer[][] {
  return (['worker', 'control-plane', 'external-load-balancer'] as const)
    .map((role) => nodes.filter((node) => node.role === role))
    .filter((group) => group.length > 0);
}

export function hasSeveralControlPlanes(nodes: readonly NodeContainer[]): boolean {
  return nodes.filter(({ role }) => role === 'control-plane').length > 1;
}

/** Current addresses by node name. A node that is not running has no address. */
export function addressesOf(nodes: readonly NodeContainer[]): Record<string, string> {
  return Object.fromEntries(
    nodes.flatMap(({ name, address }) => (address === null ? [] : [[name, address] as const])),
  );
}

/**
 * Control planes whose address changed. etcd members know each other by address and reject a member that moved, although
 * Kubernetes reports all nodes as ready. A single control plane works with any address.
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
  return `${name} has the address ${address}, but etcd on the other control planes expects ${before}`;
}

/** Sorts .10 after .9, and an unknown address last. */
function addressNumber(address: string | undefined): number {
  const parts = (address ?? '').split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part))) return 2 ** 32;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}
