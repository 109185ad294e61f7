import { once } from 'node:events';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isLoopback } from './outbound-address.js';
import { RegistryError } from './image-registry.js';

/** A page of 100 tags with their platforms has about 150 kB. */
const MAX_BYTES = 3_000_000;
const MAX_REDIRECTS = 3;

/** Environment variables, of which the proxy settings are used. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export interface RegistryResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  url: URL;
}

/** Sends a request on its own connection, which is closed after `receive`. */
export async function sendRequest<T>(
  url: URL,
  { proxyEnv, body, ...options }: RequestOptions & { proxyEnv: ProxyEnvironment | undefined; body?: string },
  receive: (response: IncomingMessage) => T | Promise<T>,
): Promise<T> {
  const isHttps = url.protocol === 'https:';
  const agent = isHttps ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv });
  try {
    const outgoing = (isHttps ? httpsRequest : httpRequest)(url, { ...options, agent });
    const response = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // Errors after the response also reach `receive`.
    outgoing.on('error', () => undefined).end(body);
    return await receive((await response)[0]);
  } finally {
    agent.destroy();
  }
}

/**
 * A GET request to a registry. Redirects are only followed on the same host.
 * @throws RegistryError if the response is too large or redirects elsewhere. Any status is a response.
 */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  environment: ProxyEnvironment,
  signal: AbortSignal,
): Promise<RegistryResponse> {
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await getOnce(target, headers, environment, signal);
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined) return response;
    target = redirected(target, location);
  }
  throw new RegistryError(`${url.host} redirected too often.`);
}

async function getOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  environment: ProxyEnvironment,
  signal: AbortSignal,
): Promise<RegistryResponse> {
  const proxyEnv = isLoopback(url.hostname) ? undefined : environment;
  const options = { proxyEnv, headers: { accept: 'application/json', ...headers }, signal };
  return await sendRequest(url, options, async (response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new RegistryError(`The response of ${url.host} is too large.`);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, text, url };
  });
}

/** The target of a redirect, on the same host and not from HTTPS to HTTP. @throws RegistryError */
function redirected(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isDowngraded = from.protocol === 'https:' && to?.protocol !== 'https:';
  if (!to || isDowngraded || to.hostname !== from.hostname || !/^https?:$/.test(to.protocol)) {
    const target = to ? `${to.protocol}//${to.host}` : 'an invalid URL';
    throw new RegistryError(`${from.host} redirects to ${target}, which is not allowed.`);
  }
  return to;
}
