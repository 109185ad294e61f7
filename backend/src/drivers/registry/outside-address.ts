import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from '../../core/security/index.js';

/** Addresses that lead to this machine, to networks around it, or nowhere: RFC 6890 and its successors. */
const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // IPv4 written as IPv6 (RFC 4291, 2.5.5.1), ::1 and :: among it.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Teredo and 6to4 carry an IPv4 address, which may be a private one.
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  // Site-local addresses: deprecated (RFC 3879), still routed inside some networks.
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is one of the machine's own or of the networks around it. */
export function isInside(address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  // An IPv4 in the clothes of IPv6 that is not written plainly (::ffff:7f00:1) is none that anybody needs.
  if (family === 6 && /^::ffff:/i.test(plain)) return true;
  return family === 0 || inside.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

/** What a kind of place may be reached by, and what names those that may be near. */
export interface AddressRule {
  /** As of a URL, with the colon. */
  schemes: readonly string[];
  /** The variable that holds the allowed hosts. */
  variable: string;
}

export const CHART_ADDRESS: AddressRule = { schemes: ['https:', 'oci:'], variable: 'APP_CHART_HOSTS' };

/** Whether a host is named among the allowed ones, with its port or without. */
export function isNamed({ host, hostname }: URL, allowed: readonly string[]): boolean {
  return allowed.includes(host.toLowerCase()) || allowed.includes(hostname.toLowerCase());
}

/**
 * Why a place outside may not be asked, or null where it may: it speaks no TLS, or leads to this machine or the
 * networks around it, by its name or by what its name stands for now.
 * @param allowed hosts, with or without a port, that may nevertheless (the rule's variable), also without TLS.
 */
export async function problemOfAddress(
  url: URL,
  allowed: readonly string[],
  { schemes, variable }: AddressRule = CHART_ADDRESS,
): Promise<string | null> {
  const { protocol, hostname, host } = url;
  const leadsInside = (place: string): string =>
    `leads to this machine or a network around it; name ${place} in ${variable} to allow it`;
  if (url.username !== '' || url.password !== '') return 'has a name or a password in its address';
  if (isNamed(url, allowed)) return null;
  if (!schemes.includes(protocol)) {
    return `must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  }
  // A dot at the end is the same name.
  const bare = hostname.replace(/^\[|\]$|\.+$/g, '');
  if (isIP(bare) !== 0) return isInside(bare) ? leadsInside(host) : null;
  if (/(^|\.)localhost$/i.test(bare)) return leadsInside(host);
  const addresses = await lookup(bare, { all: true }).catch(() => []);
  // A name that cannot be found is told by whoever asks it, in words of its own.
  return addresses.some(({ address }) => isInside(address)) ? leadsInside(host) : null;
}
