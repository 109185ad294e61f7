import { BlockList, isIP } from 'node:net';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/** The address of a socket, with IPv4-mapped IPv6 addresses as IPv4. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d{1,3}(\.\d{1,3}){3}$)/i, '');
}

export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK.test(address);
}

/** An address in the notation of URLs and Host headers. */
export function hostLiteral(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The eight groups of an IPv6 address, in hex. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0');
  return [...groups, ...after];
}

/**
 * Whether an address is in one of the networks; false for another text.
 * @param networks addresses and CIDR ranges.
 */
export function isIn(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
