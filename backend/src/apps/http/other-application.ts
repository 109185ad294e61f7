import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** The application beside this one. */
export interface OtherApplication {
  /** Address here that leads there. */
  path: string;
  port: number;
  /** Page of the other one that a query is for: of what stands behind the address here, it alone goes along. */
  landing: string;
}

/**
 * Leads to the application beside this one, under the name by which this one was asked: a page cannot know the
 * port. What the name may be was looked at by the request gate.
 */
export function otherApplication({ path, port, landing }: OtherApplication): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path !== path || !['GET', 'HEAD'].includes(request.method)) next();
    else {
      const { search } = new URL(request.originalUrl, 'http://localhost');
      const page = search === '' ? '/' : landing + search;
      response.redirect(302, `${request.protocol}://${request.hostname}:${port}${page}`);
    }
  };
}
