import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientOf, type AccessPolicy } from '../../core/security/index.js';

export interface OtherApplication {
  /** Path in this application that redirects to the other one, as paths below it do to pages of the other one. */
  path: string;
  port: number;
  /** Its public URL; empty if it has the same host name as this one. */
  publicUrl: string;
  /** Page of the other application to which the query string is passed on. */
  landing: string;
  /** Whether this process runs it too. Otherwise any program could listen on its port, and would receive the ticket. */
  isHere: boolean;
}

/**
 * Redirects to the other application: to its public URL, or to its port on the host name of the request, since a page
 * does not know the port. HostOriginGuard has checked the host name. A browser without a session there gets a one-time
 * ticket in the fragment, which browsers do not send to servers: cookies belong to one host name, and users that are exempt
 * from the sign-in have none.
 */
export function otherApplication(
  { path, port, publicUrl, landing, isHere }: OtherApplication,
  access: AccessPolicy,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isBelow = request.path.startsWith(`${path}/`);
    if ((request.path !== path && !isBelow) || !['GET', 'HEAD'].includes(request.method)) {
      next();
      return;
    }
    const { search } = new URL(request.originalUrl, 'http://localhost');
    const page = isBelow ? request.path.slice(path.length) + search : search === '' ? '/' : landing + search;
    const origin = publicUrl || `${clientOf(request).protocol}://${request.hostname}:${port}`;
    const sharesCookies = new URL(origin).hostname === request.hostname;
    const mayHaveTicket = isOwnLink(request) && (isHere || !sharesCookies);
    const ticket = mayHaveTicket ? access.ticketFor(request, sharesCookies) : undefined;
    response.setHeader('cache-control', 'no-store');
    response.redirect(
      302,
      ticket === undefined
        ? origin + page
        : `${origin}/login?${new URLSearchParams({ next: page }).toString()}#link=${ticket}`,
    );
  };
}

/** Whether the user followed a link of this application or typed the address. Other sites must not sign a browser in. */
function isOwnLink({ headers }: Request): boolean {
  return [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']);
}
