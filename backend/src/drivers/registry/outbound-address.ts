import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isIn, plainAddress } from '../../core/security/index.js';

/** Networks in which registries often use plain HTTP. */
const isInLocal = isIn([
  '10.0.0.0/8',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]);

/** Addresses of this host and its networks, and unassigned ones (RFC 6890 and successors). */
const isInInternal = isIn([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  // ::1, :: and IPv4 written as IPv6 (RFC 4291, 2.5.5.1).
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  // Teredo and 6to4 contain an IPv4 address, which may be private.
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  // Site-local addresses are deprecated (RFC 3879), but still routed in some networks.
  'fec0::/10',
  'ff00::/8',
]);

/** Whether an address belongs to this host or its networks, or is invalid. */
export function isInternal(address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  // `plainAddress` has converted the usual form. Other forms, such as ::ffff:7f00:1, are not needed.
  if (family === 6 && /^::ffff:/i.test(plain)) return true;
  return family === 0 || isInInternal(plain);
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a host is on this machine or in a private network. */
export async function isLocal(hostname: string): Promise<boolean> {
  if (isLoopback(hostname)) return true;
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isInLocal(address));
}

export interface AddressRule {
  /** Protocols of allowed URLs, with the colon. */
  protocols: readonly string[];
  variable: string;
}

const CHART_RULE: AddressRule = { protocols: ['https:', 'oci:'], variable: 'APP_CHART_HOSTS' };

/** Whether a list of allowed hosts contains the URL's host, with or without its port. */
export function isAllowedHost({ host, hostname }: URL, allowed: readonly string[]): boolean {
  return allowed.includes(host.toLowerCase()) || allowed.includes(hostname.toLowerCase());
}

/**
 * Why a URL is rejected, to continue a sentence; null if it is allowed. URLs without TLS and internal addresses are
 * rejected, and so are names that resolve to one.
 * @param allowed hosts to which this does not apply.
 */
export async function problemOfAddress(
  url: URL,
  allowed: readonly string[],
  { protocols, variable }: AddressRule = CHART_RULE,
): Promise<string | null> {
  const { protocol, hostname, host } = url;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (isAllowedHost(url, allowed)) return null;
  if (!protocols.includes(protocol)) {
    return `must start with ${protocols.map((one) => `${one}//`).join(' or ')}`;
  }
  const internal = `points to this host or a private network. To allow it, add ${host} to ${variable}`;
  // A trailing dot does not change the name.
  const name = hostname.replace(/^\[|\]$|(?<!\.)\.+$/g, '');
  if (/(^|\.)localhost$/i.test(name)) return internal;
  // A name that does not resolve is reported by the request itself.
  const addresses =
    isIP(name) === 0 ? await lookup(name, { all: true }).catch(() => []) : [{ address: name }];
  return addresses.some(({ address }) => isInternal(address)) ? internal : null;
}
