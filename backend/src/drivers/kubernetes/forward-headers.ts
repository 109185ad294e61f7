import type { IncomingMessage } from 'node:http';
import { isOwnCookie } from '../../core/security/index.js';

/** Headers that a proxy must not pass on (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The origins of a forwarded port for the browser and for the Pod. */
export interface Addresses {
  browser: string;
  pod: string;
  /** Whether other targets have used the origin of the browser, or will. */
  isShared: boolean;
}

/** Request headers for the Pod in the format of `rawHeaders`, without Slipway's cookies. */
export function requestHeaders(
  request: IncomingMessage,
  { browser, pod }: Addresses,
  isUpgrade: boolean,
): string[] {
  // Node handles `Expect` itself.
  const headers = passedOn(request, ['expect'], (name, value) => {
    if (name === 'cookie') return withoutOwnCookies(value);
    return name === 'origin' || name === 'referer' ? moved(value, browser, pod) : value;
  });
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  if (isUpgrade) headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
  return headers;
}

/** Headers of the Pod's response for the browser. The Pod can neither set nor clear cookies of Slipway. */
export function responseHeaders(response: IncomingMessage, { browser, pod, isShared }: Addresses): string[] {
  // `Clear-Site-Data` would clear the cookie of the gate, and on 127.0.0.1 those of all ports.
  const dropped = ['clear-site-data', ...(isShared ? ['service-worker-allowed'] : [])];
  return passedOn(response, dropped, (name, value) => {
    if (name === 'location') return moved(value, pod, browser);
    if (name !== 'set-cookie') return value;
    if (isOwnCookie(value)) return undefined;
    return pod === browser ? value : withoutSecure(value);
  });
}

function passedOn(
  { rawHeaders, headers }: IncomingMessage,
  others: readonly string[],
  change: (name: string, value: string) => string | undefined,
): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const left = new Set([...HOP_BY_HOP, ...named, ...others]);
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (left.has(name.toLowerCase())) continue;
    const changed = change(name.toLowerCase(), value);
    if (changed !== undefined) passed.push(name, changed);
  }
  return passed;
}

function withoutOwnCookies(header: string): string | undefined {
  const others = header.split(';').filter((pair) => !isOwnCookie(pair));
  return others.length > 0 ? others.join(';').trim() : undefined;
}

function moved(address: string, from: string, to: string): string {
  const rest = address.slice(from.length);
  return address.startsWith(from) && /^([/?#]|$)/.test(rest) ? to + rest : address;
}

/** Some browsers reject Secure cookies over http, even from loopback. */
function withoutSecure(cookie: string): string {
  return cookie.startsWith('__') ? cookie : cookie.replace(/;\s*secure\s*(?=;|$)/gi, '');
}
