import type { IncomingMessage } from 'node:http';
import { stringifySetCookie } from 'cookie';
import { itemsOf } from '../values/index.js';
import { basePathOf } from './base-path.js';
import { clientOf } from './client.js';

/** `session` identifies a session; `browser` marks a browser that has signed in before. */
export type OwnCookie = 'session' | 'browser';

/** Where an application is: the port on which it listens, and the path below which browsers reach it. */
interface Place {
  port: number;
  path: string;
}

/**
 * Reads Slipway's cookie of a request. Cookies ignore ports, so the name contains the listening port. Two cookies with
 * the name are ambiguous, since another server on this machine may have set one for a narrower path: then none counts.
 */
export function readOwnCookie(request: IncomingMessage, kind: OwnCookie): string | undefined {
  const wanted = nameOf(kind, ownPlace(request), isSecure(request));
  const [sent, ...others] = pairsOf(request.headers.cookie).filter(({ name }) => name === wanted);
  return others.length === 0 && sent?.value !== '' ? sent?.value : undefined;
}

/**
 * `Set-Cookie` values for this application and for the other one under the same host name.
 * @param other the other application; its port is 0 if it does not exist.
 * @param expires a time in the past removes the cookie.
 */
export function ownCookies(
  request: IncomingMessage,
  kind: OwnCookie,
  { value, expires, other }: { value: string; expires: Date; other: Place },
): string[] {
  const secure = isSecure(request);
  const own = ownPlace(request);
  return [own, ...(other.port === own.port ? [] : [other])]
    .filter(({ port }) => port !== 0)
    .map((place) =>
      stringifySetCookie({
        name: nameOf(kind, place, secure),
        value,
        expires,
        // Other servers of the host do not get it.
        path: place.path || '/',
        httpOnly: true,
        sameSite: 'strict',
        // Browsers drop secure cookies over plain HTTP, which loopback uses.
        secure,
      }),
    );
}

/**
 * Whether a pair of a `Cookie` or `Set-Cookie` header is one of Slipway's cookies. Browsers send only the value of a
 * cookie without a name, so `=slipway_session_8080=x` counts too.
 */
export function isOwnCookie(pair: string): boolean {
  return /^[\s=]*(?:__(?:host|secure)-)?slipway_/i.test(pair);
}

/** `__Host-` requires the path `/`. The suffix: a cookie of the root, from before a path was set, would be ambiguous. */
function nameOf(kind: OwnCookie, { port, path }: Place, secure: boolean): string {
  const name = `slipway_${kind}_${port}`;
  if (path === '') return `${secure ? '__Host-' : ''}${name}`;
  return `${secure ? '__Secure-' : ''}${name}_path`;
}

function ownPlace(request: IncomingMessage): Place {
  return { port: request.socket.localPort ?? 0, path: basePathOf(request) };
}

function isSecure(request: IncomingMessage): boolean {
  return clientOf(request).protocol === 'https';
}

function pairsOf(header = ''): { name: string; value: string }[] {
  return itemsOf(header, ';').map((text) => {
    const end = text.indexOf('=');
    // A pair without a name consists of its value.
    return end < 0
      ? { name: '', value: text }
      : { name: text.slice(0, end).trim(), value: text.slice(end + 1).trim() };
  });
}
