import { isIPv4 } from 'node:net';

/** Engines give addresses out from the lowest one on: these are free in any network of up to 24 bits. */
const FIRST = 200;
const LAST = 250;

/**
 * Addresses beside those of a cluster's nodes that a load balancer may give out, as `172.18.0.200-172.18.0.250`:
 * on the nodes' own network, which is the one where they are found.
 * @returns null where the nodes have none of IPv4, or have come so far themselves.
 */
export function addressPoolBeside(nodes: readonly { address: string | null }[]): string | null {
  const taken = nodes.flatMap(({ address }) => (address !== null && isIPv4(address) ? [address] : []));
  const network = taken[0]?.replace(/\.\d+$/, '');
  if (network === undefined || taken.some((address) => isNear(address, network))) return null;
  return `${network}.${FIRST}-${network}.${LAST}`;
}

function isNear(address: string, network: string): boolean {
  return address.startsWith(`${network}.`) && Number(address.split('.').at(-1)) >= FIRST - 50;
}
