import { isIPv4 } from 'node:net';

/** Engines assign the lowest addresses first, so these are free in any network of up to 24 bits. */
const FIRST = 200;
const LAST = 250;

/**
 * Addresses on the nodes' network that a load balancer may assign, such as `172.18.0.200-172.18.0.250`.
 * @returns null if the nodes have no IPv4 address, or use addresses of this range.
 */
export function loadBalancerPool(nodes: readonly { address: string | null }[]): string | null {
  const taken = nodes.flatMap(({ address }) => (address !== null && isIPv4(address) ? [address] : []));
  const network = taken[0]?.replace(/\.\d+$/, '');
  if (network === undefined || taken.some((address) => isNear(address, network))) return null;
  return `${network}.${FIRST}-${network}.${LAST}`;
}

function isNear(address: string, network: string): boolean {
  return address.startsWith(`${network}.`) && Number(address.split('.').at(-1)) >= FIRST - 50;
}
