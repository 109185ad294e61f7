import { lookup } from 'node:dns/promises';
import { Agent as PlainAgent, request as plainRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { RegistryError } from './image-registry.js';

/** Longest answer that is read: a page of a hundred tags, each with its platforms, has about 150 kB. */
const MAX_ANSWER_BYTES = 3_000_000;
const MAX_REDIRECTS = 3;

export interface OutsideResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Where it came from in the end. */
  url: URL;
}

/** Networks in which plain HTTP is usual, and in which a proxy has no business. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');

/**
 * One GET to a server outside: bounded in size, redirected within its own host only, through the proxy that
 * the environment names.
 */
export class OutsideRequest {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** @throws RegistryError where there is no answer; every status is an answer. */
  async get(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OutsideResponse> {
    let target = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await this.once(target, headers, signal);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
      target = followed(target, location);
    }
    throw new RegistryError(`${url.host} redirects in a circle.`);
  }

  private async once(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OutsideResponse> {
    const proxyEnv = isLoopback(url.hostname) ? undefined : this.environment;
    const secure = url.protocol === 'https:';
    const agent = secure ? new SecureAgent({ proxyEnv }) : new PlainAgent({ proxyEnv });
    try {
      return await new Promise((resolve, reject) => {
        const send = secure ? secureRequest : plainRequest;
        const outgoing = send(url, { agent, headers: { accept: 'application/json', ...headers }, signal });
        outgoing.on('error', reject);
        outgoing.on('response', (incoming) => {
          const chunks: Buffer[] = [];
          let length = 0;
          incoming.on('error', reject);
          incoming.on('data', (chunk: Buffer) => {
            length += chunk.length;
            if (length > MAX_ANSWER_BYTES) {
              outgoing.destroy(
                new RegistryError(`${url.host} answers with more than a list of tags can be.`),
              );
            } else chunks.push(chunk);
          });
          incoming.on('end', () => {
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString('utf8'),
              url,
            });
          });
        });
        outgoing.end();
      });
    } finally {
      agent.destroy();
    }
  }
}

/** Whether a failed TLS connection may be tried again without: the peer speaks plain HTTP, and is near. */
export async function maySpeakPlainly(hostname: string, error: unknown): Promise<boolean> {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EPROTO' && !code?.startsWith('ERR_SSL_')) return false;
  if (isLoopback(hostname)) return true;
  const bare = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(bare)
    ? [{ address: bare, family: isIP(bare) }]
    : await lookup(hostname, { all: true }).catch(() => []);
  return (
    addresses.length > 0 &&
    addresses.every(({ address, family }) => privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4'))
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** A redirect leads no further than to another place on the same host, and never out of TLS. */
function followed(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const downgraded = from.protocol === 'https:' && to?.protocol !== 'https:';
  if (!to || downgraded || to.hostname !== from.hostname || !/^https?:$/.test(to.protocol)) {
    throw new RegistryError(
      `${from.host} redirects to ${to ? `${to.protocol}//${to.host}` : 'no address'}, which is not followed.`,
    );
  }
  return to;
}
