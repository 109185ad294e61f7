import { BlockList, isIP } from 'node:net';

/** Addresses of this machine are never reached through a proxy. */
const OWN = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The proxy that Go's programs, such as kubectl, use for a server by their environment (`golang.org/x/net/http/httpproxy`);
 * undefined for none.
 */
export function environmentProxy(
  server: URL,
  environment: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  const valueOf = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  const text = valueOf(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (text === '' || OWN.test(server.hostname) || isExcluded(server, valueOf('NO_PROXY'))) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(',').some((text) => {
    const item = text.trim().toLowerCase();
    if (item === '*') return true;
    // An address of IPv6 has a port only in brackets.
    const parts = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(item);
    const name = parts ? (parts[1] ?? parts[2] ?? '') : item;
    const onPort = parts?.[3];
    if (name === '' || (onPort !== undefined && onPort !== ownPort)) return false;
    if (isIP(host) !== 0) {
      const [network = '', bits = isIP(network) === 4 ? '32' : '128'] = name.split('/');
      return isWithin(host, network, Number(bits));
    }
    const domain = name.replace(/^\*?\./, '');
    return host.endsWith(`.${domain}`) || (host === domain && !/^\*?\./.test(name));
  });
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || family !== isIP(host) || !(bits >= 0 && bits <= (family === 4 ? 32 : 128))) {
    return false;
  }
  const networks = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  networks.addSubnet(network, bits, kind);
  return networks.check(host, kind);
}
