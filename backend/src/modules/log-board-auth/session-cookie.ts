import type { IncomingMessage } from 'node:http';
import { stringifySetCookie } from 'cookie';
import type { Session } from './session.js';

const NAME = 'slipway_session';
const SENT = new RegExp(`(?<=^|;)\\s*${NAME}=([^;]*)`, 'g');

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

/**
 * The cookie that was sent. Of two by its name one may have been put there by another server of this machine, for
 * a narrower path or for the domain, and nothing tells which: then there is none.
 */
export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  const [sent, ...others] = (headers.cookie ?? '').matchAll(SENT);
  return others.length === 0 && sent?.[1] !== '' ? sent?.[1] : undefined;
}

/** Not `Secure`: browsers keep such a cookie from plain HTTP, which is what loopback speaks. */
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'strict' } as const;
