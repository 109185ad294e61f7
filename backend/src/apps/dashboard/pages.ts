import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { nonceOf } from './security-headers.js';
import type { StaticFiles } from './static-files.js';

/** Addresses that the page's own router knows; others are served by it too, as "not found". */
const KNOWN = [
  /^\/clusters$/,
  /^\/cluster\/[a-z0-9.-]+(\/config)?$/,
  /^\/journal$/,
  /^\/jobs(\/\d+)?$/,
  /^\/diagnostics(\/images)?$/,
  /^\/documentation$/,
];
const NOT_PAGES = /^\/(api|docs|redoc|events|openapi\.json|favicon\.ico)(\/|$)/;

/** Serves the Angular application: one document for every page, rendered with the request's nonce. */
export function pages(files: StaticFiles): RequestHandler {
  const template = files.text('/index.html');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (
      (request.method !== 'GET' && request.method !== 'HEAD') ||
      NOT_PAGES.test(request.path) ||
      !wantsPage(request)
    ) {
      next();
      return;
    }
    if (request.path === '/') {
      response.redirect(302, '/clusters');
      return;
    }
    if (template === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The pages are not built yet. Run `npm run build`, or use `npm start`, which does.');
      return;
    }
    response
      .status(isPage(request.path) ? 200 : 404)
      .setHeader('cache-control', 'no-store')
      .type('text/html')
      .send(template.replaceAll('__NONCE__', nonceOf(response)));
  };
}

/** A program that takes anything gets a page where there is one, and an error that it can read where there is none. */
function wantsPage(request: Request): boolean {
  if (isPage(request.path)) return request.accepts('html') !== false;
  return request.accepts(['json', 'html']) === 'html';
}

/** Whether the page's own router knows an address. */
export function isPage(path: string): boolean {
  return path === '/' || KNOWN.some((pattern) => pattern.test(path));
}
