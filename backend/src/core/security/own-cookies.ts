import type { IncomingMessage } from 'node:http';
import { stringifySetCookie } from 'cookie';
import { clientOf } from './client.js';

/** `session` identifies a session; `browser` marks a browser that has signed in before. */
export type OwnCookie = 'session' | 'browser';

/**
 * The cookie that a request carries. Cookies know no ports, so the name has the listening port. Of two by the same name
 * one may come from another server of this machine, for a narrower path or for the domain, and nothing tells which:
 * then there is none.
 */
export function readOwnCookie(request: IncomingMessage, kind: OwnCookie): string | undefined {
  const wanted = nameOf(kind, request.socket.localPort ?? 0, isSecure(request));
  const [sent, ...others] = pairsOf(request.headers.cookie).filter(({ name }) => name === wanted);
  return others.length === 0 && sent?.value !== '' ? sent?.value : undefined;
}

/**
 * `Set-Cookie` values that give a cookie to the application that is asked, and to one beside it under the same host name.
 * @param port of the application beside; 0 where there is none.
 * @param expires a time in the past removes the cookie.
 */
export function ownCookies(
  request: IncomingMessage,
  kind: OwnCookie,
  { value, expires, port }: { value: string; expires: Date; port: number },
): string[] {
  const secure = isSecure(request);
  const ports = new Set([request.socket.localPort ?? 0, port]);
  return [...ports]
    .filter((one) => one !== 0)
    .map((one) =>
      stringifySetCookie({
        name: nameOf(kind, one, secure),
        value,
        expires,
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        // Browsers drop such a cookie over plain HTTP, which is what loopback speaks.
        secure,
      }),
    );
}

/**
 * Whether a pair of a `Cookie` or `Set-Cookie` header has a name of ours. Browsers send a cookie without a name as its
 * value alone, so `=slipway_session_8080=x` counts too.
 */
export function isOwnCookie(pair: string): boolean {
  return /^[\s=]*(?:__(?:host|secure)-)?slipway_/i.test(pair);
}

function nameOf(kind: OwnCookie, port: number, secure: boolean): string {
  return `${secure ? '__Host-' : ''}slipway_${kind}_${port}`;
}

function isSecure(request: IncomingMessage): boolean {
  return clientOf(request).protocol === 'https';
}

function pairsOf(header = ''): { name: string; value: string }[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((text) => {
      const end = text.indexOf('=');
      // A pair without a name is its value alone.
      return end < 0
        ? { name: '', value: text }
        : { name: text.slice(0, end).trim(), value: text.slice(end + 1).trim() };
    });
}
