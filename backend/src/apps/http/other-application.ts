import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { clientOf, type AccessPolicy } from '../../core/security/index.js';

/** The application beside this one. */
export interface OtherApplication {
  /** Address here that leads there. */
  path: string;
  port: number;
  /** Its outside address; empty where it is under the name by which this one was asked. */
  publicUrl: string;
  /** Page of the other one that a query is for: of what stands behind the address here, it alone goes along. */
  landing: string;
}

/**
 * Leads to the application beside this one: to its outside address, or to the name by which this one was asked, because
 * a page cannot know the port. What the name may be was looked at by the request gate. Browsers keep cookies per host
 * name, so to another name a one-time ticket goes along, behind `#`, which is sent to no server.
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
