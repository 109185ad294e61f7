import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientOf, type AccessPolicy } from '../../core/security/index.js';

export interface OtherApplication {
  /** Path in this application that redirects to the other one. */
  path: string;
  port: number;
  /** Its public URL; empty if it has the same host name as this one. */
  publicUrl: string;
  /** Page of the other application to which the query string is passed on. */
  landing: string;
}

/**
 * Redirects to the other application: to its public URL, or to its port on the host name of the request, since a page
 * does not know the port. HostOriginGuard has checked the host name. Cookies belong to a host name, so a redirect to
 * another one passes a one-time ticket in the fragment, which browsers do not send to servers.
 */
export function otherApplication(
  { path, port, publicUrl, landing }: OtherApplication,
  access: AccessPolicy,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path !== path || !['GET', 'HEAD'].includes(request.method)) {
      next();
      return;
    }
    const { search } = new URL(request.originalUrl, 'http://localhost');
    const page = search === '' ? '/' : landing + search;
    const origin = publicUrl || `${clientOf(request).protocol}://${request.hostname}:${port}`;
    const ticket = new URL(origin).hostname === request.hostname ? undefined : access.ticketFor(request);
    response.setHeader('cache-control', 'no-store');
    response.redirect(
      302,
      ticket === undefined
        ? origin + page
        : `${origin}/login?${new URLSearchParams({ next: page }).toString()}#link=${ticket}`,
    );
  };
}
