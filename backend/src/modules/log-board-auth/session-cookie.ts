import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Session } from './session.js';

const NAME = 'slipway_session';

/**
 * The cookie of a session: for pages, and for the one route that gives a page its token. Cookies know no
 * ports, so the dashboard and the log board of one machine share it, as they share their sessions.
 */
export function sessionCookie(value: string, session: Session): string {
  return stringifySetCookie({ ...ATTRIBUTES, name: NAME, value, expires: new Date(session.expires_at) });
}

export function noSessionCookie(): string {
  return stringifySetCookie({ ...ATTRIBUTES, name: NAME, value: '', expires: new Date(0) });
}

export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  const value = parseCookie(headers.cookie ?? '')[NAME];
  return value === '' ? undefined : value;
}

/** Not `Secure`: browsers keep such a cookie from plain HTTP, which is what loopback speaks. */
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'strict' } as const;
